//! The one suite that every engine runs: `testdata/*.toml`.
//!
//! A case is a program (inline or a file), and for each memory model what is known about it: verdicts,
//! coverage, the number of states, the length of shortest runs. An engine may leave out a named group of
//! cases that it cannot do, and says so.
//!
//! ```toml
//! [[case]]
//! name = "store buffering"
//! group = "litmus"            # optional; what an engine names to leave cases out
//! file = "examples/sb.taut"   # from the root of the repository, or instead of it:
//! program = "…"               # a program in the Taut language
//! bound = 4                   # optional, 8 by default
//!
//! [case.tso]                  # and likewise sc, pso
//! verdicts = { "both miss" = "violated", deadlock = "holds" }
//! coverage = "all executions" # of everything that holds; optional
//! states = 42                 # of the full search; optional
//! shortest = { "both miss" = 4 }   # lengths of shortest runs; optional
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use taut_ir::MemoryModel;

/// A program and what is known about it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name; unique in the suite.
    pub name: String,
    /// The group an engine may leave out.
    #[serde(default)]
    pub group: String,
    /// A program file, from the root of the repository.
    pub file: Option<PathBuf>,
    /// A program in the Taut language.
    pub program: Option<String>,
    /// Entries per buffer.
    pub bound: Option<u32>,
    /// What is known under sequential consistency.
    pub sc: Option<Known>,
    /// What is known under TSO.
    pub tso: Option<Known>,
    /// What is known under PSO.
    pub pso: Option<Known>,
    /// What is known under delayed writes.
    pub delayed: Option<Known>,
}

/// What is known of a program under one memory model.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Verdicts by property.
    #[serde(default)]
    pub verdicts: BTreeMap<String, String>,
    /// The coverage of everything that holds.
    pub coverage: Option<String>,
    /// The number of states of the full search.
    pub states: Option<u64>,
    /// Lengths of shortest runs by property.
    #[serde(default)]
    pub shortest: BTreeMap<String, usize>,
}

impl Known {
    /// What holds is known up to a size of buffers only.
    pub fn is_bounded(&self) -> bool {
        self.coverage.as_ref().is_some_and(|coverage| coverage.contains("bound"))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

impl Case {
    /// What is known under a memory model.
    pub fn known(&self, model: MemoryModel) -> Option<&Known> {
        match model.name() {
            "sc" => self.sc.as_ref(),
            "tso" => self.tso.as_ref(),
            "pso" => self.pso.as_ref(),
            "delayed" => self.delayed.as_ref(),
            _ => None,
        }
    }

    /// The name and the text of the program.
    pub fn source(&self) -> (String, Vec<u8>) {
        match (&self.file, &self.program) {
            (Some(file), None) => {
                let path = root().join(file);
                let text = std::fs::read(&path);
                let text =
                    text.unwrap_or_else(|e| panic!("{}: {}: {e}", self.name, path.display()));
                (file.display().to_string(), text)
            }
            (None, Some(text)) => (format!("{}.taut", self.name), text.clone().into_bytes()),
            _ => panic!("{}: a case has either a file or a program", self.name),
        }
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All cases of the suite. A file that cannot be read fails the test that asks.
pub fn cases() -> Vec<Case> {
    let folder = root().join("testdata");
    let entries = std::fs::read_dir(&folder).expect("testdata");
    let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    let all: Vec<Case> = paths.iter().flat_map(|p| read(p)).collect();
    let mut names: Vec<_> = all.iter().map(|c| c.name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).for_each(|pair| assert_ne!(pair[0], pair[1], "two cases have one name"));
    all
}

fn read(path: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(path).expect("a readable suite file");
    let file: File = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    file.case
}
