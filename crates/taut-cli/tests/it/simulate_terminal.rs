//! The simulator through a pseudo-terminal: type, read the screen, compare.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::Pty;
use taut_testkit::suite::root;

/// How long the screen may take to show what is expected: a machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it may take to be drawn to its end after that.
const LONG: Duration = Duration::from_secs(5);
/// A screen that has not changed for so long is drawn to its end.
const CALM: Duration = Duration::from_millis(150);

/// A terminal with a shell in it that runs `taut simulate` and then says how it ended and how the terminal is.
struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    parser: Arc<Mutex<vt100::Parser>>,
}

impl Terminal {
    fn open(columns: u16, rows: u16, arguments: &str, environment: &[(&str, &str)]) -> Terminal {
        let (pty, child) = spawn(columns, rows, arguments, environment);
        let parser = Arc::new(Mutex::new(parser(columns, rows)));
        let terminal = Terminal { pty: Arc::new(pty), child, parser };
        terminal.read_on();
        terminal
    }

    /// Reads what the program writes for as long as it does.
    fn read_on(&self) {
        let (pty, parser) = (self.pty.clone(), self.parser.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The end of the program is an error of the terminal.
            while let Ok(count @ 1..) = (&*pty).read(&mut bytes) {
                parser.lock().expect("no panic").process(&bytes[..count]);
            }
        });
    }

    fn press(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).expect("somebody listens");
    }

    fn resize(&self, columns: u16, rows: u16) {
        let size = |n| NonZeroU16::new(n).expect("not 0");
        let mut parser = self.parser.lock().expect("no panic");
        parser.screen_mut().set_size(size(rows), size(columns));
        self.pty.resize(Size::new(rows, columns)).expect("a size");
    }

    /// What the screen shows, without blanks at the ends of lines: whether those were written is chance.
    fn contents(&self) -> String {
        let contents = self.parser.lock().expect("no panic").screen().contents();
        let lines: Vec<_> = contents.lines().map(str::trim_end).collect();
        lines.join("\n")
    }

    /// Waits for a text, and until the screen rests; the screen then.
    fn wait_for(&self, text: &str) -> String {
        let start = Instant::now();
        let mut last = self.contents();
        let mut since = Instant::now();
        while start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
            let now = self.contents();
            if now != last {
                (last, since) = (now, Instant::now());
            } else if last.contains(text) && since.elapsed() > CALM {
                return last;
            }
        }
        panic!("`{text}` does not appear:\n{last}");
    }

    /// Waits for a text and then for the screen of a snapshot, for a while: on a busy machine a screen can rest
    /// before it is drawn to its end.
    fn screen(&self, text: &str, snapshot: &str) -> String {
        let mut screen = self.wait_for(text);
        let file =
            format!("crates/taut-cli/tests/it/snapshots/it__simulate_terminal__{snapshot}.snap");
        let known = std::fs::read_to_string(root().join(file)).unwrap_or_default();
        let known = known.splitn(3, "---\n").nth(2).unwrap_or_default().trim_end().to_string();
        let start = Instant::now();
        while screen.trim_end() != known && start.elapsed() < LONG {
            std::thread::sleep(Duration::from_millis(20));
            screen = self.contents();
        }
        screen
    }

    /// Whether some cell of the screen has a colour.
    fn is_coloured(&self) -> bool {
        let parser = self.parser.lock().expect("no panic");
        let (rows, columns) = parser.screen().size();
        let cells = (0..rows.get()).flat_map(|r| (0..columns.get()).map(move |c| (r, c)));
        cells.filter_map(|(r, c)| parser.screen().cell(r, c)).any(|cell| {
            cell.fgcolor() != vt100::Color::Default || cell.bgcolor() != vt100::Color::Default
        })
    }

    /// The process that the shell waits for.
    fn simulator(&self) -> String {
        waited_for(&self.child)
    }

    /// Waits for the end, and checks that the terminal is as it was.
    fn assert_restored(&mut self, exit: &str) {
        let screen = self.wait_for("exit ");
        assert!(screen.contains(exit), "{screen}");
        assert!(screen.contains(" icanon ") && screen.contains(" echo "), "{screen}");
        assert!(!screen.contains("What can happen"), "{screen}");
        let parser = self.parser.lock().expect("no panic");
        assert!(!parser.screen().alternate_screen() && !parser.screen().hide_cursor());
        drop(parser);
        self.child.wait().expect("an end");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A shell in a terminal of its own that runs the simulator.
fn spawn(columns: u16, rows: u16, arguments: &str, environment: &[(&str, &str)]) -> (Pty, Child) {
    let (pty, pts) = pty_process::blocking::open().expect("a pseudo-terminal");
    pty.resize(Size::new(rows, columns)).expect("a size");
    let taut = env!("CARGO_BIN_EXE_taut");
    let script = format!("'{taut}' simulate {arguments}; echo \"exit $?\"; stty -a");
    let command = pty_process::blocking::Command::new("sh").arg("-c").arg(script);
    let command = command.current_dir(root()).env("TERM", "xterm-256color");
    let command = command.env_remove("NO_COLOR").envs(environment.iter().copied());
    (pty, command.spawn(pts).expect("a shell"))
}

fn parser(columns: u16, rows: u16) -> vt100::Parser {
    let size = |n| NonZeroU16::new(n).expect("not 0");
    vt100::Parser::new(size(rows), size(columns), 0)
}

/// The process that a shell waits for.
fn waited_for(shell: &Child) -> String {
    let shell = shell.id();
    let children = format!("/proc/{shell}/task/{shell}/children");
    std::fs::read_to_string(children).expect("children").trim().to_string()
}

/// A file for a test of its own.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn the_screen_at_80_by_24_while_stepping() {
    let mut terminal = Terminal::open(80, 24, "examples/sb.taut --model tso", &[]);
    insta::assert_snapshot!("start_80x24", terminal.screen("What can happen: 2", "start_80x24"));
    terminal.press("1");
    terminal.wait_for("row 1");
    terminal.press("\x1b[B\x1b[B\r");
    insta::assert_snapshot!("stepped_80x24", terminal.screen("row 2", "stepped_80x24"));
    terminal.press("b");
    terminal.wait_for("row 1 of 2");
    terminal.press("\x1b[C");
    terminal.wait_for("  row 2");
    terminal.press("9");
    terminal.wait_for("there is no action 9; 1 to 4 can happen");
    terminal.press("q");
    terminal.assert_restored("exit 0");
}

