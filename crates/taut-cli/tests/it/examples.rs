//! `taut examples`: the list, one example, all of them.

use crate::command;

use command::{code, path, shown, stderr, stdout, taut};

/// A folder that does not exist yet.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("taut-examples-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// The names in the list.
fn names() -> Vec<String> {
    let list = stdout(&taut(&["examples"]));
    let lines = list.lines().take_while(|line| !line.is_empty());
    lines.filter_map(|line| line.split_whitespace().next().map(String::from)).collect()
}

#[test]
fn every_example_of_the_list_is_printed_and_can_be_checked() {
    let names = names();
    assert!(names.len() >= 20, "{names:?}");
    let folder = folder("checked");
    let written = taut(&["examples", "--out", path(&folder)]);
    assert_eq!(code(&written), 0, "{}", shown(&written));
    for name in &names {
        let printed = stdout(&taut(&["examples", name]));
        let file = folder.join(name);
        assert_eq!(std::fs::read_to_string(&file).expect("written"), printed, "{name}");
        // Read without a message; the verdicts are tested where the examples are.
        let read = taut(&["check", path(&file), "--max-states", "1", "--races", "off"]);
        assert!(code(&read) <= 2, "{name}: {}", shown(&read));
    }
    // Once more changes nothing; a file with another text is left alone, and so are all others.
    assert_eq!(code(&taut(&["examples", "--out", path(&folder)])), 0);
    std::fs::write(folder.join("sb.taut"), "mine").expect("a file");
    std::fs::remove_file(folder.join("mp.taut")).expect("removed");
    let refused = taut(&["examples", "--out", path(&folder)]);
    assert_eq!(code(&refused), 3, "{}", shown(&refused));
    assert_eq!(std::fs::read_to_string(folder.join("sb.taut")).expect("kept"), "mine");
    assert!(!folder.join("mp.taut").exists(), "nothing is written");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_name_that_is_not_known_is_answered_with_those_that_are() {
    let near = taut(&["examples", "peterson"]);
    assert_eq!(code(&near), 3);
    assert!(stderr(&near).contains("peterson.taut"), "{}", shown(&near));
    let far = taut(&["examples", "quicksort.taut"]);
    assert_eq!(code(&far), 3);
    assert!(stderr(&far).contains("`taut examples` lists them"), "{}", shown(&far));
}
