//! The questions: every example with `check --all`, with `compare`, and with all its temporal properties.

use std::path::{Path, PathBuf};

use taut::load::{LoadOptions, Loaded, from_bytes};
use taut_testkit::suite::root;

/// What locks promise about runs, for two processes at a label.
const LOCKS: &str = "examples/locks.ltl";

/// A command about an example.
pub(super) struct Question {
    /// The name of the example.
    pub(super) example: String,
    /// What is asked, in words.
    pub(super) command: &'static str,
    /// The arguments of `taut`, without options on time and format.
    pub(super) arguments: Vec<String>,
}

/// All questions about the examples whose name begins like this.
pub(super) fn questions(only: Option<&str>) -> Result<Vec<Question>, String> {
    let mut all = Vec::new();
    for file in examples()? {
        let name = file.display().to_string();
        let example = name.trim_start_matches("examples/").to_owned();
        if only.is_some_and(|only| !example.starts_with(only)) {
            continue;
        }
        let asked = |command, arguments: &[&str]| Question {
            example: example.clone(),
            command,
            arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
        };
        all.push(asked("check --all", &["check", &name, "--all"]));
        all.push(asked("compare", &["compare", &name]));
        let loaded = load(&name)?;
        let own = temporal(&loaded);
        if !own.is_empty() {
            let named = own.iter().flat_map(|property| ["--property", property]);
            let arguments: Vec<&str> = ["check", &name, "--all"].into_iter().chain(named).collect();
            all.push(asked("own formulas", &arguments));
        }
        if is_lock(&loaded) {
            all.push(asked("locks.ltl", &["check", &name, "--all", "--ltl-file", LOCKS]));
        }
    }
    Ok(all)
}

/// The programs among the examples, by name.
fn examples() -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    for folder in ["examples", "examples/dve"] {
        let entries =
            std::fs::read_dir(root().join(folder)).map_err(|e| format!("{folder}: {e}"))?;
        let names = entries.filter_map(|entry| Some(PathBuf::from(entry.ok()?.file_name())));
        let is_program = |name: &PathBuf| {
            let extension = name.extension().and_then(|e| e.to_str());
            matches!(extension, Some("taut" | "pml" | "dve" | "mdve"))
        };
        all.extend(names.filter(is_program).map(|name| Path::new(folder).join(name)));
    }
    all.sort();
    Ok(all)
}

fn load(name: &str) -> Result<Loaded, String> {
    let path = root().join(name);
    let bytes = std::fs::read(&path).map_err(|e| format!("{name}: {e}"))?;
    from_bytes(&path.display().to_string(), bytes, LoadOptions::default())
        .map_err(|e| e.to_string())
}

/// The names of a program's own temporal properties.
fn temporal(loaded: &Loaded) -> Vec<String> {
    let properties = loaded.program.properties.iter().filter(|p| p.kind.is_temporal());
    properties.map(|p| p.name.clone()).collect()
}

/// Whether the formulas about locks can be asked: `p[0]` and `p[1]` have a label `cs`.
fn is_lock(loaded: &Loaded) -> bool {
    let program = &loaded.program;
    ["p[0]", "p[1]"].into_iter().all(|name| {
        let process = program.find_process(name);
        process.is_some_and(|p| !program.def_of(p).labelled("cs").is_empty())
    })
}
