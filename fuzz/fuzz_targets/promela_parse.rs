//! Any text is read or refused with a message; what is read is printed as text that reads as the same tree.

#![no_main]

use libfuzzer_sys::fuzz_target;
use taut_diag::{SourceMap, render_all};
use taut_promela::{Headers, Options, Parsed, parse, print};

fn read(text: &str) -> Option<Parsed> {
    let mut map = SourceMap::new();
    let file = map.add("fuzz.pml", text);
    match parse(&mut map, file, &Options::default(), &mut Headers::default()) {
        Ok(parsed) => Some(parsed),
        Err(diagnostics) => {
            // Messages point into the text, also into a text like this.
            assert!(!render_all(&map, &diagnostics, false).is_empty());
            None
        }
    }
}

fuzz_target!(|text: &str| {
    if let Some(parsed) = read(text) {
        let printed = print(&parsed.model);
        let again = read(&printed).expect("what is printed can be read");
        assert!(again.model == parsed.model, "another tree from\n{printed}");
    }
});
