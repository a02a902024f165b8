//! The smallest number of processes of a violation, and the instance that all runs are of.
//!
//! The first run that the search finds has few processes (`search.rs`). Whether one process less of a definition does, too, is asked of
//! the engine for a fixed number, until none can be left out.

use taut_explicit::{Completion, Found, Limits, SearchOptions};
use taut_ir::replicated::Count as Number;
use taut_ir::{Action, Fault, Finding, Program};

use super::explore::{Explorer, Numbers};
use super::prepare::prepare;
use super::run::{self, AnyRun};

/// Constraints after which the engine for a fixed number gives up, when a smaller number is tried.
const MOST_TRIED: u64 = 60_000;

/// A finding with its run.
pub(super) struct Violation {
    pub(super) finding: Finding,
    run: ViolatingRun,
    numbers: Numbers,
}

pub(super) enum ViolatingRun {
    /// A run that the chain of crowds describes.
    Any(AnyRun),
    /// A run of the instance with these numbers, by the engine for a fixed number.
    Fixed(Vec<Action>),
}

impl Explorer<'_> {
    /// The violation with the fewest processes, as far as the engine for a fixed number tells.
    pub(super) fn smallest(
        &self,
        finding: Finding,
        run: AnyRun,
        options: &SearchOptions,
    ) -> Violation {
        let counts = run.counts(self.program);
        let mut numbers = Numbers { counts, is_smallest: false };
        let mut run = ViolatingRun::Any(run);
        loop {
            let least = self.program.least_counts();
            let reduced: Vec<usize> =
                (0..least.len()).filter(|&i| numbers.counts[i].1 > least[i].1).collect();
            let mut is_smallest = true;
            let mut smaller = None;
            for i in reduced {
                let mut fewer = numbers.counts.clone();
                fewer[i].1 -= 1;
                match self.fixed(finding, &fewer, options) {
                    Fixed::Violated(actions) => smaller = Some((fewer, actions)),
                    Fixed::Holds => {}
                    Fixed::Unknown => is_smallest = false,
                }
                if smaller.is_some() {
                    break;
                }
            }
            match smaller {
                Some((counts, actions)) => {
                    numbers.counts = counts;
                    run = ViolatingRun::Fixed(actions);
                }
                None => {
                    numbers.is_smallest = is_smallest;
                    return Violation { finding, run, numbers };
                }
            }
        }
    }

    /// What the engine for a fixed number says of one question.
    fn fixed(&self, finding: Finding, counts: &[Number], options: &SearchOptions) -> Fixed {
        let mut instance = prepare(self.program, self.model).instance(&[]);
        instance.processes = self.program.instance(counts).processes;
        let states = Some(MOST_TRIED);
        let limits = Limits { states, ..options.limits.clone() };
        let properties = instance.property_ids().map(Finding::Property);
        let all = properties.chain([Finding::Fault(Fault::Range)]);
        let unasked = all.filter(|other| !other.same_kind(finding)).collect();
        let options = SearchOptions {
            deadlock: false,
            all: false,
            unasked,
            limits,
            ..SearchOptions::default()
        };
        let Ok(search) = crate::explore(&instance, &options) else { return Fixed::Unknown };
        let found = search.exploration.found.into_iter().find(|f| f.finding.same_kind(finding));
        match (found, search.exploration.completion) {
            (Some(found), _) => Fixed::Violated(found.actions),
            (None, Completion::Complete | Completion::Answered) => Fixed::Holds,
            (None, _) => Fixed::Unknown,
        }
    }

    /// The smallest instance that has all runs, with these.
    pub(super) fn instance(&mut self) -> (Program, Vec<Found>, Vec<Numbers>) {
        let mut counts = self.program.least_counts();
        for violation in &self.found {
            for (count, own) in counts.iter_mut().zip(&violation.numbers.counts) {
                count.1 = count.1.max(own.1);
            }
        }
        let instance = self.program.instance(&counts);
        let (mut found, mut numbers) = (Vec::new(), Vec::new());
        for Violation { finding, run, numbers: own } in std::mem::take(&mut self.found) {
            let actions = match run {
                ViolatingRun::Any(run) => run.of(self.program, &instance),
                ViolatingRun::Fixed(actions) => {
                    by_name(&actions, &self.program.instance(&own.counts), &instance)
                }
            };
            found.push(Found { finding, actions });
            numbers.push(own);
        }
        (instance, found, numbers)
    }
}

enum Fixed {
    Violated(Vec<Action>),
    Holds,
    Unknown,
}

/// A run of an instance as one of a larger one, in which processes have other positions.
fn by_name(actions: &[Action], small: &Program, large: &Program) -> Vec<Action> {
    let position = |p| large.find_process(&small.process(p).name).unwrap_or(p);
    let names: Vec<_> = small.process_ids().map(position).collect();
    actions.iter().map(|action| run::renamed(*action, &names)).collect()
}
