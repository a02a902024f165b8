#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| taut_attack::readers::certificate(bytes));
