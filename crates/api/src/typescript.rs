//! TypeScript types of all requests, answers and events, for the page.
//!
//! They are made from the schemas that also describe the HTTP interface. `web/src/engine/types.ts` is this text;
//! `cargo run -p croupier-api --features openapi --example types` writes it anew.

use std::collections::BTreeMap;
use std::fmt::Write;

use utoipa::openapi::schema::{
    AdditionalProperties, ArrayItems, Object, SchemaType, Type as SchemaKind,
};
use utoipa::openapi::{RefOr, Schema};

use crate::questions::{PARTS, QUESTIONS, Schemas, TypeSchema};

/// Width to which unions of names are written on one line.
const WIDTH: usize = 120;

/// Returns the content of `web/src/engine/types.ts`.
#[must_use]
pub fn types() -> String {
    let mut schemas = Schemas::new();
    (TypeSchema::of::<crate::run::RunRequest>().add)(&mut schemas);
    (TypeSchema::of::<crate::run::RunEvent>().add)(&mut schemas);
    for question in QUESTIONS {
        (question.request.add)(&mut schemas);
        (question.response.add)(&mut schemas);
    }
    let schemas: BTreeMap<String, RefOr<Schema>> = schemas.into_iter().collect();

    let mut out = String::from(
        "// Requests and answers, sent over HTTP to `croupier serve` or to the engine inside the page.\n\
         // Made from the Rust types of crates/api; do not edit it. To write it anew:\n\
         // cargo run -p croupier-api --features openapi --example types\n",
    );
    for (name, schema) in &schemas {
        out.push('\n');
        declaration(&mut out, name, schema);
    }
    out += "\n/** Request and answer of every question. */\nexport interface Endpoints {\n";
    for question in QUESTIONS {
        comment(&mut out, question.description, 1);
        let (request, answer) = ((question.request.name)(), (question.response.name)());
        let _ = writeln!(
            out,
            "  {}: {{ request: {request}; answer: {answer} }};",
            property(question.name)
        );
    }
    out += "}\n\nexport type Endpoint = keyof Endpoints;\n";
    out += "\n/** Parts of the engine that the page loads when it sends one of their questions for the first time. */\n";
    out += "export const PARTS: Partial<Record<Endpoint, string>> = {\n";
    for question in PARTS.iter().skip(1).flat_map(|part| part.questions) {
        let name = property(question.name);
        let _ = writeln!(out, "  {name}: '{}',", question.part);
    }
    out += "};\n";
    out
}

/// Writes the declaration of a type.
fn declaration(out: &mut String, name: &str, schema: &RefOr<Schema>) {
    comment(out, description(schema), 0);
    let body = match schema {
        RefOr::T(Schema::Object(object)) if !object.properties.is_empty() => {
            let _ = writeln!(out, "export interface {name} {}", fields(object, 0));
            return;
        }
        RefOr::T(Schema::OneOf(union)) if union.items.iter().all(is_object) => {
            let mut lines = String::new();
            for item in &union.items {
                lines.push('\n');
                comment(&mut lines, description(item), 1);
                let _ = write!(lines, "  | {}", written(item, 2));
            }
            lines
        }
        schema => {
            let line = written(schema, 0);
            let fits = name.len() + line.len() + "export type  = ;".len() <= WIDTH;
            match fits || line.contains('\n') {
                true => format!(" {line}"),
                false => line
                    .split(" | ")
                    .map(|item| format!("\n  | {item}"))
                    .collect(),
            }
        }
    };
    let _ = writeln!(out, "export type {name} ={body};");
}

/// Writes a comment before a declaration or a field.
fn comment(out: &mut String, text: &str, depth: usize) {
    let indent = "  ".repeat(depth);
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    let _ = match lines.as_slice() {
        [] => Ok(()),
        [line] => writeln!(out, "{indent}/** {line} */"),
        lines => {
            let lines: String = lines
                .iter()
                .map(|line| format!("{indent} * {line}\n"))
                .collect();
            write!(out, "{indent}/**\n{lines}{indent} */\n")
        }
    };
}

fn description(schema: &RefOr<Schema>) -> &str {
    let text = match schema {
        RefOr::Ref(it) => return &it.description,
        RefOr::T(Schema::Object(it)) => &it.description,
        RefOr::T(Schema::Array(it)) => &it.description,
        // The description of a field that may be null is part of its reference.
        RefOr::T(Schema::OneOf(it)) if it.description.is_none() => {
            let texts = it.items.iter().map(description);
            return texts.max_by_key(|text| text.len()).unwrap_or_default();
        }
        RefOr::T(Schema::OneOf(it)) => &it.description,
        RefOr::T(Schema::AllOf(it)) => &it.description,
        RefOr::T(Schema::AnyOf(it)) => &it.description,
        RefOr::T(_) => &None,
    };
    text.as_deref().unwrap_or_default()
}

fn is_object(schema: &RefOr<Schema>) -> bool {
    matches!(schema, RefOr::T(Schema::Object(object)) if !object.properties.is_empty())
}

/// Returns a type as an expression.
fn written(schema: &RefOr<Schema>, depth: usize) -> String {
    alternatives(schema, depth).join(" | ")
}

