//! Snapshots of JSON and JUnit: what a reader of them gets, word by word, but for times.

use serde_json::Value;

use super::{Folder, STORE_BUFFERING};
use crate::command::{code, objects, shown};

/// Makes times equal, and what hangs on the machine.
fn without_times(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(without_times),
        Value::Object(fields) => {
            for (name, value) in fields {
                let is_time =
                    ["seconds", "successors", "store", "properties"].contains(&name.as_str());
                if is_time && value.is_number() {
                    *value = 0.into();
                } else {
                    without_times(value);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn a_check_as_json() {
    let folder = Folder::new("json-text");
    folder.write("sb.taut", STORE_BUFFERING);
    let output =
        folder.taut(&["check", "sb.taut", "--model", "tso", "--format", "json", "-j", "1"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let mut value = objects(&output).remove(0);
    without_times(&mut value);
    let text = serde_json::to_string_pretty(&value).expect("JSON");
    insta::assert_snapshot!("json_sb", text);
}

#[test]
fn a_suite_as_junit() {
    let folder = Folder::new("junit-text");
    folder.write("models/differs.taut", &format!("// expect: all holds\n{STORE_BUFFERING}"));
    folder.write("models/plain.taut", STORE_BUFFERING);
    folder.write("models/refused.taut", "// expect: tsoo holds\n");
    let output = folder.taut(&["check", "models", "--junit", "it.xml"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    insta::with_settings!({filters => vec![(r#"time="[0-9.]+""#, r#"time="TIME""#)]}, {
        insta::assert_snapshot!("junit", folder.read("it.xml"))
    });
}
