//! Programs of other tools go through the preprocessor and the parser.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use taut_c::parse::parse;
use taut_c::preprocess::{Options, preprocess};
use taut_ir::frontend::FileAccess;
use taut_source::SourceMap;
use taut_testkit::corpus::find;

/// All files below a folder with some extensions, in order.
pub(crate) fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            found.push(path);
        }
    }
}

#[test]
fn programs_of_other_tools_are_parsed() {
    let Some(corpus) = find("programs_of_other_tools_are_parsed") else { return };
    let mut all = Vec::new();
    files(&corpus.join("c"), &mut all);
    let (mut parsed, mut refused) = (0, BTreeMap::<String, Vec<String>>::new());
    // A program with variants is a body that each of them includes.
    all.retain(|path| !path.parent().is_some_and(|folder| folder.join("variants").is_dir()));
    for path in &all {
        let mut sources = SourceMap::new();
        let name = path.display().to_string();
        let Ok(file) = sources.add_bytes(name.clone(), std::fs::read(path).expect("a file")) else {
            continue;
        };
        let directories = vec![corpus.join("c/dat3m/include").display().to_string()];
        let options = Options { directories, ..Options::default() };
        let result =
            preprocess(&mut sources, file, &options, FileAccess::Allowed).and_then(|p| parse(&p));
        match result {
            Ok(_) => parsed += 1,
            Err(found) => {
                let first = found.iter().next().expect("a message");
                let place = sources.position(first.span).map_or(0, |p| p.line);
                let at = format!("{}:{place}", sources.file(first.span.file).name());
                refused
                    .entry(format!("{} {}", first.code, first.message))
                    .or_default()
                    .push(format!("{name} ({at})"));
            }
        }
    }
    for (message, names) in &refused {
        eprintln!(
            "{} × {message}\n    {}",
            names.len(),
            names.iter().take(3).cloned().collect::<Vec<_>>().join("\n    ")
        );
    }
    eprintln!("{parsed} of {} parsed", all.len());
    // Some include files that are not in the corpus.
    let missing = |message: &&String| message.starts_with("C0011");
    assert_eq!(refused.keys().filter(|message| !missing(message)).count(), 0, "{refused:?}");
    assert!(parsed >= 598, "{parsed} of {}", all.len());
}
