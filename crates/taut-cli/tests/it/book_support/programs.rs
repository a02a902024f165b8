//! Programs in the text: a block marked `taut` is a whole program, and Taut reads it.

use taut::load::{LoadOptions, from_bytes};

use super::pages;

/// The blocks of a page that are marked `taut`.
fn programs(text: &str) -> impl Iterator<Item = &str> {
    let blocks = text.split("\n```taut\n").skip(1);
    blocks.map(|rest| rest.split("\n```").next().unwrap_or(rest))
}

#[test]
fn every_program_in_the_text_is_read() {
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for program in programs(&text) {
            count += 1;
            let name = format!("{count}.taut");
            let read = from_bytes(&name, program.as_bytes().to_vec(), LoadOptions::default());
            if let Err(error) = read {
                panic!("{}, program {count}:\n{error}\n{program}", page.display());
            }
        }
    }
    assert!(count >= 15, "the book has programs: {count}");
}
