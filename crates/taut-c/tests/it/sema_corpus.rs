//! Programs of other people go through the preprocessor, the parser and the analysis: what is refused says why.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use taut_c::hir::Unit;
use taut_c::parse::parse;
use taut_c::preprocess::{Options, preprocess};
use taut_c::sema;
use taut_ir::frontend::FileAccess;
use taut_source::{Diagnostics, SourceMap};

/// The typed program of a file with preprocessor lines.
pub fn analyse_file(
    map: &mut SourceMap,
    name: &str,
    text: &str,
    options: &Options,
) -> Result<Unit, Diagnostics> {
    let file = map.add(name, text.to_string());
    let program = preprocess(map, file, options, FileAccess::Allowed)?;
    let unit = parse(&program)?;
    let place = |span: lang_c::span::Span| {
        program.places.span(sema::tidy(&program.text, span.start..span.end))
    };
    sema::analyse(&unit, &place)
}

/// Number of programs, of those that are analysed and of those of them without a refusal; the reasons of all others with their programs.
#[derive(Debug, Default)]
struct Count {
    read: usize,
    analysed: usize,
    accepted: usize,
    refused: BTreeMap<String, Vec<String>>,
}

/// The programs below a folder. The body that the variants of a GenMC test share is no program.
fn programs(folder: &Path, all: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    let common = paths.iter().any(|p| p.ends_with("variants"));
    for path in paths {
        let program = path.extension().is_some_and(|e| e == "c" || e == "i");
        match path.is_dir() {
            true => programs(&path, all),
            false if program && !common => all.push(path),
            false => {}
        }
    }
    all.sort();
}

/// Analyses all programs of a folder.
fn count(corpus: &Path, folder: &str) -> Count {
    let mut paths = Vec::new();
    programs(&corpus.join("c").join(folder), &mut paths);
    let directories = vec![corpus.join("c/dat3m/include").display().to_string()];
    let options = Options { directories, ..Options::default() };
    let mut count = Count::default();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let name = path.to_string_lossy().into_owned();
        count.read += 1;
        let mut map = SourceMap::new();
        let reasons: Vec<_> = match analyse_file(&mut map, &name, &text, &options) {
            Ok(unit) => {
                count.analysed += 1;
                let functions = unit.functions.iter().filter_map(|f| f.refused.as_ref());
                let globals = unit.globals.iter().filter_map(|g| g.refused.as_ref());
                functions.chain(globals).map(|d| (**d).clone()).collect()
            }
            Err(said) => said.iter().take(1).cloned().collect(),
        };
        count.accepted += usize::from(reasons.is_empty());
        for reason in reasons {
            assert!(reason.help.is_some() || reason.code == "C0030", "{name}: {reason:?}");
            let message = format!("{} {}", reason.code, reason.message);
            count.refused.entry(message).or_default().push(name.clone());
        }
    }
    count
}

/// All programs of a folder: how many there are, how many are analysed, and how many of them are accepted.
fn check(folder: &str, expected: (usize, usize, usize)) {
    let Some(corpus) = taut_testkit::corpus::find("C corpus") else { return };
    let count = count(&corpus, folder);
    assert_eq!((count.read, count.analysed, count.accepted), expected, "{:#?}", count.refused);
}

#[test]
fn litmus_programs_are_analysed() {
    check("cbmc-wmm", (234, 234, 234));
}

/// Three programs have arrays of variable length.
#[test]
fn preprocessed_programs_are_analysed() {
    check("svcomp", (59, 59, 56));
}

/// One program wants a macro on the command line.
#[test]
fn genmc_programs_are_analysed() {
    check("genmc", (212, 211, 211));
}

/// The rest includes files that are not in the corpus.
#[test]
fn nidhugg_programs_are_analysed() {
    check("nidhugg", (113, 89, 89));
}

#[test]
fn dat3m_programs_are_analysed() {
    check("dat3m", (5, 4, 4));
}

#[test]
fn alignment_is_ignored() {
    let text = "#include <stdalign.h>\nstruct q { _Alignas(64) int head; alignas(long) char c; } __attribute__((aligned(64))) q;
        alignas(64) static int x; int main(void) { _Alignas(16) int y = 1; return q.head + x + y; }";
    let mut map = SourceMap::new();
    let unit =
        analyse_file(&mut map, "align.c", text, &Options::default()).expect("a right program");
    assert!(unit.functions.iter().all(|f| f.refused.is_none()));
}
