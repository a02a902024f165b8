//! `include`: a program in several files is the program in one, and places are those of each file.

use std::path::PathBuf;

use taut_ir::Program;
use taut_ir::frontend::{FileAccess, Frontend, LoadContext, OptionValues};
use taut_lang::{TautLanguage, same};
use taut_source::{Diagnostics, SourceMap};

/// A folder of files that is removed with its test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("taut-include-{name}-{}", std::process::id()));
        for (name, text) in files {
            let file = path.join(name);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(file, text).expect("a file");
        }
        Folder(path)
    }

    fn load(&self, name: &str, access: FileAccess) -> (SourceMap, Result<Program, Diagnostics>) {
        let path = self.0.join(name);
        let text = std::fs::read_to_string(&path).expect("a file");
        let mut sources = SourceMap::new();
        let file = sources.add(path.to_string_lossy(), text);
        let options = OptionValues::default();
        let mut cx = LoadContext::new(&mut sources, file, &options);
        cx.access = access;
        let loaded = TautLanguage.load(&mut cx).map(|model| model.lowered.program);
        (sources, loaded)
    }

    fn places(&self, name: &str) -> Vec<String> {
        let (sources, loaded) = self.load(name, FileAccess::Allowed);
        let found = loaded.expect_err("a mistake");
        let place = |span| {
            let at = sources.position(span).expect("a place");
            let file = sources.file(span.file).name().rsplit('/').next().unwrap_or_default();
            format!("{file}:{}:{}", at.line, at.column)
        };
        let all = found.iter().flat_map(|d| {
            let related = d.related.iter().map(|(span, _)| place(*span));
            std::iter::once(format!("{} {}", d.code, place(d.span))).chain(related)
        });
        all.collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Records, a pool, a procedure with an assertion: all that a place is remembered for.
const LIBRARY: &str = "struct node { 0..3 value; ref node next; };
pool node[2];
shared node cell[2];
procedure push(0..3 v) begin
  ref node n = new node;
  assume(n != null);
  n.value := v;
  assert(n.value == v);
  cell[1].value := v;
end";

const MAIN: &str = "
shared bool done = 0;
process p[2](i) begin
  push(i);
  assert(done == 0);
  done := 1;
end
forbid both: cell[0].value == 1;
";

#[test]
fn a_program_in_several_files_is_the_program_in_one() {
    let one = format!("{LIBRARY}\n{MAIN}");
    let main = format!("include \"lib/all.taut\";{MAIN}");
    let folder = Folder::new(
        "same",
        &[
            ("one.taut", &one),
            ("main.taut", &main),
            ("lib/all.taut", "include \"./x/../list.taut\"; // and nothing else"),
            ("lib/list.taut", LIBRARY),
        ],
    );
    let (_, whole) = folder.load("one.taut", FileAccess::Allowed);
    let (sources, joined) = folder.load("main.taut", FileAccess::Allowed);
    let (mut whole, mut joined) = (whole.expect("a program"), joined.expect("a program"));
    let names: Vec<_> = joined.properties.iter().map(|p| p.name.clone()).collect();
    assert_eq!(names, ["assert:list.taut:8", "assert:5", "both"]);
    // Every step is in a file that has its line.
    let mut files = std::collections::BTreeSet::new();
    for step in joined.defs.iter().flat_map(|def| &def.steps).filter(|s| !s.span.is_none()) {
        let text = sources.text(step.span);
        assert!(!text.is_empty() && !text.contains("include"), "{text}");
        files.insert(sources.file(step.span.file).name().rsplit('/').next().map(str::to_owned));
    }
    assert_eq!(files.len(), 2, "{files:?}");
    for program in [&mut whole, &mut joined] {
        program.name.clear();
        program.properties.iter_mut().for_each(|p| p.name.clear());
    }
    assert!(same(&whole, &joined));
}

#[test]
fn mistakes_are_in_the_file_they_stand_in() {
    let folder = Folder::new(
        "mistakes",
        &[
            ("names.taut", "include \"lib.taut\";\nprocess p begin\n  f();\n  y := 1;\nend\n"),
            ("lib.taut", "shared bool x = 0;\nprocedure f() begin\n  z := 1;\nend\n"),
            ("grammar.taut", "include \"bad.taut\";\nprocess p begin skip; end\n"),
            ("bad.taut", "shared bool x = 0;\nshared bool = 0;\n"),
            ("twice.taut", "include \"lib2.taut\";\nshared bool x;\nprocess p begin skip; end\n"),
            ("lib2.taut", "\nshared bool x;\n"),
        ],
    );
    assert_eq!(folder.places("names.taut"), ["T0101 names.taut:4:3", "T0101 lib.taut:3:3"]);
    assert!(folder.places("grammar.taut")[0].ends_with(" bad.taut:2:13"));
    assert_eq!(folder.places("twice.taut"), ["T0100 twice.taut:2:13", "lib2.taut:2:13"]);
}

#[test]
fn cycles_are_refused_with_the_way() {
    let folder = Folder::new(
        "cycles",
        &[
            ("a.taut", "include \"b.taut\";\nprocess p begin skip; end\n"),
            ("b.taut", "\ninclude \"sub/../c.taut\";\n"),
            ("c.taut", "include \"./a.taut\";\n"),
            ("self.taut", "include \"self.taut\";\nprocess p begin skip; end\n"),
        ],
    );
    assert_eq!(folder.places("a.taut"), ["T0021 c.taut:1:9", "a.taut:1:9", "b.taut:2:9"]);
    assert_eq!(folder.places("self.taut"), ["T0021 self.taut:1:9"]);
}

#[test]
fn only_regular_files_are_opened_and_none_where_none_may_be() {
    let folder = Folder::new("special", &[("sub/x.taut", "shared bool x;\n")]);
    for (path, label) in [
        ("missing.taut", "no such file"),
        ("sub", "not a regular file"),
        ("/dev/zero", "not a regular file"),
        ("", "not a regular file"),
        ("a\0b", "no such file"),
    ] {
        let text = format!("include \"{path}\";\nprocess p begin skip; end\n");
        std::fs::write(folder.0.join("main.taut"), text).expect("a file");
        let (_, loaded) = folder.load("main.taut", FileAccess::Allowed);
        let found = loaded.expect_err("a mistake");
        assert!(found.iter().any(|d| d.label == label), "{path}: {found:?}");
    }
    std::fs::write(
        folder.0.join("main.taut"),
        "include \"sub/x.taut\";\nprocess p begin skip; end\n",
    )
    .expect("a file");
    assert!(folder.load("main.taut", FileAccess::Allowed).1.is_ok());
    let (_, loaded) = folder.load("main.taut", FileAccess::Denied);
    let found = loaded.expect_err("no files");
    assert!(found.iter().all(|d| d.label == "no files are read here"), "{found:?}");
}

#[test]
fn it_is_an_ordinary_name_elsewhere() {
    let text = "shared bool include = 0;\nprocess p begin include := 1; end\n";
    let folder = Folder::new("name", &[("main.taut", text)]);
    assert!(folder.load("main.taut", FileAccess::Denied).1.is_ok());
}
