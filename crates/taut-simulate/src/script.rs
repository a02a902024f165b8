//! The simulator without a terminal: commands in, text out.

use std::path::Path;

use taut_ir::{Program, VarKind};
use taut_render::tell;
use taut_witness::BoundsMet;

use crate::choice::Choice;
use crate::command::{Command, HELP};
use crate::facts::{Truth, facts};
use crate::quest::Progress;
use crate::simulator::{Refused, Simulator};
use crate::view::{self, Cell, printable};
use crate::walk::{Stop, Walk};

/// A simulation that is told what to do in commands.
pub struct Script<'h> {
    simulator: Simulator<'h>,
    quits: bool,
}

impl<'h> Script<'h> {
    /// A script for a simulation.
    pub fn new(simulator: Simulator<'h>) -> Script<'h> {
        Script { simulator, quits: false }
    }

    /// Whether it was told to end.
    pub fn quits(&self) -> bool {
        self.quits
    }

    /// Does what a command says; the answer is text that ends in a line break.
    pub fn run(&mut self, command: &Command) -> Result<String, Refused> {
        let from = self.simulator.at();
        let simulator = &mut self.simulator;
        let said = match command {
            Command::Take(0) => return Err(Refused("actions are counted from 1".into())),
            Command::Take(number) => {
                simulator.take(number - 1)?;
                String::new()
            }
            Command::Back(by) => {
                simulator.back(*by)?;
                return Ok(self.state());
            }
            Command::Forward(by) => {
                simulator.forward(*by)?;
                String::new()
            }
            Command::GoTo(at) => {
                simulator.go_to(*at)?;
                return Ok(self.state());
            }
            Command::Random(count) => {
                let walk = simulator.walk(*count);
                walked(simulator.program(), &walk)
            }
            Command::RunTo(text) => arrived(&simulator.run_to(text)?),
            Command::Save(path) => {
                simulator.save(Path::new(path))?;
                return Ok(format!("saved {} actions to {}\n", simulator.at(), printable(path)));
            }
            Command::Print => return Ok(self.state()),
            Command::History => return Ok(self.history(0)),
            Command::Help => return Ok(HELP.into()),
            Command::Quit => {
                self.quits = true;
                return Ok(String::new());
            }
        };
        Ok(self.history(from) + &said + &self.state())
    }

    /// What happened after so many actions, a line each.
    fn history(&self, from: usize) -> String {
        let (names, at) = (self.simulator.names(), self.simulator.at());
        let rows = self.simulator.rows()[..at].iter().enumerate().skip(from);
        rows.map(|(i, row)| format!("{:>4}  {}\n", i + 1, tell(names, row))).collect()
    }

    /// The state, and what can happen in it.
    pub fn state(&self) -> String {
        let simulator = &self.simulator;
        let mut lines = vec![match simulator.at() {
            0 => "at the start".to_string(),
            at => format!("after {at}"),
        }];
        lines.extend(self.memory());
        lines.extend(self.processes());
        lines.extend(self.facts());
        lines.extend(choices(simulator.choices()));
        lines.extend(bounds(simulator.bounds()).map(|words| format!("  ({words})")));
        lines.join("\n") + "\n"
    }

    fn memory(&self) -> Vec<String> {
        let (names, now) = (self.simulator.names(), self.simulator.state());
        let cells = |kind| texts(&view::variables(names, now, now, kind));
        let mut lines = vec![named("memory", &cells(VarKind::Shared))];
        lines.push(named("ghost", &cells(VarKind::Ghost)));
        lines
            .extend(view::channels(names, now, now).into_iter().map(|c| named("channel", &c.text)));
        lines.retain(|line| !line.is_empty());
        lines
    }

    fn processes(&self) -> Vec<String> {
        let simulator = &self.simulator;
        let (names, now) = (simulator.names(), simulator.state());
        let model = simulator.memory().model;
        let line = |p| {
            let place = view::place(names, now, p);
            let locals = texts(&view::locals(names, now, now, p));
            let queues = view::queues(names, model, now, p);
            let parts = [place, locals, view::queue_text(&queues)];
            let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            named(names.process(p), &parts.join("  "))
        };
        view::living(names, now).into_iter().map(line).collect()
    }

    /// What is violated, and the truth of what properties of runs look at.
    fn facts(&self) -> Vec<String> {
        let told = facts(&self.simulator).into_iter().filter(|fact| fact.truth != Truth::Fine);
        told.map(|fact| match fact.truth {
            Truth::Violated => format!("  ✗ {} is violated", fact.name),
            truth => format!("  {} is {}", fact.name, truth.word()),
        })
        .collect()
    }
}

/// A line with a name in front; empty if there is nothing to say.
fn named(name: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("  {:<8} {text}", printable(name)) }
}

fn texts(cells: &[Cell]) -> String {
    cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn choices(choices: &[Choice]) -> Vec<String> {
    if choices.is_empty() {
        return vec!["  nothing can happen any more".into()];
    }
    let line = |(i, choice): (usize, &Choice)| {
        let line = choice.line.map_or(String::new(), |line| format!(" (line {line})"));
        format!("  {:>8} {}{line}", format!("[{}]", i + 1), choice.text)
    };
    choices.iter().enumerate().map(line).collect()
}

/// What bounds keep from happening, in words.
pub(crate) fn bounds(bounds: BoundsMet) -> Option<String> {
    let words = [
        (bounds.buffer, "a full buffer holds a store back"),
        (bounds.threads, "no process is left to be spawned"),
        (bounds.calls, "calls cannot nest deeper"),
    ];
    let met: Vec<_> = words.iter().filter(|(met, _)| *met).map(|(_, words)| *words).collect();
    (!met.is_empty()).then(|| met.join("; "))
}

/// How a walk ended, as a line, unless it went as far as was asked.
pub(crate) fn walked(program: &Program, walk: &Walk) -> String {
    let why = match &walk.stop {
        Stop::Done => return String::new(),
        Stop::Found(findings) => {
            let names: Vec<_> = findings.iter().map(|f| printable(&f.name(program))).collect();
            format!("{} is violated", names.join(", "))
        }
        Stop::End => "nothing can happen any more".into(),
        Stop::Full => "the history is full".into(),
    };
    format!("stopped after {}: {why}\n", walk.taken)
}

/// How a search ended, as a line, unless it found what it was to find.
pub(crate) fn arrived(progress: &Progress) -> String {
    match progress {
        Progress::Found(actions) if actions.is_empty() => "it is true here\n".into(),
        Progress::Found(_) | Progress::Searching => String::new(),
        Progress::Nowhere(met) => {
            let within = bounds(*met).map_or(String::new(), |words| format!(" ({words})"));
            format!("no state that can be reached from here is like that{within}\n")
        }
        Progress::TooMany => {
            "there are too many states to look at all; go nearer, or walk at random\n".into()
        }
    }
}
