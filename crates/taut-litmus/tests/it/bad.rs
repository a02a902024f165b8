//! Broken files: what the user is told, word for word.

use crate::support;

use std::path::Path;

#[test]
fn every_broken_file_is_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let files = support::files(&folder);
    assert!(files.len() >= 60);
    let of_c = files.iter().filter(|file| file.starts_with("c-")).count();
    assert!(of_c >= 15, "{of_c} files of C tests");
    for file in files {
        let text = std::fs::read_to_string(folder.join(&file)).unwrap();
        let name = file.strip_suffix(".litmus").unwrap();
        insta::assert_snapshot!(name, support::errors_of(&file, &text));
    }
}
