//! What of a schema is met in values: each field of each object, and each word of each enumeration.
//!
//! A schema that only accepts too much would never be refused. So what a schema declares is listed, what real outputs
//! have of it is struck out, and nothing must be left.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// A schema, and what of it was met.
pub struct Walk {
    root: Value,
    /// The places of fields and words, as pointers into the schema.
    met: BTreeSet<String>,
}

impl Walk {
    pub fn new(schema: &str) -> Walk {
        Walk { root: serde_json::from_str(schema).expect("JSON"), met: BTreeSet::new() }
    }

    /// Strikes out what a value has.
    pub fn meet(&mut self, value: &Value) {
        let root = self.root.clone();
        self.visit("", &root, value);
    }

    /// What was declared and not met.
    pub fn left(&self) -> Vec<String> {
        let mut all = Vec::new();
        declared("", &self.root, &mut all);
        all.retain(|place| !self.met.contains(place));
        all
    }

    /// The fields without a description, neither their own nor that of what they refer to.
    pub fn undescribed(&self) -> Vec<String> {
        let mut all = Vec::new();
        declared("", &self.root, &mut all);
        let is_described = |place: &String| {
            let Some(schema) = self.root.pointer(place) else { return true };
            let target = schema.get("$ref").and_then(Value::as_str).and_then(|r| self.resolve(r));
            let target = target.map(|(_, target)| target);
            std::iter::once(schema).chain(target).any(|s| s.get("description").is_some())
        };
        all.retain(|place| place.contains("/properties/") && !is_described(place));
        all
    }

    fn visit(&mut self, at: &str, schema: &Value, value: &Value) {
        let Some(object) = schema.as_object() else { return };
        if let Some(target) = object.get("$ref").and_then(Value::as_str) {
            // A reference out of this schema leads to one that is walked by itself.
            if let Some((place, target)) = self.resolve(target) {
                let target = target.clone();
                self.visit(&place, &target, value);
            }
        }
        for word in words(object).filter(|word| *word == value) {
            self.met.insert(format!("{at}/enum/{word}"));
        }
        for (i, branch) in branches(object).enumerate() {
            self.visit(&format!("{at}/oneOf/{i}"), branch, value);
        }
        match value {
            Value::Object(fields) => self.visit_fields(at, object, fields),
            Value::Array(items) => {
                if let Some(schema) = object.get("items") {
                    items.iter().for_each(|v| self.visit(&format!("{at}/items"), schema, v));
                }
            }
            _ => {}
        }
    }

    fn visit_fields(&mut self, at: &str, schema: &Map<String, Value>, fields: &Map<String, Value>) {
        for (name, value) in fields {
            let known = schema.get("properties").and_then(|p| p.get(name));
            let other = schema.get("additionalProperties");
            if let Some(known) = known {
                let place = format!("{at}/properties/{name}");
                self.visit(&place, known, value);
                self.met.insert(place);
            } else if let Some(other) = other {
                self.visit(&format!("{at}/additionalProperties"), other, value);
            }
        }
    }

    /// A part of this schema by its reference, and where it is.
    fn resolve(&self, reference: &str) -> Option<(String, &Value)> {
        let place = reference.strip_prefix('#')?;
        Some((place.into(), self.root.pointer(place)?))
    }
}

/// Everything that a schema declares.
fn declared(at: &str, schema: &Value, all: &mut Vec<String>) {
    let Some(object) = schema.as_object() else { return };
    all.extend(words(object).map(|word| format!("{at}/enum/{word}")));
    // Where other fields are allowed, those that are named only say when something else is required.
    if object.get("additionalProperties") == Some(&Value::Bool(false)) {
        for (name, schema) in parts(object, "properties") {
            let place = format!("{at}/properties/{name}");
            declared(&place, schema, all);
            all.push(place);
        }
    }
    for word in ["items", "additionalProperties"] {
        if let Some(schema) = object.get(word) {
            declared(&format!("{at}/{word}"), schema, all);
        }
    }
    for (i, branch) in branches(object).enumerate() {
        declared(&format!("{at}/oneOf/{i}"), branch, all);
    }
    for (name, schema) in parts(object, "$defs").filter(|(_, s)| s.get("$id").is_none()) {
        declared(&format!("{at}/$defs/{name}"), schema, all);
    }
}

fn parts<'s>(
    schema: &'s Map<String, Value>,
    word: &str,
) -> impl Iterator<Item = (&'s String, &'s Value)> + use<'s> {
    schema.get(word).and_then(Value::as_object).into_iter().flatten()
}

fn words(schema: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    schema.get("enum").and_then(Value::as_array).into_iter().flatten()
}

fn branches(schema: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    schema.get("oneOf").and_then(Value::as_array).into_iter().flatten()
}

#[test]
fn what_was_not_met_is_left() {
    let schema = r##"{
        "properties": {
            "a": { "enum": ["x", "y"], "description": "A." },
            "b": { "$ref": "#/$defs/b" }
        },
        "additionalProperties": false,
        "$defs": { "b": { "properties": { "c": {} }, "additionalProperties": false } }
    }"##;
    let mut walk = Walk::new(schema);
    walk.meet(&serde_json::json!({ "a": "x" }));
    let c = "/$defs/b/properties/c";
    assert_eq!(walk.left(), ["/properties/a/enum/\"y\"", "/properties/b", c]);
    assert_eq!(walk.undescribed(), ["/properties/b", c]);
    walk.meet(&serde_json::json!({ "a": "y", "b": { "c": 1 } }));
    assert_eq!(walk.left(), [""; 0]);
}
