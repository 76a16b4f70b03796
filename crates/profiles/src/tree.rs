//! JSON and TOML as one tree type with the position of each value.

use toml::de::{DeTable, DeValue};

/// A value and the byte at which it begins.
#[derive(Debug)]
pub(crate) struct Tree {
    pub value: Value,
    pub at: usize,
}

/// The content of a value.
#[derive(Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Tree>),
    Table(Vec<Entry>),
}

/// A named value of a table.
#[derive(Debug)]
pub(crate) struct Entry {
    pub key: String,
    pub key_at: usize,
    pub value: Tree,
}

impl Value {
    /// Returns the name of the value's type, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "nothing (null)",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    /// Returns the value as JSON, for fields that are only kept.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Value::Null => serde_json::Value::Null,
            Value::Bool(b) => (*b).into(),
            Value::Number(n) if n.fract() == 0.0 && n.abs() < 9e15 => (*n as i64).into(),
            Value::Number(n) => (*n).into(),
            Value::Text(text) => text.as_str().into(),
            Value::List(list) => list.iter().map(|tree| tree.value.to_json()).collect(),
            Value::Table(entries) => serde_json::Value::Object(
                entries
                    .iter()
                    .map(|e| (e.key.clone(), e.value.value.to_json()))
                    .collect(),
            ),
        }
    }
}

/// A syntax error: the byte and the message.
pub(crate) type SyntaxError = (usize, String);

/// Reads JSON.
pub(crate) fn from_json(text: &str) -> Result<Tree, SyntaxError> {
    use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
    // Comments and trailing commas are accepted, because files are edited by hand; otherwise JSON is strict.
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options)
        .map_err(|error| (error.range().start, error.kind().to_string()))?;
    match parsed.value {
        Some(value) => Ok(json_tree(&value)),
        None => Err((0, "the file is empty".to_owned())),
    }
}

fn json_tree(value: &jsonc_parser::ast::Value) -> Tree {
    use jsonc_parser::ast::Value as Json;
    use jsonc_parser::common::Ranged;
    let at = value.range().start;
    let value = match value {
        Json::NullKeyword(_) => Value::Null,
        Json::BooleanLit(b) => Value::Bool(b.value),
        Json::NumberLit(n) => Value::Number(n.value.parse().unwrap_or(f64::NAN)),
        Json::StringLit(s) => Value::Text(s.value.clone().into_owned()),
        Json::Array(array) => Value::List(array.elements.iter().map(json_tree).collect()),
        Json::Object(object) => Value::Table(
            object
                .properties
                .iter()
                .map(|property| Entry {
                    key: property.name.as_str().to_owned(),
                    key_at: property.range.start,
                    value: json_tree(&property.value),
                })
                .collect(),
        ),
    };
    Tree { value, at }
}

/// Reads TOML.
pub(crate) fn from_toml(text: &str) -> Result<Tree, SyntaxError> {
    let table = DeTable::parse(text).map_err(|error| {
        (
            error.span().map_or(0, |span| span.start),
            error.message().to_owned(),
        )
    })?;
    let at = table.span().start;
    Ok(Tree {
        value: toml_table(table.get_ref()),
        at,
    })
}

fn toml_table(table: &DeTable) -> Value {
    Value::Table(
        table
            .iter()
            .map(|(key, value)| Entry {
                key: key.get_ref().clone().into_owned(),
                key_at: key.span().start,
                value: Tree {
                    value: toml_value(value.get_ref()),
                    at: value.span().start,
                },
            })
            .collect(),
    )
}

fn toml_value(value: &DeValue) -> Value {
    match value {
        DeValue::Boolean(b) => Value::Bool(*b),
        DeValue::Integer(n) => {
            Value::Number(i64::from_str_radix(n.as_str(), n.radix()).map_or(f64::NAN, |n| n as f64))
        }
        DeValue::Float(n) => Value::Number(n.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::String(text) => Value::Text(text.clone().into_owned()),
        DeValue::Datetime(date) => Value::Text(date.to_string()),
        DeValue::Array(array) => Value::List(
            array
                .iter()
                .map(|item| Tree {
                    value: toml_value(item.get_ref()),
                    at: item.span().start,
                })
                .collect(),
        ),
        DeValue::Table(table) => toml_table(table),
    }
}