#[test]
fn the_screen_at_120_by_40_where_a_condition_is_true() {
    let mut terminal = Terminal::open(120, 40, "examples/peterson.taut --model pso", &[]);
    terminal.wait_for("What can happen: 2");
    terminal.press("u");
    terminal.wait_for("run to a state where:");
    terminal.press("p[0]@cs && p[1]@cs\r");
    insta::assert_snapshot!(
        "violated_120x40",
        terminal.screen("there after 6 actions", "violated_120x40")
    );
    terminal.press("?");
    insta::assert_snapshot!(
        "help_120x40",
        terminal.screen("go to a row of the history", "help_120x40")
    );
    terminal.press("\x03");
    terminal.assert_restored("exit 0");
}

#[test]
fn conditions_that_are_none_and_states_that_are_nowhere_are_said() {
    let terminal = Terminal::open(100, 30, "examples/sb.taut --model sc", &[]);
    terminal.wait_for("What can happen: 2");
    terminal.press("u[] (x == 1)\r");
    terminal.wait_for("a condition is about one state");
    // The last condition is kept; Ctrl-U takes it away.
    terminal.press("u\x15p@done && q@done && p:r + q:r == 0\r");
    terminal.wait_for("no state that can be reached from here is like that");
    terminal.press("us\x1b");
    let screen = terminal.wait_for("What can happen: 2");
    assert!(screen.contains("row 0"), "{screen}");
}

#[test]
fn a_counterexample_is_stepped_through_and_a_run_is_saved() {
    let (trace, saved) = (scratch("terminal_trace.json"), scratch("terminal_saved.json"));
    let taut = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_taut")).args(arguments).current_dir(root()).output();
        String::from_utf8(output.expect("taut runs").stdout).expect("UTF-8")
    };
    let (trace, saved) = (trace.to_str().expect("UTF-8"), saved.to_str().expect("UTF-8"));
    taut(&["check", "examples/sb.taut", "--model", "tso", "--trace", trace]);
    let mut terminal = Terminal::open(80, 24, &format!("examples/sb.taut --trace '{trace}'"), &[]);
    terminal.wait_for("row 0 of 4");
    // Enter takes what lies ahead; End goes to the end.
    terminal.press("\r");
    terminal.wait_for("row 1 of 4");
    terminal.press("\x1b[F");
    terminal.wait_for("✗ both_miss");
    terminal.press("b");
    terminal.wait_for("row 3 of 4");
    terminal.press(&format!("s{saved}\r"));
    terminal.wait_for("saved 3 actions");
    terminal.press("q");
    terminal.assert_restored("exit 0");
    let replayed = taut(&["replay", "examples/sb.taut", saved]);
    assert!(replayed.contains("it is possible under TSO, and claims no more"), "{replayed}");
}

#[test]
fn it_follows_the_size_of_the_terminal() {
    let mut terminal = Terminal::open(80, 24, "examples/sb.taut", &[]);
    terminal.wait_for("What can happen: 2");
    terminal.resize(50, 12);
    let screen = terminal.wait_for("The terminal is 50×12;");
    assert!(!screen.contains("What can happen"), "{screen}");
    terminal.resize(60, 18);
    terminal.wait_for("What can happen: 2");
    terminal.resize(200, 60);
    terminal.wait_for("What can happen: 2");
    terminal.press("q");
    terminal.assert_restored("exit 0");
}

#[test]
fn colours_are_used_unless_they_are_not_wanted() {
    let coloured = Terminal::open(80, 24, "examples/sb.taut", &[]);
    coloured.wait_for("What can happen: 2");
    assert!(coloured.is_coloured());
    let plain = Terminal::open(80, 24, "examples/sb.taut", &[("NO_COLOR", "1")]);
    plain.wait_for("What can happen: 2");
    assert!(!plain.is_coloured());
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let mut terminal = Terminal::open(80, 24, "examples/sb.taut", &[]);
    terminal.wait_for("What can happen: 2");
    let kill = format!("kill -TERM {}", terminal.simulator());
    Command::new("sh").arg("-c").arg(kill).status().expect("a signal");
    terminal.assert_restored("exit 0");
}

/// Waiting for a key never comes back then, and the process used to go round for ever.
#[test]
fn a_terminal_that_is_gone_ends_it() {
    let (mut pty, mut shell) = spawn(80, 24, "examples/sb.taut", &[]);
    let mut screen = parser(80, 24);
    let mut bytes = [0; 4096];
    while !screen.screen().contents().contains("What can happen: 2") {
        let count = pty.read(&mut bytes).expect("the simulator begins");
        screen.process(&bytes[..count]);
    }
    let simulator = waited_for(&shell);
    shell.kill().expect("a shell to kill");
    shell.wait().expect("its end");
    drop(pty);
    let stat = format!("/proc/{simulator}/stat");
    let lives = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    let start = Instant::now();
    while lives() {
        assert!(start.elapsed() < PATIENCE, "the simulator is still there");
        std::thread::sleep(Duration::from_millis(50));
    }
}
