//! The run so far, the place in it, and what can happen there.
//!
//! Going back keeps what lies ahead, so that one can go forward again; taking another action than the one that
//! lies ahead drops it.

use std::fmt;
use std::path::Path;

use taut_ir::{Action, Finding, Memory, Program};
use taut_render::Names;
use taut_witness::{BoundsMet, Machine, Row, Run, State};

use crate::choice::{self, Choice};
use crate::grow::Before;
use crate::host::Host;
use crate::random::Random;
use crate::view::cells;

/// How many values all states of a history may hold together: some hundred megabytes.
const MOST_CELLS: usize = 4_000_000;
/// The longest history, however small the states are, and the one that is always allowed.
const MOST_ROWS: usize = 100_000;
const LEAST_ROWS: usize = 1_000;

/// A run of a program, and a place in it.
pub struct Simulator<'h> {
    host: &'h dyn Host,
    program: Program,
    memory: Memory,
    initial: State,
    /// What happened, and after [`Simulator::at`] what was gone back from.
    rows: Vec<Row>,
    /// How many of the rows have happened.
    at: usize,
    choices: Vec<Choice>,
    pub(crate) bounds: BoundsMet,
    pub(crate) random: Random,
}

/// Why something that was asked for cannot be done, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

impl<'h> Simulator<'h> {
    /// A simulation at the start of a program, which must be valid ([`taut_ir::validate`]).
    pub fn new(host: &'h dyn Host, program: Program, memory: Memory, seed: u64) -> Simulator<'h> {
        let initial = Machine::new(&program, memory).initial();
        Simulator::at_start(host, program, memory, initial, Vec::new(), seed)
    }

    /// A simulation at the start of a run that was replayed: all of it lies ahead.
    pub fn with_run(host: &'h dyn Host, program: Program, run: Run, seed: u64) -> Simulator<'h> {
        Simulator::at_start(host, program, run.memory, run.initial, run.rows, seed)
    }

    fn at_start(
        host: &'h dyn Host,
        program: Program,
        memory: Memory,
        initial: State,
        rows: Vec<Row>,
        seed: u64,
    ) -> Simulator<'h> {
        let (choices, bounds) = (Vec::new(), BoundsMet::default());
        let random = Random::new(seed);
        let mut simulator =
            Simulator { host, program, memory, initial, rows, at: 0, choices, bounds, random };
        simulator.look();
        simulator
    }

    /// The world around the simulation.
    pub fn host(&self) -> &'h dyn Host {
        self.host
    }

