//! The preprocessor against that of gcc, token by token, with Taut's headers on both sides.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use taut_c::preprocess::{Options, expanded};
use taut_ir::frontend::FileAccess;
use taut_source::SourceMap;
use taut_testkit::corpus::{find, skipped};

use crate::corpus_text::files;

/// The tokens after preprocessing; none if there are mistakes. An error if there are too many of them to be compared.
fn ours(name: &str, text: &str, directories: &[PathBuf]) -> Result<Option<Vec<String>>, ()> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let directories = directories.iter().map(|path| path.display().to_string()).collect();
    let options = Options { directories, ..Options::default() };
    match expanded(&mut sources, file, &options, FileAccess::Allowed) {
        Ok(done) if done.len() > 1 << 16 => Err(()),
        Ok(done) => Ok(Some(words(&done))),
        Err(found) if found.iter().any(|d| ["C0004", "C0017"].contains(&d.code)) => Err(()),
        Err(_) => Ok(None),
    }
}

/// The tokens of a text without macros.
fn words(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("text", text);
    // What is not to be replaced stands in the text because it was not replaced before.
    let undefines = ["linux", "unix"].map(String::from).to_vec();
    let options = Options { undefines, ..Options::default() };
    let done = expanded(&mut sources, file, &options, FileAccess::Denied).expect("a text");
    without_blanks_in_strings(&done).split_whitespace().map(String::from).collect()
}

/// A text whose strings have no blanks: `#` puts some where gcc has none, after arguments that are empty.
fn without_blanks_in_strings(text: &str) -> String {
    let (mut out, mut quoted, mut escaped) = (String::new(), false, false);
    for c in text.chars() {
        if c == '"' && !escaped {
            quoted = !quoted;
        }
        escaped = c == '\\' && !escaped;
        if !(quoted && c == ' ') {
            out.push(c);
        }
    }
    out
}

/// The tokens after gcc's preprocessor; none if gcc refuses the text.
fn theirs(folder: &Path, text: &str, directories: &[PathBuf]) -> Option<Vec<String>> {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("headers");
    let mut command = Command::new("gcc");
    command.args(["-E", "-P", "-nostdinc", "-D__TAUT__", "-x", "c", "-w", "-iquote"]).arg(folder);
    for directory in directories.iter().chain([&headers]) {
        command.arg("-I").arg(directory);
    }
    command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    output.status.success().then(|| words(&String::from_utf8_lossy(&output.stdout)))
}

fn has_gcc(wanted_by: &str) -> bool {
    let found = Command::new("gcc").arg("--version").output().is_ok_and(|o| o.status.success());
    if !found {
        skipped(wanted_by, "no gcc on this machine");
    }
    found
}

fn assert_same(name: &str, text: &str, ours: &[String], theirs: &[String]) {
    let first =
        ours.iter().zip(theirs).position(|(a, b)| a != b).unwrap_or(ours.len().min(theirs.len()));
    if ours == theirs {
        return;
    }
    let around =
        |all: &[String]| all[first.saturating_sub(8)..(first + 8).min(all.len())].join(" ");
    panic!("{name}\n{text}\nours:   {}\ntheirs: {}", around(ours), around(theirs));
}

#[test]
fn programs_of_other_tools_are_preprocessed_as_by_gcc() {
    let test = "programs_of_other_tools_are_preprocessed_as_by_gcc";
    let Some(corpus) = find(test).filter(|_| has_gcc(test)) else { return };
    let mut all = Vec::new();
    files(&corpus.join("c"), &mut all);
    let (mut compared, mut refused) = (0, 0);
    let directories = [corpus.join("c/dat3m/include")];
    for path in all.iter().step_by(3) {
        let text = std::fs::read_to_string(path).expect("a program");
        // What tells files apart differs: the text of gcc comes from standard input.
        if text.contains("__FILE__") {
            continue;
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let theirs = theirs(folder, &text, &directories);
        let ours = ours(&path.display().to_string(), &text, &directories).expect("a small program");
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => {
                assert_same(&path.display().to_string(), "", &ours, &theirs);
                compared += 1;
            }
            (ours, theirs) => {
                assert_eq!(ours.is_some(), theirs.is_some(), "{}", path.display());
                refused += 1;
            }
        }
    }
    assert!(compared >= 200, "{compared} compared, {refused} refused by both");
}

