//! Limits on time and memory, and signals, hold in every phase of a command.
//!
//! Each row of a table is a command that would take far longer, or far more memory, in one phase. The bounds on the time are
//! generous, because the machine may be busy; work that does not look at its limits would take minutes.
#![cfg(target_os = "linux")]

use crate::command;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use command::{path, scratch};
use taut_testkit::suite::root;

/// The time after the limit at which a command must have ended: one second, and some more on a busy machine.
const LATE: Duration = Duration::from_secs(6);

/// Memory of the executable itself, and of what a test reads too late.
const BASE: u64 = 24 << 20;

/// What became of a command.
struct Ended {
    code: Option<i32>,
    text: String,
    time: Duration,
    /// Most bytes that it held, the executable's own code left out.
    peak: u64,
}

fn start(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.args(args).current_dir(root()).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("taut runs")
}

/// Waits for the end of a command and watches its memory.
fn watch(mut child: Child) -> Ended {
    let started = Instant::now();
    let reader = |mut pipe: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = reader(Box::new(child.stdout.take().expect("a pipe")));
    let err = reader(Box::new(child.stderr.take().expect("a pipe")));
    let statm = format!("/proc/{}/statm", child.id());
    let mut peak = 0;
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        peak = peak.max(held(Path::new(&statm)));
        std::thread::sleep(Duration::from_millis(2));
        if started.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
        }
    };
    let time = started.elapsed();
    let text = out.join().expect("text") + &err.join().expect("text");
    Ended { code: status.code(), text, time, peak }
}

/// Bytes of memory that a process holds and that no file stands behind.
fn held(statm: &Path) -> u64 {
    let mut text = String::new();
    let _ = File::open(statm).and_then(|mut file| file.read_to_string(&mut text));
    let pages: Vec<u64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [_, resident, shared, ..] = pages[..] else { return 0 };
    resident.saturating_sub(shared) * rustix::param::page_size() as u64
}

fn taut(args: &[&str]) -> Ended {
    watch(start(args))
}

/// A macro that doubles, as often as the preprocessor allows.
fn doubling() -> String {
    let macros: String = (0..19).map(|i| format!("#define A{} A{i}; A{i}\n", i + 1)).collect();
    format!("#define A0 x = x\n{macros}byte x;\nactive proctype p() {{ A19 }}\n")
}

/// Many assignments, one after the other.
fn statements(count: usize) -> String {
    let all: String = (0..count).map(|i| format!("  x = {};\n", i % 7)).collect();
    format!("byte x;\nactive proctype p() {{\n{all}}}\nactive proctype q() {{ x = 1 }}\n")
}

/// Counters, of which each grows until its range is known.
fn counters(count: usize) -> String {
    let vars: String = (0..count).map(|i| format!("int v{i};\n")).collect();
    let steps: String = (0..count).map(|i| format!(":: v{i} = v{i} + 1\n")).collect();
    format!("{vars}active proctype p() {{ do\n{steps}od }}\n")
}

/// A chain of steps that is one action, and almost has no end.
const CHAIN: &str = "byte x; int n;\nactive proctype p() { atomic { do :: n < 300000000 -> n = n + 1; x = x + 1 \
                     :: else -> break od } }\nactive proctype q() { x = 1 }\n";

/// More states than any machine has room for.
const ENDLESS: &str = "int a, b, c;\nactive proctype p() { do :: a = a + 1 :: b = b + 1 :: c = c + a od }\n\
                       active proctype q() { assert(a >= 0 || b >= 0 || c >= 0) }\n";

/// A violation at the end of a long run.
const LONG_RUN: &str = "int n;\nactive proctype p() { do :: n < 20000 -> n = n + 1 :: else -> break od; \
                        assert(false) }\n";

/// A macro of m4 that calls itself.
const RECURSION: &str = "define(`f', `ifelse($1, 0, `', `f(decr($1))f(decr($1))')')f(40)process p { state s; init s; } system async;";

/// A litmus test with many threads: its models share the time.
fn threads(count: usize) -> String {
    let row = |cell: &dyn Fn(usize) -> String| (0..count).map(cell).collect::<Vec<_>>().join("|");
    let (names, stores) = (row(&|i| format!("P{i}")), row(&|_| "MOV [x],$1".into()));
    format!("X86 threads\n{{ }}\n{names};\n{stores};\nexists (x=1)\n")
}

/// A formula with a large automaton.
fn long_formula() -> String {
    (0..10).map(|i| format!("[]<>a{i}")).collect::<Vec<_>>().join(" && ")
}

