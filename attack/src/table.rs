//! Hostile names, sizes and nestings, each given to the commands that read it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use crate::commands::{Commands, words};
use crate::run::Runner;
use crate::seeds::Reader;

/// A small program that is right.
const PROGRAM: &str = "shared 0..1 x;\nprocess p begin x := 1; end\ninvariant small: x <= 1;\n";

/// Names that a shell, a terminal, a web page or a decoder would take for something else.
const NAMES: [&[u8]; 22] = [
    b" .taut",
    b"a b.taut",
    b"a\nb.taut",
    b"a\tb.taut",
    b"-rf.taut",
    b"--help.taut",
    b";touch made.taut",
    b"$(touch made).taut",
    b"`touch made`.taut",
    b"|cat.taut",
    b"'\".taut",
    b"<script>alert(1)<.taut",
    b"%s%n%d.taut",
    b"\xff\xfe.taut",
    b"a\xc3.taut",
    "\u{202e}tuat.taut".as_bytes(),
    "\u{1f980}.taut".as_bytes(),
    b"\x1b[31m.taut",
    b"a.taut.",
    b"a.unknown",
    b"noextension",
    b"down/../up.taut",
];

/// A text of a reader, larger or deeper than what anybody writes.
struct Hostile {
    what: &'static str,
    reader: Reader,
    /// Makes the text. One text is held at a time: the system adds the memory of this process to that of its children.
    text: fn() -> String,
}

fn hostile(what: &'static str, reader: Reader, text: fn() -> String) -> Hostile {
    Hostile { what, reader, text }
}

/// Lines, each made from its number.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn taut(body: &str) -> String {
    format!("shared 0..1 x;\nprocess p begin\n{body}end\n")
}

fn promela(body: &str) -> String {
    format!("byte x;\nactive proctype p() {{\n{body}}}\n")
}

/// A process with one transition after the other.
fn transitions(count: usize) -> String {
    let states = lines(count, |i| format!(", s{}", i + 1));
    let each = lines(count, |i| format!(",\ns{i} -> s{} {{ effect x = {}; }}", i + 1, i % 2));
    let each = each.trim_start_matches(',');
    format!("byte x;\nprocess p {{\nstate s0{states}; init s0;\ntrans {each};\n}}\nsystem async;\n")
}