/// A generator of macro programs.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    /// Some tokens with balanced parentheses. A macro with parameters stands before its arguments only: the
    /// standard leaves open what is replaced if they follow from elsewhere.
    fn tokens(&mut self, names: &[&str], depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..self.below(4) + 1 {
            let word = match self.below(10) {
                4 => self.pick(&["1", "0x2u", "3.5e+2", "'c'", "\"s\\\"t\""]).to_owned(),
                5 => self.pick(&["+", "-", "->", "*", ";", "<<="]).to_owned(),
                6 | 7 if depth < 3 => {
                    let name = self.pick(&["F", "G", "H", "x"]).to_owned();
                    format!("{name}({})", self.tokens(names, depth + 1))
                }
                8 if depth > 0 => ",".to_owned(),
                9 if depth < 3 => format!("({})", self.tokens(names, depth + 1)),
                _ => self.pick(names).to_owned(),
            };
            text += &word;
            text += self.pick(&[" ", " ", "", "  ", "/**/", " \\\n"]);
            // Two tokens without a blank may be one, in what gcc prints even after a macro.
            if !text.ends_with([' ', '/', '\n']) {
                text.push(' ');
            }
        }
        text
    }

    /// The body of a macro with parameters.
    fn body(&mut self, names: &[&str], parameters: &[&str]) -> String {
        let all: Vec<&str> = names.iter().chain(parameters).chain(parameters).copied().collect();
        let mut text = self.tokens(&all, 0);
        if !parameters.is_empty() && self.below(3) == 0 {
            text += &format!(" #{} ", self.pick(parameters));
        }
        text.trim_end_matches(['\\', '\n', ' ']).to_owned()
    }

    /// Macros that take any number of arguments, so that most calls are right; one in twelve programs pastes and counts.
    fn program(&mut self) -> String {
        let names = ["A", "B", "C", "x", "y"];
        let mut text = String::new();
        for name in ["A", "B", "C"] {
            text += &format!("#define {name} {}\n", self.body(&names, &[]));
        }
        for (name, list) in [("F", "p, ..."), ("G", "..."), ("H", "p, rest...")] {
            let rest = if name == "H" { "rest" } else { "__VA_ARGS__" };
            let parameters = if name == "G" { &[rest][..] } else { &["p", rest] };
            let end = self.pick(&["", "", " x ## y", " A ## 1", " B ## _ ## 2 ## C"]).to_owned();
            let comma = if name == "G" { String::new() } else { format!(", ## {rest}") };
            let comma = if self.below(2) == 0 { comma } else { String::new() };
            text +=
                &format!("#define {name}({list}) {}{end}{comma}\n", self.body(&names, parameters));
        }
        // Pastes its arguments, which are names and numbers here.
        text += "#define P(a, b) a ## b x ## a\n";
        for _ in 0..6 {
            text += &self.tokens(&names, 0);
            let (a, b) =
                (self.pick(&["A", "C", "x", ""]).to_owned(), self.pick(&["B", "1", "x", ""]));
            text += &format!("\nP({a}, {b})\n");
            text += &format!(
                "G({}) F({})\n",
                self.pick(&names),
                self.pick(&["x", "x, y", "A, B, C", ""])
            );
        }
        if self.below(12) == 0 {
            text += self.pick(&["P(x)", "P(+, -)", "P(a, b, c)", "F(x", "P((), x)"]);
        }
        text
    }
}

#[test]
fn random_macros_are_replaced_as_by_gcc() {
    let test = "random_macros_are_replaced_as_by_gcc";
    if !has_gcc(test) {
        return;
    }
    let (mut compared, mut refused, mut large, mut longest) = (0, 0, 0, 0);
    for seed in 0..220 {
        let text = Random(seed * 7919 + 17).program();
        let Ok(ours) = ours("program.c", &text, &[]) else {
            large += 1;
            continue;
        };
        match (ours, theirs(Path::new("."), &text, &[])) {
            (Some(ours), Some(theirs)) => {
                assert_same(&format!("seed {seed}"), &text, &ours, &theirs);
                longest = longest.max(ours.len());
                compared += 1;
            }
            (None, None) => refused += 1,
            (ours, theirs) => {
                panic!("seed {seed}: ours {}, gcc's {}\n{text}", ours.is_some(), theirs.is_some())
            }
        }
    }
    assert!(longest >= 1_000, "the longest text has {longest} tokens");
    assert!(
        compared >= 150 && refused >= 10,
        "{compared} compared, {refused} refused by both, {large} too large"
    );
}