#[test]
fn time_is_a_limit_in_every_phase() {
    let file = |name: &str, text: &str| path(&scratch(name, text)).to_string();
    let doubling = file("time-doubling.pml", &doubling());
    let macros = file("time-macros.mdve", RECURSION);
    let counters = file("time-counters.pml", &counters(1500));
    let (statements, many) = (statements(15_000), statements(60_000));
    let statements = file("time-statements.pml", &statements);
    let many = file("time-many-statements.pml", &many);
    let chain = file("time-chain.pml", CHAIN);
    let endless = file("time-endless.pml", ENDLESS);
    let formula = long_formula();
    let threads = file("time-threads.litmus", &threads(200));
    let long = file("time-long-run.pml", LONG_RUN);
    let trace = file("time-long-run.json", "");
    assert_eq!(taut(&["check", &long, "--model", "sc", "--trace", &trace]).code, Some(1));
    let filter = "examples/peterson_filter.taut";
    let table: &[(&str, &[&str])] = &[
        ("litmus", &["litmus", &threads, "--model", "all"]),
        ("preprocessing", &["check", &doubling]),
        ("macro expansion", &["check", &macros]),
        ("formatting", &["fmt", &macros]),
        ("ranges", &["check", &counters]),
        ("lowering and compilation", &["check", &statements]),
        ("rounds", &["check", &statements, "--rounds", "3"]),
        ("repair, reading", &["repair", &many]),
        ("repair", &["repair", filter, "--model", "pso"]),
        ("export", &["export", &many]),
        ("translation", &["translate", &many, "--rounds", "2"]),
        ("graph, reading", &["graph", &many, "--to", "svg", "--max-nodes", "20000"]),
        ("graph", &["graph", &endless, "--to", "svg", "--max-nodes", "20000"]),
        ("simulation, reading", &["simulate", &many, "--script", "r1000000000"]),
        ("simulation", &["simulate", &endless, "--script", "r1000000000"]),
        ("replay", &["replay", &long, &trace]),
        ("a chain, symbolic", &["check", &chain, "--engine", "symbolic", "--model", "tso"]),
        ("a chain, explicit", &["check", &chain, "--engine", "explicit", "--model", "tso"]),
        ("search", &["check", &endless]),
        ("search, JSON", &["check", &endless, "--format", "json", "--model", "sc"]),
        ("comparison", &["compare", &endless]),
        ("explanation", &["explain", &endless]),
        ("automata of formulas", &["ltl", &formula]),
    ];
    for (phase, args) in table {
        // A fast machine expands all macros that are allowed in 20 ms. The other phases are longer.
        let most = if *phase == "preprocessing" { 5 } else { 60 };
        let timeout = format!("{most}ms");
        let args = [args, &["--timeout", &timeout][..]].concat();
        let Ended { code, text, time, .. } = taut(&args);
        assert_eq!(code, Some(2), "{phase}: {text}");
        assert!(text.contains(&format!("limit of {most}.0 ms was met")), "{phase}: {text}");
        assert!(time < Duration::from_millis(most) + LATE, "{phase}: {time:?}");
    }
}

#[test]
fn memory_is_a_limit_in_every_phase() {
    let file = |name: &str, text: &str| path(&scratch(name, text)).to_string();
    let doubling = file("memory-doubling.pml", &doubling());
    let statements = file("memory-statements.pml", &statements(30_000));
    let chain = file("memory-chain.pml", CHAIN);
    let endless = file("memory-endless.pml", ENDLESS);
    let table: &[(&str, u64, &[&str])] = &[
        ("preprocessing", 8, &["check", &doubling]),
        ("lowering", 8, &["check", &statements]),
        ("export", 16, &["export", &statements]),
        ("translation", 16, &["translate", &statements, "--rounds", "2"]),
        ("a chain, symbolic", 32, &["check", &chain, "--engine", "symbolic", "--model", "tso"]),
        ("search", 32, &["check", &endless, "--model", "sc"]),
        ("search, depth first", 32, &["check", &endless, "--model", "sc", "--search", "dfs"]),
        ("search, tree", 32, &["check", &endless, "--model", "sc", "--store", "tree"]),
        ("search, two threads", 32, &["check", &endless, "--model", "sc", "-j", "2"]),
    ];
    for (phase, mebibytes, args) in table {
        let limit = format!("{mebibytes}M");
        let args = [args, &["--max-memory", &limit, "--timeout", "40s"][..]].concat();
        let Ended { code, text, peak, .. } = taut(&args);
        assert_eq!(code, Some(2), "{phase}: {text}");
        // A large piece of memory is refused by the system before there is a look at the limit.
        let words =
            [&format!("limit of {mebibytes}.0 MiB of memory was met"), "memory allocation of"];
        assert!(words.iter().any(|words| text.contains(*words)), "{phase}: {text}");
        let most = (mebibytes << 20) / 10 * 11 + BASE;
        assert!(peak <= most, "{phase}: {peak} of {most} bytes");
    }
}