    /// The program. It is replaced by a larger one when a model starts more processes than were foreseen.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The names of what is in the program.
    pub fn names(&self) -> Names<'_> {
        Names::new(&self.program, self.host.sources())
    }

    /// The memory system.
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// The machine that says what can happen.
    pub fn machine(&self) -> Machine<'_> {
        Machine::new(&self.program, self.memory)
    }

    /// The state here.
    pub fn state(&self) -> &State {
        self.last().map_or(&self.initial, |row| &row.after)
    }

    /// The state before the last action; at the start, the state there.
    pub fn before(&self) -> &State {
        let earlier = self.at.checked_sub(2).map(|i| &self.rows[i].after);
        earlier.unwrap_or(&self.initial)
    }

    /// What happened last.
    pub fn last(&self) -> Option<&Row> {
        self.at.checked_sub(1).map(|i| &self.rows[i])
    }

    /// How many actions have happened.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Everything that happened, and after [`Simulator::at`] what was gone back from.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// What can happen, in the order of the machine: processes in turn, steps before commits.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The bounds that keep something else from happening.
    pub fn bounds(&self) -> BoundsMet {
        self.bounds
    }

    /// What is wrong here: in the last step, then with the state.
    pub fn found(&self) -> Vec<Finding> {
        let last = self.last().into_iter();
        let failures = last.flat_map(|row| row.record.all_failed().chain(&row.failure));
        let mut all: Vec<Finding> = Vec::new();
        for failure in failures {
            if !all.contains(&failure.finding) {
                all.push(failure.finding);
            }
        }
        // A failed assertion is no fault of the state, so that nothing comes twice.
        if !self.has_ended() {
            all.extend(self.machine().findings(self.state()));
        }
        all
    }

    /// Whether the last step went wrong, so that nothing comes after it.
    pub fn has_ended(&self) -> bool {
        self.last().is_some_and(choice::ends)
    }

    /// Takes one of the [`Simulator::choices`], counted from 0.
    pub fn take(&mut self, number: usize) -> Result<(), Refused> {
        let Some(choice) = self.choices.get(number) else { return Err(self.no_choice(number)) };
        let row = choice.row.clone();
        self.push(row)
    }

    /// Lets an action happen.
    pub fn act(&mut self, action: Action) -> Result<(), Refused> {
        match self.choices.iter().position(|choice| choice.row.action == action) {
            Some(number) => self.take(number),
            None => {
                let text = taut_witness::describe_action(&self.program, action);
                Err(Refused(format!("this cannot happen here: {text}")))
            }
        }
    }

    fn push(&mut self, row: Row) -> Result<(), Refused> {
        if self.rows.get(self.at).is_none_or(|ahead| ahead.action != row.action) {
            if self.at >= self.most_rows() {
                let text = format!("the history is full with {} actions; go back first", self.at);
                return Err(Refused(text));
            }
            self.rows.truncate(self.at);
            self.rows.push(row);
        }
        self.at += 1;
        self.look();
        Ok(())
    }

    fn no_choice(&self, number: usize) -> Refused {
        Refused(match self.choices.len() {
            0 => "nothing can happen any more".into(),
            1 => format!("there is no action {}; only 1 can happen", number + 1),
            count => format!("there is no action {}; 1 to {count} can happen", number + 1),
        })
    }

    /// The longest history for states of this size.
    fn most_rows(&self) -> usize {
        (MOST_CELLS / cells(&self.initial)).clamp(LEAST_ROWS, MOST_ROWS)
    }

    /// Goes to the place after so many actions of the history.
    pub fn go_to(&mut self, at: usize) -> Result<(), Refused> {
        let last = self.rows.len();
        if at > last {
            return Err(Refused(format!("there is no row {at}; the history ends at {last}")));
        }
        self.at = at;
        self.look();
        Ok(())
    }

    /// Goes back by some actions.
    pub fn back(&mut self, by: usize) -> Result<(), Refused> {
        match self.at.checked_sub(by) {
            Some(at) => self.go_to(at),
            None if self.at == 0 => Err(Refused("this is the start; nothing lies behind".into())),
            None => Err(Refused(format!("only {} actions lie behind", self.at))),
        }
    }

    /// Goes forward again by some actions.
    pub fn forward(&mut self, by: usize) -> Result<(), Refused> {
        let ahead = self.rows.len() - self.at;
        match by {
            by if by <= ahead => self.go_to(self.at + by),
            _ if ahead == 0 => Err(Refused("nothing lies ahead; choose an action".into())),
            _ => Err(Refused(format!("only {ahead} actions lie ahead"))),
        }
    }

    /// Looks around: what can happen here?
    fn look(&mut self) {
        self.see();
        while self.bounds.threads && self.enlarge(&self.state().clone()) {}
    }

    /// Makes room for the processes that a state lacks; false if that cannot be done.
    pub(crate) fn enlarge(&mut self, state: &State) -> bool {
        let before = Before { program: &self.program, memory: self.memory, rows: &self.rows };
        let Some(larger) = before.enlarged(self.host, state) else { return false };
        debug_assert_eq!(larger.rows.len(), self.rows.len(), "the same run in the larger program");
        (self.program, self.initial, self.rows) = (larger.program, larger.initial, larger.rows);
        // What could happen was said of the smaller program.
        self.see();
        true
    }

    fn see(&mut self) {
        (self.choices, self.bounds) = (Vec::new(), BoundsMet::default());
        if self.has_ended() {
            return;
        }
        let next = self.machine().successors(self.state());
        let rows = next.moves.into_iter().map(|(a, done)| choice::row(self.state(), a, done));
        let (program, sources) = (&self.program, self.host.sources());
        self.choices = rows.map(|row| Choice::new(program, sources, row)).collect();
        self.bounds = next.bounds;
    }

    /// The run up to here.
    pub fn run(&self) -> Run {
        let rows = self.rows[..self.at].to_vec();
        Run { memory: self.memory, initial: self.initial.clone(), rows, lasso: None, atoms: None }
    }

    /// Saves the run up to here to a file. What is wrong here, if anything is, is what the run shows.
    pub fn save(&self, path: &Path) -> Result<(), Refused> {
        let finding = self.found().first().copied();
        self.host.save(&self.program, &self.run(), finding, path).map_err(Refused)
    }
}