fn sizes() -> Vec<Hostile> {
    vec![
        hostile("statements", Reader::Taut, || {
            taut(&lines(20_000, |i| format!("x := {};\n", i % 2)))
        }),
        hostile("statements", Reader::Promela, || {
            promela(&(lines(20_000, |i| format!("x = {};\n", i % 2)) + "skip"))
        }),
        hostile("transitions", Reader::Dve, || transitions(20_000)),
        hostile("statements", Reader::Rmm, || {
            let body = lines(20_000, |i| format!("write: x := {};\n", i % 2));
            format!("forbidden E data x = 0 : [0:1] process text {body} E: nop\n")
        }),
        hostile("macros", Reader::Rmm, || {
            let each = |i| format!("macro m{}() m{i}(); m{i}() endmacro\n", i + 1);
            let macros = lines(100, each);
            format!("macro m0() nop endmacro\n{macros}forbidden E process text m100(); E: nop\n")
        }),
        hostile("a choice", Reader::Rmm, || {
            "forbidden E data x = * : [0:1000000000] process text E: read: x = 1\n".into()
        }),
        hostile("variables", Reader::Taut, || {
            lines(2_000, |i| format!("shared 0..1 x{i};\n")) + "process p begin x0 := 1; end\n"
        }),
        hostile("variables", Reader::Promela, || {
            lines(2_000, |i| format!("byte x{i};\n")) + "init { x0 = 1 }\n"
        }),
        hostile("variables", Reader::Dve, || {
            lines(2_000, |i| format!("byte x{i};\n"))
                + "process p { state s; init s; }\nsystem async;\n"
        }),
        hostile("channels", Reader::Promela, || {
            lines(12_000, |i| format!("chan c{i} = [1] of {{ byte }};\n")) + "init { c0 ! 1 }\n"
        }),
        hostile("channels", Reader::Dve, || {
            lines(12_000, |i| format!("channel c{i};\n"))
                + "process p { state s; init s; }\nsystem async;\n"
        }),
        hostile("lines", Reader::Taut, || lines(100_000, |i| format!("// {i}\n")) + PROGRAM),
        hostile("lines", Reader::Promela, || {
            lines(100_000, |i| format!("/* {i} */\n")) + "init { skip }\n"
        }),
        hostile("processes", Reader::Taut, || {
            lines(3_000, |i| format!("process p{i} begin skip; end\n"))
        }),
        hostile("processes", Reader::Promela, || {
            lines(3_000, |i| format!("active proctype p{i}() {{ skip }}\n"))
        }),
        hostile("an array", Reader::Taut, || {
            "shared 0..1 x[1000000000];\nprocess p begin x[0] := 1; end\n".into()
        }),
        hostile("an array", Reader::Promela, || "byte x[1000000000];\ninit { x[0] = 1 }\n".into()),
        hostile("an array", Reader::Dve, || {
            "byte x[1000000000];\nprocess p { state s; init s; }\nsystem async;\n".into()
        }),
        hostile("a channel", Reader::Promela, || {
            "chan c = [1000000000] of { int, int };\ninit { c ! 1, 2 }\n".into()
        }),
        hostile("a choice", Reader::Taut, || {
            "shared 0..1 x;\nprocess p begin local 0..1000000000 r; r := choose(0..1000000000); end\n".into()
        }),
        hostile("a select", Reader::Promela, || {
            "int x;\ninit { select(x : 0..1000000000) }\n".into()
        }),
        hostile("sizes of a library", Reader::Promela, || {
            "#define VARSIZE 1000000000\n#define BUFFSIZE 1000000000\n#define PROCSIZE 1000000000\n#include \"tso.h\"\ninit { skip }\n".into()
        }),
        hostile("copies", Reader::Taut, || {
            "shared 0..1 x;\nprocess p[1000000000](i) begin x := 1; end\n".into()
        }),
        hostile("copies", Reader::Promela, || {
            "byte x;\nactive [250] proctype p() { do :: x = 1 :: x = 0 od }\n".into()
        }),
        hostile("a long name", Reader::Taut, || {
            format!("shared 0..1 {};\nprocess p begin skip; end\n", "x".repeat(1_000_000))
        }),
        hostile("a long line", Reader::Promela, || {
            format!("init {{ {} skip }}\n", "skip; ".repeat(100_000))
        }),
        hostile("a long atomic chain", Reader::Promela, || {
            format!(
                "int x;\nactive [2] proctype p() {{ atomic {{ {} skip }} }}\n",
                "x = (x * 7 + 3) % 1000; ".repeat(3_000)
            )
        }),
        hostile("a loop in one step", Reader::Promela, || {
            "int x;\ninit { d_step { do :: x < 2000000000 -> x++ :: else -> break od } }\n".into()
        }),
        hostile("threads of a test", Reader::Litmus, || {
            format!(
                "X86 t\n{{ }}\n{};\n{};\nexists (x=1)\n",
                lines(200, |i| format!("{}P{i}", if i > 0 { "|" } else { "" })),
                lines(200, |i| format!("{}MOV [x],$1", if i > 0 { "|" } else { "" }))
            )
        }),
        hostile("instructions of a test", Reader::Litmus, || {
            format!("X86 t\n{{ }}\nP0;\n{}exists (x=1)\n", "MOV [x],$1;\n".repeat(50_000))
        }),
        hostile("a macro without an end", Reader::Macros, || "define(`f', `f f')f".into()),
        hostile("a macro that doubles", Reader::Macros, || {
            lines(64, |i| format!("define(`d{}', `d{i}d{i}')", i + 1)) + "define(`d0', `x')d64"
        }),
        hostile("a preprocessor that doubles", Reader::Promela, || {
            lines(64, |i| format!("#define d{} d{i} d{i}\n", i + 1))
                + "#define d0 skip;\ninit { d64 skip }\n"
        }),
        hostile("a formula", Reader::Formulas, || format!("{} true\n", "[] <> ".repeat(5_000))),
        hostile("a formula of many untils", Reader::Formulas, || {
            lines(30, |i| format!("(p@l{i} U (q@l{i} && ")) + "true" + &"))".repeat(30)
        }),
        hostile("an automaton", Reader::Automaton, || {
            "HOA: v1\nStates: 4000000000\nStart: 0\nAP: 0\nAcceptance: 1 Inf(0)\n--BODY--\n--END--\n".into()
        }),
    ]
}

