//! Any model that is read becomes a valid program or is refused with a message.

#![no_main]

use libfuzzer_sys::fuzz_target;
use taut_diag::SourceMap;
use taut_ir::validate::validate;
use taut_promela::{Headers, LowerOptions, Options, lower, parse};

fuzz_target!(|text: &str| {
    let mut map = SourceMap::new();
    let file = map.add("fuzz.pml", text);
    if let Ok(parsed) = parse(&mut map, file, &Options::default(), &mut Headers::default())
        && let Ok(lowered) = lower(&parsed, &LowerOptions::default())
    {
        validate(&lowered.program).expect("a program made from a model is valid");
    }
});
