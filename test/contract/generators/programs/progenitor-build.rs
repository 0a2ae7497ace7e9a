fn main() {
    let document = std::env::var("DOCUMENT").unwrap();
    println!("cargo:rerun-if-changed={document}");
    let spec = serde_json::from_reader(std::fs::File::open(document).unwrap()).unwrap();
    let tokens = progenitor::Generator::default().generate_tokens(&spec).unwrap();
    let client = prettyplease::unparse(&syn::parse2(tokens).unwrap());
    let out = std::path::Path::new(&std::env::var("OUT_DIR").unwrap()).join("client.rs");
    std::fs::write(out, client).unwrap();
}