/// Returns the members of a union; most types have one.
fn alternatives(schema: &RefOr<Schema>, depth: usize) -> Vec<String> {
    let schema = match schema {
        RefOr::Ref(it) => {
            let name = it.ref_location.rsplit('/').next().unwrap_or_default();
            return vec![name.to_owned()];
        }
        RefOr::T(schema) => schema,
    };
    match schema {
        Schema::Object(object) => of_object(object, depth),
        Schema::Array(array) => {
            let nullable = kinds(&array.schema_type).contains(&SchemaKind::Null);
            let list = match &array.items {
                _ if !array.prefix_items.is_empty() => {
                    let items = array.prefix_items.iter();
                    let items: Vec<String> = items
                        .map(|item| written(&RefOr::T(item.clone()), depth))
                        .collect();
                    format!("[{}]", items.join(", "))
                }
                ArrayItems::RefOrSchema(item) => match alternatives(item, depth).as_slice() {
                    [one] => format!("{one}[]"),
                    several => format!("({})[]", several.join(" | ")),
                },
                ArrayItems::False => "[]".to_owned(),
            };
            std::iter::once(list)
                .chain(nullable.then(|| "null".to_owned()))
                .collect()
        }
        Schema::OneOf(union) => {
            let items = union.items.iter();
            let mut items: Vec<String> = items.flat_map(|item| alternatives(item, depth)).collect();
            items.sort_by_key(|item| item == "null");
            items
        }
        Schema::AllOf(parts) => {
            let mut items: Vec<(bool, String)> = parts
                .items
                .iter()
                .map(|item| (is_object(item), written(item, depth)))
                .collect();
            items.sort_by_key(|(is_object, _)| *is_object);
            let items: Vec<String> = items.into_iter().map(|(_, text)| text).collect();
            vec![items.join(" & ")]
        }
        other => unreachable!(
            "schema without a translation: {}",
            description(&RefOr::T(other.clone()))
        ),
    }
}

fn kinds(schema_type: &SchemaType) -> Vec<SchemaKind> {
    match schema_type {
        SchemaType::Type(kind) => vec![kind.clone()],
        SchemaType::Array(kinds) => kinds.clone(),
        SchemaType::AnyValue => Vec::new(),
    }
}

fn of_object(object: &Object, depth: usize) -> Vec<String> {
    if let Some(values) = &object.enum_values {
        let words = values.iter().filter_map(|value| value.as_str());
        return words.map(|word| format!("'{word}'")).collect();
    }
    let kinds = kinds(&object.schema_type);
    kinds
        .iter()
        .map(|kind| match kind {
            SchemaKind::String => "string".to_owned(),
            SchemaKind::Integer | SchemaKind::Number => "number".to_owned(),
            SchemaKind::Boolean => "boolean".to_owned(),
            SchemaKind::Null => "null".to_owned(),
            SchemaKind::Array => "unknown[]".to_owned(),
            SchemaKind::Object => of_fields(object, depth),
        })
        .collect()
}

fn of_fields(object: &Object, depth: usize) -> String {
    match object.additional_properties.as_deref() {
        Some(AdditionalProperties::RefOr(value)) => {
            let value = written(value, depth);
            match object.property_names.as_deref() {
                Some(key) => {
                    let key = written(&RefOr::T(key.clone()), depth);
                    format!("Partial<Record<{key}, {value}>>")
                }
                None => format!("Record<string, {value}>"),
            }
        }
        _ if object.properties.is_empty() => "Record<string, never>".to_owned(),
        _ => fields(object, depth),
    }
}

/// Returns the fields of an object in braces.
fn fields(object: &Object, depth: usize) -> String {
    let mut out = String::from("{\n");
    for (name, schema) in &object.properties {
        comment(&mut out, description(schema), depth + 1);
        let is_required = object.required.contains(name);
        let mut union = alternatives(schema, depth + 1);
        if !is_required {
            union.retain(|item| item != "null");
        }
        let _ = writeln!(
            out,
            "{}{}{}: {};",
            "  ".repeat(depth + 1),
            property(name),
            if is_required { "" } else { "?" },
            union.join(" | ")
        );
    }
    out + &"  ".repeat(depth) + "}"
}

/// Returns a name as a property, in quotation marks if it needs them.
fn property(name: &str) -> String {
    match name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        true => format!("'{name}'"),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_engine_is_built_and_kept_for_offline_use() {
        let read = |path: &str| {
            let path = format!("{}/../../web/{path}", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(path).expect("the file of the page can be read")
        };
        let names: Vec<&str> = PARTS.iter().skip(1).map(|part| part.name).collect();
        let line = format!("\nparts=({})\n", names.join(" "));
        assert!(read("build").contains(&line), "web/build lacks {line}");
        for name in names {
            let file = format!("'./croupier-{name}.wasm'");
            assert!(read("public/offline.js").contains(&file), "{file}");
        }
    }

    #[test]
    fn the_types_of_the_page_are_those_of_the_interface() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/engine/types.ts");
        let file = std::fs::read_to_string(path).expect("web/src/engine/types.ts can be read");
        assert!(
            file == types(),
            "web/src/engine/types.ts is not up to date: \
             cargo run -p croupier-api --features openapi --example types"
        );
    }
}
