"""Each example of an OpenAPI document against the schema beside it, as JSON Schema 2020-12 says. Prints what does not fit."""

import json
import sys

from jsonschema import Draft202012Validator

document = json.load(sys.stdin)
checked = 0


def visit(node, path):
    global checked
    if isinstance(node, list):
        for i, inner in enumerate(node):
            visit(inner, f"{path}/{i}")
    if not isinstance(node, dict):
        return
    if "schema" in node and ("example" in node or "examples" in node):
        schema = {**node["schema"], "components": document["components"]}
        named = {name: it["value"] for name, it in node.get("examples", {}).items()}
        for name, value in {**named, **({"": node["example"]} if "example" in node else {})}.items():
            checked += 1
            for error in Draft202012Validator(schema).iter_errors(value):
                print(f"{path} {name}: {error.json_path} {error.message}")
    for key, inner in node.items():
        if key not in ("example", "examples", "schema"):
            visit(inner, f"{path}/{key}")


visit(document, "")
print(f"{checked} examples", file=sys.stderr)
