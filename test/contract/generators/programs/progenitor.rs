// What is generated has its own manner.
#![allow(clippy::all)]
include!(concat!(env!("OUT_DIR"), "/client.rs"));

fn env(name: &str) -> String {
    std::env::var(name).unwrap()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut headers = reqwest::header::HeaderMap::new();
    let bearer = format!("Bearer {}", env("API_TOKEN"));
    headers.insert("authorization", bearer.parse().unwrap());
    let http = reqwest::Client::builder().default_headers(headers).build().unwrap();
    let client = Client::new_with_client(&env("API_URL"), http);
    let (email, via) = (env("PERSON"), env("VIA"));

    let made: types::CreatePersonIdempotencyKey = uuid::Uuid::new_v4().to_string().parse().unwrap();
    let card: types::NewPerson =
        serde_json::from_value(serde_json::json!({ "name": "Ines Caldeira", "email": email })).unwrap();
    let person = client.create_person(&made, &card).await.unwrap().into_inner().id;
    let again = client.create_person(&made, &card).await.unwrap().into_inner().id;
    let wanted: types::ListPeopleEmail = email.parse().unwrap();
    let list = client
        .list_people(None, Some(&wanted), None, None, None, None, None, None, None, None, None)
        .await
        .unwrap()
        .into_inner();
    let listed: Vec<String> = list.people.into_iter().map(|one| one.id).collect();

    let key = uuid::Uuid::new_v4().to_string();
    let letter: types::NewConversation =
        serde_json::from_value(serde_json::json!({ "person": person, "via": via, "text": "Hello." })).unwrap();
    let sent: types::OpenConversationIdempotencyKey = key.parse().unwrap();
    for _ in 0..2 {
        client.open_conversation(&sent, &letter).await.unwrap();
    }
    let asked: types::GetOperationKey = key.parse().unwrap();
    let operation = client.get_operation(&asked, Some(25), None).await.unwrap().into_inner();
    println!(
        "{}",
        serde_json::json!({ "person": person, "again": again, "listed": listed, "state": operation.state })
    );
}