/// The depth of nestings.
const DEEP: usize = 100_000;

fn around(open: &str, inside: &str, close: &str) -> String {
    open.repeat(DEEP) + inside + &close.repeat(DEEP)
}

fn assigned(expr: &str) -> String {
    taut(&format!("x := {expr};\n"))
}

fn set(expr: &str) -> String {
    promela(&format!("x = {expr}\n"))
}

fn guarded(expr: &str) -> String {
    format!(
        "byte x;\nprocess p {{ state s; init s; trans s -> s {{ guard {expr}; }}; }}\nsystem async;\n"
    )
}

fn nestings() -> Vec<Hostile> {
    vec![
        hostile("brackets", Reader::Taut, || assigned(&around("(", "1", ")"))),
        hostile("signs", Reader::Taut, || assigned(&around("!", "1", ""))),
        hostile("minus", Reader::Taut, || assigned(&around("-", "1", ""))),
        hostile("operators", Reader::Taut, || assigned(&around("1 + ", "1", ""))),
        hostile("indices", Reader::Taut, || assigned(&around("x[", "0", "]"))),
        hostile("blocks", Reader::Taut, || taut(&around("{ ", "skip; ", "} "))),
        hostile("loops", Reader::Taut, || taut(&around("loop { ", "skip; ", "} "))),
        hostile("conditions", Reader::Taut, || taut(&around("if (x == 1) { ", "skip; ", "} "))),
        hostile("else", Reader::Taut, || {
            taut(&around("if (x == 1) { skip; } else ", "{ skip; }", ""))
        }),
        hostile("comments", Reader::Taut, || around("/*", "", "*/") + PROGRAM),
        hostile("brackets", Reader::Promela, || set(&around("(", "1", ")"))),
        hostile("signs", Reader::Promela, || set(&around("!", "1", ""))),
        hostile("operators", Reader::Promela, || set(&around("1 + ", "1", ""))),
        hostile("indices", Reader::Promela, || set(&around("x[", "0", "]"))),
        hostile("blocks", Reader::Promela, || promela(&around("{ ", "skip ", "} "))),
        hostile("ifs", Reader::Promela, || promela(&around("if :: ", "skip ", "fi "))),
        hostile("dos", Reader::Promela, || promela(&around("do :: ", "skip ", "od "))),
        hostile("atomics", Reader::Promela, || promela(&around("atomic { ", "skip ", "} "))),
        hostile("unless", Reader::Promela, || {
            promela(&around("{ skip } unless { ", "skip ", "} "))
        }),
        hostile("arrows", Reader::Promela, || set(&around("(1 -> ", "1", " : 0)"))),
        hostile("directives", Reader::Promela, || around("#if 1\n", "init { skip }\n", "#endif\n")),
        hostile("macros", Reader::Promela, || {
            set(&around("F(", "1", ")")).replacen("byte", "#define F(a) (a)\nbyte", 1)
        }),
        hostile("inlines", Reader::Promela, || {
            lines(2_000, |i| format!("inline f{}() {{ f{i}(); f{i}() }}\n", i + 1))
                + "inline f0() { skip }\ninit { f2000() }\n"
        }),
        hostile("types", Reader::Promela, || {
            lines(500, |i| format!("typedef t{} {{ t{i} a[2] }};\n", i + 1))
                .replacen("t0 a", "byte a", 1)
                + "t500 x;\ninit { skip }\n"
        }),
        hostile("brackets", Reader::Dve, || guarded(&around("(", "1", ")"))),
        hostile("not", Reader::Dve, || guarded(&around("not ", "1", ""))),
        hostile("imply", Reader::Dve, || guarded(&around("1 imply ", "1", ""))),
        hostile("brackets of a condition", Reader::Litmus, || {
            format!("X86 t\n{{ }}\nP0;\nMOV [x],$1;\nexists {}\n", around("(", "x=1", ")"))
        }),
        hostile("quotes", Reader::Macros, || around("`", "x", "'")),
        hostile("calls", Reader::Macros, || {
            "define(`f', `$1')".to_string() + &around("f(", "x", ")")
        }),
        hostile("brackets of a formula", Reader::Formulas, || around("(", "true", ")")),
        hostile("always", Reader::Formulas, || around("[] ", "true", "")),
        hostile("labels of an automaton", Reader::Automaton, || {
            format!(
                "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"x == 1\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[{}] 0\n--END--\n",
                around("!", "0", "")
            )
        }),
        hostile("conditions of an automaton", Reader::Automaton, || {
            format!(
                "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 1 {}\n--BODY--\nState: 0\n[t] 0\n--END--\n",
                around("(", "Inf(0)", ")")
            )
        }),
        hostile("objects", Reader::Trace, || around("{\"a\":", "1", "}")),
        hostile("lists", Reader::Trace, || around("[", "1", "]")),
    ]
}

