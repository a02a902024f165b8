//! Programs decoded from random bytes: the engine and brute force agree.

use std::fs;
use std::path::Path;

use taut_attack::structured::against_brute_force;

/// Byte strings that are tried; as many times more as `TAUT_SOAK` says.
const TRIED: usize = 1_500;
/// Programs of them that are small enough, at least: 1,488 were when this was written.
const COMPARED: usize = 1_300;

#[test]
fn the_engine_and_brute_force_agree_on_decoded_programs() {
    let soak = std::env::var("TAUT_SOAK").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let mut random = fastrand::Rng::with_seed(2026);
    let mut draw = || {
        let length = random.usize(0..60);
        against_brute_force(
            &std::iter::repeat_with(|| random.u8(..)).take(length).collect::<Vec<_>>(),
        )
    };
    let compared = (0..TRIED * soak).filter(|_| draw()).count();
    assert!(compared >= COMPARED * soak, "{compared} compared");
}

#[test]
fn the_comparison_is_a_fuzz_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target =
        fs::read_to_string(root.join("fuzz/fuzz_targets/structured.rs")).expect("a target");
    assert!(target.contains("taut_attack::structured::against_brute_force"));
    let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).expect("a manifest");
    assert!(manifest.contains("name = \"structured\""));
}
