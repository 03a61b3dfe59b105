//! A checker of JSON Schema, for as much of it as our schemas use. A keyword or format that it doesn't know is an error, so
//! that no part of a schema goes unchecked.

use serde_json::{Map, Value};

/// A schema, with the definitions that it refers to.
pub struct Schema(Value);

impl Schema {
    /// A schema as JSON.
    pub fn new(schema: Value) -> Schema {
        Schema(schema)
    }

    /// What is wrong with a value, with the path to it; nothing if it is valid.
    pub fn errors(&self, value: &Value) -> Vec<String> {
        let mut errors = Vec::new();
        self.check(&self.0, value, "$", &mut errors);
        errors
    }

    /// Whether a value is valid.
    pub fn is_valid(&self, value: &Value) -> bool {
        self.errors(value).is_empty()
    }

    fn check(&self, schema: &Value, value: &Value, path: &str, errors: &mut Vec<String>) {
        let Value::Object(keywords) = schema else {
            errors.push(format!("{path}: the schema {schema} is no object"));
            return;
        };
        for (keyword, wanted) in keywords {
            self.keyword(keywords, keyword, wanted, value, path, errors);
        }
    }

    #[expect(clippy::too_many_lines, reason = "it has an arm for each keyword")]
    fn keyword(
        &self,
        keywords: &Map<String, Value>,
        keyword: &str,
        wanted: &Value,
        value: &Value,
        path: &str,
        errors: &mut Vec<String>,
    ) {
        let n_valid = |schemas: &[Value]| {
            let is_valid = |schema: &&Value| {
                let mut errors = Vec::new();
                self.check(schema, value, path, &mut errors);
                errors.is_empty()
            };
            schemas.iter().filter(is_valid).count()
        };
        let is_fine = match (keyword, wanted) {
            ("$schema" | "$defs" | "title" | "description" | "default", _) => true,
            ("$ref", Value::String(reference)) => {
                let found = reference.strip_prefix('#').and_then(|pointer| self.0.pointer(pointer));
                found.map(|found| self.check(found, value, path, errors)).is_some()
            }
            ("type", Value::String(name)) => is_of(name, value),
            ("type", Value::Array(names)) => {
                names.iter().any(|name| name.as_str().is_some_and(|name| is_of(name, value)))
            }
            ("const", wanted) => value == wanted,
            ("enum", Value::Array(wanted)) => wanted.contains(value),
            ("oneOf", Value::Array(schemas)) => n_valid(schemas) == 1,
            ("anyOf", Value::Array(schemas)) => n_valid(schemas) > 0,
            ("minimum", wanted) => value.as_f64() >= wanted.as_f64() || !value.is_number(),
            ("maximum", wanted) => value.as_f64() <= wanted.as_f64() || !value.is_number(),
            ("format", Value::String(name)) => has_format(name, value),
            ("items", schema) => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    self.check(schema, item, &format!("{path}[{i}]"), errors);
                }
                true
            }
            ("required", Value::Array(names)) => {
                let has = |name: &Value| name.as_str().is_some_and(|name| value.get(name).is_some());
                !value.is_object() || names.iter().all(has)
            }
            ("properties", Value::Object(properties)) => {
                for (name, schema) in properties {
                    if let Some(property) = value.get(name) {
                        self.check(schema, property, &format!("{path}.{name}"), errors);
                    }
                }
                true
            }
            ("additionalProperties", schema) => {
                let known = keywords.get("properties");
                let is_known = |name: &str| known.is_some_and(|known| known.get(name).is_some());
                let others = value.as_object().into_iter().flatten().filter(|(name, _)| !is_known(name));
                match schema {
                    Value::Bool(allowed) => *allowed || others.count() == 0,
                    schema => {
                        others.for_each(|(name, other)| {
                            self.check(schema, other, &format!("{path}.{name}"), errors)
                        });
                        true
                    }
                }
            }
            _ => false,
        };
        if !is_fine {
            errors.push(format!(
                "{path}: {value} is not as `{keyword}` says, {wanted}, or that keyword is not known"
            ));
        }
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

/// Formats are about numbers only.
fn has_format(name: &str, value: &Value) -> bool {
    let most = match name {
        "double" => return true,
        "uint8" => u8::MAX.into(),
        "uint32" => u32::MAX.into(),
        "uint" | "uint64" => u64::MAX,
        _ => return false,
    };
    !value.is_number() || value.as_u64().is_some_and(|n| n <= most)
}

#[test]
fn a_schema_is_checked_as_a_whole() {
    use serde_json::json;
    let schema = Schema::new(json!({
        "$defs": { "small": { "type": "integer", "format": "uint8", "maximum": 9 } },
        "type": "object",
        "properties": {
            "n": { "$ref": "#/$defs/small" },
            "all": { "type": "array", "items": { "$ref": "#/$defs/small" } },
            "word": { "oneOf": [{ "const": "a" }, { "enum": ["b", "c"] }, { "const": "c" }] },
            "some": { "anyOf": [{ "type": "null" }, { "type": ["string", "number"], "minimum": 0 }] },
        },
        "required": ["n"],
        "additionalProperties": false,
    }));
    for valid in [
        json!({ "n": 9 }),
        json!({ "n": 0, "all": [1], "word": "b", "some": "x" }),
        json!({ "n": 1, "some": 0.5 }),
    ] {
        assert_eq!(schema.errors(&valid), [""; 0]);
    }
    let invalid = [
        json!(1),
        json!({}),
        json!({ "n": 10 }),
        json!({ "n": -1 }),
        json!({ "n": 1.5 }),
        json!({ "n": 1, "more": 1 }),
        json!({ "n": 1, "all": [1, "x"] }),
        json!({ "n": 1, "word": "c" }),
        json!({ "n": 1, "word": "d" }),
        json!({ "n": 1, "some": -1 }),
    ];
    for value in invalid {
        assert!(!schema.is_valid(&value), "{value}");
    }
    for unknown in [json!({ "pattern": "x" }), json!({ "format": "date" }), json!({ "$ref": "#/$defs/none" })]
    {
        assert!(!Schema::new(unknown).is_valid(&json!("x")));
    }
}