/// The commands for a text of the table.
fn commands_for(reader: Reader) -> Vec<Vec<String>> {
    let of_programs = [
        "check FILE",
        "check FILE --model pso --engine symbolic",
        "compare FILE --format json",
        "fmt FILE",
        "repair FILE --model tso",
        "export FILE --to promela --model tso",
        "translate FILE --rounds 1 --to taut",
        "graph FILE --model tso --to dot",
        "simulate FILE --model tso --script ../attack.script",
    ];
    match reader {
        Reader::Taut | Reader::Promela | Reader::Dve | Reader::Rmm => {
            of_programs.map(words).to_vec()
        }
        Reader::Macros => vec![words("check FILE"), words("export FILE --to dve --model sc")],
        Reader::Litmus => vec![words("litmus FILE --model all"), words("check FILE")],
        Reader::Formulas => vec![words("check ../examples/peterson.taut --ltl-file FILE")],
        Reader::Automaton => vec![words("check ../examples/peterson.taut --hoa FILE")],
        Reader::Trace => vec![words("replay ../examples/peterson.taut FILE")],
        Reader::Script => Vec::new(),
    }
}

/// An attack of the table.
struct Planned {
    what: String,
    name: PathBuf,
    text: fn() -> String,
    words: Vec<String>,
}

/// Every attack of the table.
fn planned() -> Vec<Planned> {
    let mut all = Vec::new();
    for name in NAMES {
        for command in [
            "check FILE",
            "check FILE --format sarif",
            "compare FILE --report FILE.html",
            "fmt FILE",
            "repair FILE",
        ] {
            let path = PathBuf::from(OsStr::from_bytes(name));
            // A name that begins with a dash is given as a path, as anybody would.
            let path = if name.starts_with(b"-") { PathBuf::from("./").join(path) } else { path };
            let what = format!("the name {:?}", String::from_utf8_lossy(name));
            all.push(Planned { what, name: path, text: || PROGRAM.into(), words: words(command) });
        }
    }
    for Hostile { what, reader, text } in sizes().into_iter().chain(nestings()) {
        for words in commands_for(reader) {
            let name = PathBuf::from("table").with_extension(reader.extension());
            all.push(Planned { what: format!("{what}, {reader:?}"), name, text, words });
        }
    }
    all
}

/// Makes the attacks of one worker; their number.
pub fn attack(
    runner: &Runner<'_>,
    commands: &Commands,
    worker: u64,
    workers: u64,
) -> Result<usize, String> {
    let mine = planned().into_iter().enumerate();
    let mine = mine.filter(|(i, _)| *i as u64 % workers == worker);
    let mut failures = Vec::new();
    let mut count = 0;
    for (_, Planned { what, name, text, words }) in mine {
        let attempt = commands.attempt(name, text().into(), words);
        if let Err(failure) = runner.run(&attempt) {
            failures.push(format!("{what}: {failure}\n  taut {}", attempt.shown()));
        }
        count += 1;
    }
    if failures.is_empty() { Ok(count) } else { Err(failures.join("\n")) }
}