/// A state takes long to draw, so that the signal comes before the most states that a graph may have are drawn.
const WIDE: &str = "byte a[250]; byte b, c;
    active proctype p() { do :: b++ :: c = 1 - c :: a[7] = b od }
    active proctype q() { do :: b-- :: a[9] = c od }";

#[test]
fn a_signal_ends_every_phase() {
    let file = |name: &str, text: &str| path(&scratch(name, text)).to_string();
    let chain = file("signal-chain.pml", CHAIN);
    let endless = file("signal-endless.pml", ENDLESS);
    let wide = file("signal-wide.pml", WIDE);
    let table: &[(&str, &[&str])] = &[
        ("a chain, symbolic", &["check", &chain, "--engine", "symbolic", "--max-memory", "4G"]),
        ("search", &["check", &endless, "--max-memory", "4G"]),
        ("search, two threads", &["check", &endless, "--max-memory", "4G", "-j", "2"]),
        ("graph", &["graph", &wide, "--engine", "explicit", "--max-nodes", "20000"]),
        ("repair", &["repair", &endless, "--max-memory", "4G"]),
    ];
    for (phase, args) in table {
        let child = start(args);
        std::thread::sleep(Duration::from_millis(400));
        let id = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("a signal");
        let Ended { code, text, time, .. } = watch(child);
        assert_eq!(code, Some(2), "{phase}: {text}");
        assert!(text.contains("interrupted"), "{phase}: {text}");
        assert!(time < LATE, "{phase}: {time:?}");
    }
}

#[test]
fn memory_that_the_system_refuses_is_a_limit() {
    let endless = scratch("refused-endless.pml", ENDLESS);
    let chain = scratch("refused-chain.pml", CHAIN);
    for kibibytes in ["200000", "300000"] {
        for more in ["--max-memory 64G", "-j 2", "--search dfs"] {
            for file in [&endless, &chain] {
                let taut = env!("CARGO_BIN_EXE_taut");
                let line = format!(
                    "ulimit -v {kibibytes}; exec {taut} check {} --model tso --timeout 3s {more}",
                    path(file)
                );
                let mut shell = Command::new("sh");
                shell.args(["-c", &line]).stdout(Stdio::piped()).stderr(Stdio::piped());
                let Ended { code, text, .. } = watch(shell.spawn().expect("a shell"));
                assert_eq!(code, Some(2), "{line}: {text}");
            }
        }
    }
}

#[test]
fn sizes_that_a_model_asks_for_are_refused_before_memory_is_taken() {
    let mmlib = |sizes: &str| {
        format!(
            "#define PROCSIZE 1\n{sizes}\n#define X 0\n#include \"tso.h\"\nactive proctype p() {{ WRITE(X, 1) }}\n"
        )
    };
    let table: &[(&str, String)] = &[
        ("variables.pml", mmlib("#define VARSIZE 2000000000\n#define BUFFSIZE 2")),
        ("buffers.pml", mmlib("#define VARSIZE 2\n#define BUFFSIZE 2000000000")),
        ("array.pml", "int a[1000000000]; active proctype p() { a[0] = 1 }".into()),
        ("channel.pml", "chan c = [1000000000] of { int }; active proctype p() { c!1 }".into()),
        ("array.taut", "shared int a[1000000000];\nprocess p begin a[0] := 1; end\n".into()),
        ("array.dve", "int a[1000000000]; process p { state s; init s; } system async;".into()),
        (
            "channel.dve",
            "channel {int} c[1000000000]; process p { state s; init s; } system async;".into(),
        ),
    ];
    for (name, text) in table {
        let file = scratch(name, text);
        let Ended { code, text, peak, .. } = taut(&["check", path(&file), "--timeout", "20s"]);
        assert_eq!(code, Some(3), "{name}: {text}");
        assert!(peak < 128 << 20, "{name}: {peak} bytes");
    }
}
