//! What the tests of this crate share.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use taut_promela::{Claim, ClaimText, Files, Headers, LowerOptions, Lowered, Options, Parsed};
use taut_source::{SourceMap, render_all};

/// The built-in headers as the native mode has them: the operations are then Taut's own.
pub fn native() -> Headers {
    let headers = Headers::on_disk().with("taut.h", "");
    headers.with("sc.h", "").with("tso.h", "").with("pso.h", "")
}

/// mmlib's operations as plain Promela under SC, for SPIN.
pub fn as_promela() -> Headers {
    let text = "int mem_[VARSIZE];\n\
        #define READ(s) mem_[s]\n#define WRITE(s, v) mem_[s] = (v)\n#define FENCE() skip\n\
        #define INIT(s, v) mem_[s] = (v)\n#define SVAR(p, s) mem_[s]\n#define GSVAR(s) mem_[s]\n";
    Headers::on_disk().with("sc.h", text)
}

/// Reads a text, with what is wrong as a person sees it.
pub fn read_with(name: &str, text: &str, files: &mut dyn Files) -> Result<Parsed, String> {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    let result = taut_promela::parse(&mut map, file, &Options::default(), files);
    result.map_err(|d| render_all(&map, &d, false))
}

/// Reads a text that includes nothing.
pub fn read(text: &str) -> Result<Parsed, String> {
    read_with("m.pml", text, &mut native())
}

/// Reads a model with claims from outside and lowers it, with what is wrong as a person sees it. Each claim is a
/// list of texts and what they are.
pub fn lower_with(
    name: &str,
    text: &str,
    claims: &[(&[&str], ClaimText)],
    files: &mut dyn Files,
) -> Result<Lowered, String> {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    let claims: Vec<Claim> = claims
        .iter()
        .map(|(texts, text)| Claim {
            files: texts.iter().map(|t| map.add("claim", *t)).collect(),
            text: text.clone(),
        })
        .collect();
    let options = Options::default();
    let parsed = taut_promela::parse_with_claims(&mut map, file, &options, &claims, files);
    let lowered = parsed.and_then(|parsed| {
        // More processes than are needed change nothing.
        let run = parsed.symbols.proctypes.iter().map(|p| (p.name.clone(), 2));
        let options = LowerOptions { slots: run.collect(), ..LowerOptions::default() };
        taut_promela::lower(&parsed, &options)
    });
    lowered.map_err(|d| render_all(&map, &d, false))
}

/// Lowers a model that is right.
pub fn lowered(text: &str) -> Lowered {
    lower_with("m.pml", text, &[], &mut native()).unwrap_or_else(|said| panic!("{said}"))
}

/// All models below a folder, sorted.
pub fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|e| e == "pml") => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

/// Fails where SPIN is not installed: without it these tests would compare nothing. `make setup` installs it.
pub fn need_spin() {
    assert!(Command::new("spin").arg("-V").output().is_ok(), "SPIN is not installed");
}

/// What SPIN says against a model; nothing if it accepts it.
pub fn spin_refuses(text: &str) -> Option<String> {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("taut-promela-{}-{run}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for SPIN");
    std::fs::write(folder.join("m.pml"), text).expect("a file for SPIN");
    let output =
        Command::new("spin").args(["-a", "m.pml"]).current_dir(&folder).output().expect("SPIN");
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    let refused = said.contains("Error") || said.contains("error:") || !output.status.success();
    refused.then(|| format!("{said}\n{text}"))
}
