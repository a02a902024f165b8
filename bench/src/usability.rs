//! What a user waits for: the program to start, the first words of a check, a page with a long run.
//!
//! Everything is measured from outside, as a user meets it: the time until the first byte of output, and
//! frames that the browser drew. Beside each command stands its peer, run in turn with it, so that a busy
//! machine is busy for both.

use std::cell::RefCell;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use taut_testkit::browser::{Browser, LONG_RUN};
use taut_testkit::spin::Verifier;
use taut_testkit::suite::root;

use crate::completion::{Editor, LINES};

/// What to run.
#[derive(clap::Args)]
pub struct UsabilityArgs {
    /// The `taut` to measure; by default the one that was built beside this program.
    #[arg(long)]
    taut: Option<PathBuf>,
    /// How often each command runs.
    #[arg(long, default_value_t = 101)]
    times: usize,
    /// Leave the browser out.
    #[arg(long)]
    no_browser: bool,
}

const FRAMES: u32 = 300;

/// Steps through the run, a step a frame: how many milliseconds 300 frames took, the longest one, how long the
/// page took until it was complete, and the length of the run.
const STEPPING: &str = "\
const ready = performance.getEntriesByType('navigation')[0].domComplete;
return new Promise((done) => {
  const frames = [];
  let before = null;
  let step = 0;
  const draw = (now) => {
    if (before !== null) frames.push(now - before);
    before = now;
    if (frames.length === 300) {
      done([frames.reduce((a, b) => a + b, 0), Math.max(...frames), ready, tautReport.length()]);
      return;
    }
    tautReport.go(++step);
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
})";

/// Runs the benchmark.
pub fn run(args: &UsabilityArgs) -> Result<(), String> {
    let taut = program(args.taut.as_deref())?;
    println!("{:<42} {:>8} {:>8} {:>8}   floor", "milliseconds", "least", "median", "90 %");
    let command = |arguments: &[&str]| first_output(&taut, arguments);
    let other = |name: &str, arguments: &[&str]| first_output(Path::new(name), arguments);
    measure(
        args.times,
        &[
            ("taut --version", "5", &|| command(&["--version"])),
            ("spin -V", "", &|| other("spin", &["-V"])),
            ("echo, as a process", "", &|| other("echo", &["echo"])),
        ],
    )?;
    measure(
        args.times,
        &[
            ("taut check examples/peterson.taut", "20", &|| {
                command(&["check", "examples/peterson.taut"])
            }),
            ("taut check examples/peterson.pml", "", &|| {
                command(&["check", "examples/peterson.pml"])
            }),
        ],
    )?;
    measure(args.times.min(11), &[("the same in SPIN: spin -a, gcc -O2, pan", "", &by_spin)])?;
    completions(&taut, args.times)?;
    if args.no_browser { Ok(()) } else { report(&taut) }
}

/// The names that an editor offers after a key, in a long document.
fn completions(taut: &Path, times: usize) -> Result<(), String> {
    let editor = RefCell::new(Editor::start(taut)?);
    let title = format!("taut lsp: names after a key, {LINES} lines");
    measure(times, &[(&title, "50", &|| editor.borrow_mut().complete())])
}

/// The program to measure: the one that was asked for, or the one beside this program.
pub(crate) fn program(asked: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(path) = asked {
        return Ok(path.into());
    }
    let here = std::env::current_exe().map_err(|e| e.to_string())?;
    let beside = here.with_file_name("taut");
    match beside.is_file() {
        true => Ok(beside),
        false => Err("there is no taut beside this program: cargo build --release -p taut".into()),
    }
}

/// Something that takes time: its name, its floor in milliseconds, and how it is done.
type Task<'a> = (&'a str, &'a str, &'a dyn Fn() -> Result<Duration, String>);

/// Does some tasks in turn, so often each, and says how long they took.
fn measure(times: usize, tasks: &[Task<'_>]) -> Result<(), String> {
    let mut taken = vec![Vec::with_capacity(times); tasks.len()];
    for _ in 0..times {
        for ((_, _, task), taken) in tasks.iter().zip(&mut taken) {
            taken.push(task()?);
        }
    }
    for ((name, floor, _), mut taken) in tasks.iter().zip(taken) {
        taken.sort_unstable();
        let at = |share: usize| taken[(taken.len() - 1) * share / 100].as_secs_f64() * 1e3;
        let floor = if floor.is_empty() { String::new() } else { format!("under {floor}") };
        println!("{name:<42} {:>8.1} {:>8.1} {:>8.1}   {floor}", at(0), at(50), at(90));
    }
    Ok(())
}

/// How long a command takes until it says something.
fn first_output(program: &Path, arguments: &[&str]) -> Result<Duration, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", program.display());
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let mut output = child.stdout.take().ok_or("no standard output")?;
    let read = output.read(&mut [0]).map_err(failed)?;
    let taken = start.elapsed();
    // What else it says is taken off its hands, so that it can end.
    std::io::copy(&mut output, &mut std::io::sink()).map_err(failed)?;
    child.wait().map_err(failed)?;
    if read == 0 { Err(format!("{} said nothing", program.display())) } else { Ok(taken) }
}

/// How long SPIN takes from a model to its answer.
fn by_spin() -> Result<Duration, String> {
    let model = std::fs::read_to_string(root().join("examples/peterson.pml"));
    let model = model.map_err(|e| e.to_string())?;
    let start = Instant::now();
    Verifier::new(&model, &["-O2", "-DSAFETY"])?.run(&[])?;
    Ok(start.elapsed())
}

/// Opens a long run in a browser and steps through it.
fn report(taut: &Path) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("taut-usability-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let (source, page) = (folder.join("long.taut"), folder.join("long.html"));
    std::fs::write(&source, LONG_RUN).map_err(|e| e.to_string())?;
    let done = Command::new(taut)
        .args(["check", "--model", "tso", "--engine", "explicit", "--bound", "1"])
        .arg(&source)
        .arg("--report")
        .arg(&page)
        .output();
    done.map_err(|e| e.to_string())?;
    let browser = Browser::start();
    browser.open_file(&page);
    browser.wait_for("typeof tautReport !== 'undefined'");
    let figures = browser.run(STEPPING);
    drop(browser);
    std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
    let figure = |i: usize| figures[i].as_f64().ok_or(format!("no figures: {figures}"));
    let (all, longest, ready, length) = (figure(0)?, figure(1)?, figure(2)?, figure(3)?);
    println!("report with a run of {length} steps: complete after {ready:.0} ms");
    println!(
        "stepping through it, a step a frame: {:.0} frames per second, the longest frame {longest:.0} ms   floor 30",
        f64::from(FRAMES) * 1e3 / all
    );
    Ok(())
}
