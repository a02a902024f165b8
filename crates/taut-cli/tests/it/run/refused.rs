//! What is refused, with its place; and who cannot ask.

use serde_json::json;
use taut_testkit::suite::root;

use crate::command::{code, path, scratch, shown, stderr, taut};
use crate::serve_support::{Server, example, job, with};

#[test]
fn what_a_processor_cannot_run_is_shown_where_it_stands() {
    for (file, words) in [
        ("examples/spawn.taut", ["E0017", "spawned processes", "spawn.taut:24:1"]),
        ("examples/dekker_membarrier.taut", ["E0017", "buffers of all processes", ":35:5"]),
        ("examples/linux_ticket_lock.taut", ["E0017", "several locations", ":41:7"]),
        ("examples/dekker.pml", ["dekker.pml", "a processor cannot run this", "on a stack"]),
    ] {
        let output = taut(&["run", file, "--seconds", "50ms"]);
        assert_eq!(code(&output), 3, "{}", shown(&output));
        for word in words {
            assert!(stderr(&output).contains(word), "{file}: {word}: {}", shown(&output));
        }
    }
}

#[test]
fn options_that_do_not_go_together_and_compilers_that_are_not_there_are_refused() {
    let bad = scratch("bad.c", "int main(void) { return missing(; }\n");
    let unlinked = scratch("unlinked.c", "int other(void);\nint main(void) { return other(); }\n");
    let (bad, unlinked) = (path(&bad), path(&unlinked));
    for (arguments, words) in [
        (vec!["examples/sb.taut", "--granularity", "statement"], "one access at a time"),
        (vec!["examples/sb.taut", "--cflag", "-O2"], "--cflag is for C programs"),
        (vec!["examples/sb.taut", "--cc", "/no/such/compiler -m64"], "no C compiler"),
        (vec!["examples/sb.taut", "--seconds", "0"], "no rounds fit"),
        (vec!["examples/sb.taut", "--seconds", "2h", "--seconds", "30h"], "cannot be used"),
        (vec!["examples/sb.taut", "--seconds", "30h"], "more than a day"),
        (vec!["-", "--language", "c"], "must be a file"),
        (vec!["no/such/file.c"], "no/such/file.c"),
        (vec![bad], "the compiler refuses the program"),
        (vec![unlinked], "other"),
    ] {
        let output = taut(&[&["run"], arguments.as_slice()].concat());
        assert_eq!(code(&output), 3, "{arguments:?}: {}", shown(&output));
        assert!(stderr(&output).contains(words), "{arguments:?}: {words}: {}", shown(&output));
    }
}

/// The page has no way to a run: neither its crate nor the jobs of the command line know the crate that runs programs.
#[test]
fn the_page_cannot_run_a_program() {
    for package in ["taut", "taut-job", "taut-page", "taut-serve", "taut-wasm"] {
        let manifest = root().join("crates").join(package).join("Cargo.toml");
        assert!(!std::fs::read_to_string(manifest).expect("a manifest").contains("taut-run"));
    }
    let folder = root().join("crates/taut-cli/src/serve");
    let mut looked = 0;
    let entries = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
    for file in entries.filter(|path| path.is_file()) {
        let text = std::fs::read_to_string(file).expect("a text");
        assert!(!text.contains("taut_run") && !text.contains("super::run"), "{text}");
        looked += 1;
    }
    assert!(looked >= 3, "{looked}");
    let server = Server::start(&[]);
    let asked = job("sb.taut", "taut", &example("sb.taut"));
    assert_eq!(server.served.post(&asked).status, 200);
    let reply = server.served.post(&with(asked, "task", json!("run")));
    assert_eq!(reply.status, 400, "{reply:?}");
}
