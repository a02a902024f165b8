//! A set of states that has the initial one, that no step leaves, and in which nothing is wrong.
//!
//! **Why that is a proof.** Every reachable state is in the set, by induction on the length of a run: the initial one is,
//! and each step of a state in the set leads into the set. Whatever can go wrong goes wrong in a state or in a step that
//! was looked at. The set may have more states than are reachable; that costs time and proves no less.
//!
//! States in which a process holds the others are not listed. They are passed through from each state that leads to
//! them, and looked at on the way.
//!
//! A step that a bound holds back, and a step that faults, has no successor: what would come after it is not covered.
//! All of that is collected, and the claim must name it.
//!
//! The set may be smaller: with the processes of each state sorted ([`crate::alike`]), and with the steps of one process
//! only from some states ([`crate::chosen`]).
//!
//! States are rows of numbers of parts. What a process does is asked of the replayer once per part and view
//! ([`taut_witness::memo`] has the argument), and what is claimed of states is computed once per view, too. States are
//! looked at in any order, so each core has a share of them.

use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use taut_budget::{Budget, Level, tick};
use taut_ir::{Action, Expr, Finding, Memory, ProcId, Program};
use taut_proof::{Claim, Cut, Kind, Parts, Reader, Rows};
use taut_witness::memo::{Memo, Visitor, Watch};
use taut_witness::{
    BoundsMet, Machine, State, Successors, condition, describe_action, describe_state,
};

use crate::alike::Alike;
use crate::chosen::{Choices, Chooser};
use crate::{Accepted, Refusal};

/// States per core from which on a further core is of use.
const SHARE: usize = 20_000;

/// Checks a claim by its states.
pub(crate) fn check(
    program: &Program,
    memory: Memory,
    claim: &Claim,
    body: &[u8],
) -> Result<Accepted, Refusal> {
    let mut reader = Reader::new(body);
    let rows = Rows::read(Parts::new(program), &mut reader)?;
    reader.end()?;
    let (machine, wanted) = (Machine::new(program, memory), Wanted::of(program, claim)?);
    let cut = Closed { machine, rows: &rows, wanted, less: None }.check()?;
    let evidence = format!("{} states, none left out", rows.len());
    Accepted::new(program, memory, claim, cut, evidence)
}

/// Checks a claim by fewer states: groups of processes that may change places, and for each state a number. It is 0, or
/// says whose steps are enough and the rank of the state.
pub(crate) fn check_fewer(
    program: &Program,
    memory: Memory,
    claim: &Claim,
    groups: &[Vec<u32>],
    body: &[u8],
) -> Result<Accepted, Refusal> {
    let (machine, wanted) = (Machine::new(program, memory), Wanted::of(program, claim)?);
    let alike = Alike::new(program, &wanted.claimed(program), groups).map_err(Refusal::Proof)?;
    let mut reader = Reader::new(body);
    let rows = Rows::read_sorted(Parts::new(program), &mut reader, alike.groups)?;
    let read = (0..rows.len()).map(|_| reader.below(u32::MAX as usize, "rank"));
    let ranked = read.map(|number| Ok(number? as u32)).collect::<Result<Vec<u32>, Refusal>>()?;
    reader.end()?;
    let chooser = Chooser::new(program, memory, wanted.claimed(program));
    let chosen = ranked.iter().filter(|&&code| code > 0).count();
    let mut evidence = format!("{} states, {chosen} with the steps of one process", rows.len());
    if !groups.is_empty() {
        let equal = groups.iter().map(Vec::len).sum::<usize>();
        evidence += &format!(", {equal} processes that may change places");
    }
    let less = Some(Less { chooser, processes: program.processes.len() as u32, ranked });
    let cut = Closed { machine, rows: &rows, wanted, less }.check()?;
    Accepted::new(program, memory, claim, cut, evidence)
}

/// What must not be found.
pub(crate) struct Wanted {
    absent: Vec<Finding>,
    faults: bool,
}

impl Wanted {
    pub(crate) fn of(program: &Program, claim: &Claim) -> Result<Wanted, Refusal> {
        if claim.holds.is_empty() {
            return Err(Refusal::proof("it claims nothing"));
        }
        let mut wanted = Wanted { absent: Vec::new(), faults: false };
        for proven in &claim.holds {
            match proven.kind {
                Kind::Deadlock => wanted.absent.push(Finding::Deadlock),
                Kind::FullBuffer => wanted.absent.push(Finding::FullBuffer),
                Kind::Fault => wanted.faults = true,
                Kind::Property => wanted.property(program, &proven.name)?,
            }
        }
        Ok(wanted)
    }

    /// All properties of a name, each of which must be about states or steps.
    fn property(&mut self, program: &Program, name: &str) -> Result<(), Refusal> {
        let before = self.absent.len();
        for id in program.property_ids().filter(|&id| program.property(id).name == name) {
            if program.property(id).kind.is_temporal() {
                let why = format!("`{name}` is about runs, and its evidence is about states");
                return Err(Refusal::Proof(why));
            }
            self.absent.push(Finding::Property(id));
        }
        match self.absent.len() > before {
            true => Ok(()),
            false => Err(Refusal::Proof(format!("the program has no property `{name}`"))),
        }
    }

    /// The expressions of claimed properties.
    fn claimed<'p>(&self, program: &'p Program) -> Vec<&'p Expr> {
        let of = |finding: &Finding| match finding {
            Finding::Property(id) => program.property(*id).kind.exprs(),
            _ => Vec::new(),
        };
        self.absent.iter().flat_map(of).collect()
    }

    /// The conditions on states that are claimed, each with the value that it must not have.
    fn conditions<'p>(&self, program: &'p Program) -> Vec<(Finding, &'p Expr, bool)> {
        let of = |&finding: &Finding| match finding {
            Finding::Property(id) => condition(&program.property(id).kind),
            _ => None,
        };
        let all = self.absent.iter().filter_map(|found| Some((*found, of(found)?)));
        all.map(|(finding, (expr, bad))| (finding, expr, bad)).collect()
    }

    pub(crate) fn forbids(&self, finding: Finding) -> bool {
        match finding {
            Finding::Fault(_) => self.faults,
            other => self.absent.contains(&other),
        }
    }
}

/// What makes the set smaller.
struct Less<'p> {
    chooser: Chooser<'p>,
    /// The number of processes.
    processes: u32,
    /// For each state 0, or 1 + the chosen process + the number of processes times the rank below it.
    ranked: Vec<u32>,
}

impl Less<'_> {
    fn chosen(&self, number: usize) -> Option<ProcId> {
        self.ranked[number].checked_sub(1).map(|code| ProcId(code % self.processes))
    }

    /// The rank of a state: 0 if all of its steps are followed.
    fn rank(&self, number: usize) -> u32 {
        self.ranked[number].checked_sub(1).map_or(0, |code| code / self.processes + 1)
    }
}

/// A set of states that no step may leave.
pub(crate) struct Closed<'a, 'p> {
    machine: Machine<'p>,
    rows: &'a Rows<'p>,
    wanted: Wanted,
    less: Option<Less<'p>>,
}

impl<'a, 'p> Closed<'a, 'p> {
    /// A set in which everything may happen.
    pub(crate) fn of_nothing(machine: Machine<'p>, rows: &'a Rows<'p>) -> Closed<'a, 'p> {
        let wanted = Wanted { absent: Vec::new(), faults: false };
        Closed { machine, rows, wanted, less: None }
    }

    /// Looks at every state; what ends runs.
    pub(crate) fn check(self) -> Result<Cut, Refusal> {
        if self.rows.find(&self.machine.initial()).is_none() {
            return Err(Refusal::proof("the initial state is not in the set"));
        }
        let count = self.rows.len();
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let shares = cores.min(count / SHARE).max(1);
        let bound = |share: usize| count * share / shares;
        let range = |share: usize| bound(share)..bound(share + 1);
        if shares == 1 {
            return self.check_some(range(0));
        }
        let budget = Budget::current();
        let (own, budget) = (&self, &budget);
        let checked: Vec<_> = thread::scope(|scope| {
            let work = |share| move || budget.run(Level::Work, || own.check_some(range(share)));
            let started: Vec<_> = (0..shares).map(|share| scope.spawn(work(share))).collect();
            started.into_iter().map(thread::ScopedJoinHandle::join).collect()
        });
        let mut cut = Cut::default();
        for share in checked {
            // A budget that is spent ends the check, as it would without further threads.
            let share = share.unwrap_or_else(|panic| resume_unwind(panic));
            cut = cut.or(share.unwrap_or_else(|met| resume_unwind(Box::new(met)))?);
        }
        Ok(cut)
    }

    /// Looks at some states.
    fn check_some(&self, numbers: Range<usize>) -> Result<Cut, Refusal> {
        let program = self.machine.program();
        let mut memo = Memo::new(self.machine);
        let conditions = self.wanted.conditions(program);
        let exprs = conditions.iter().map(|(_, expr, _)| *expr).collect();
        let mut watch = Watch::new(self.machine, self.rows.columns(), exprs);
        let mut choices = Choices::default();
        let mut look = Look {
            rows: self.rows,
            less: self.less.as_ref(),
            looker: Looker::new(self.machine, &self.wanted),
            rank: 0,
            after: Vec::new(),
            actions: Vec::new(),
            words: Vec::new(),
            found: Vec::new(),
        };
        let mut row = Vec::new();
        for number in numbers {
            tick();
            self.rows.row(number, &mut row);
            let truths = watch.truths(self.rows.columns(), &row);
            let mut seen = conditions.iter().zip(truths).filter(|((.., bad), truth)| bad == *truth);
            let seen = seen.next().map_or(Ok(()), |((finding, ..), _)| look.looker.judge(*finding));
            seen.and_then(|()| self.leaves_no(number, &row, &mut memo, &mut choices, &mut look))
                .map_err(|why| {
                    let text = describe_state(program, &self.rows.columns().state(&row));
                    Refusal::Proof(format!("{why}, in state {number}: {text}"))
                })?;
        }
        Ok(look.looker.cut)
    }

    /// Whether what is followed from a state leads into the set; or why not.
    fn leaves_no(
        &self,
        number: usize,
        row: &[u32],
        memo: &mut Memo<'p>,
        choices: &mut Choices,
        look: &mut Look<'_, 'p>,
    ) -> Result<(), String> {
        let mut columns = self.rows.columns();
        let chosen = self.less.as_ref().and_then(|less| Some((less, less.chosen(number)?)));
        let Some((less, process)) = chosen else {
            look.rank = 0;
            memo.visit(&mut columns, row, look)?;
            return look.find();
        };
        look.rank = less.rank(number);
        let answer = choices.find(&less.chooser, memo, &mut columns, row, process);
        let answer = answer.ok_or("the steps of the chosen process are not enough")?;
        memo.visit_steps(&mut columns, row, answer, look)?;
        look.find()
    }
}

/// What is done with all that can happen in a state.
struct Look<'a, 'p> {
    rows: &'a Rows<'p>,
    less: Option<&'a Less<'p>>,
    looker: Looker<'a, 'p>,
    /// The rank that must fall, if not 0.
    rank: u32,
    after: Vec<u32>,
    /// What is followed from the present state, and where it leads: rows, which are looked for together.
    actions: Vec<Action>,
    words: Vec<u64>,
    found: Vec<Option<usize>>,
}

impl Look<'_, '_> {
    /// Whether everything that is followed leads into the set, to a smaller rank if need be.
    fn find(&mut self) -> Result<(), String> {
        self.rows.find_packed(&self.words, &mut self.found);
        self.words.clear();
        let program = self.rows.columns().program();
        for (action, reached) in self.actions.drain(..).zip(&self.found) {
            let reached = reached.ok_or_else(|| leaves(program, action))?;
            if self.less.is_some_and(|less| self.rank > 0 && less.rank(reached) >= self.rank) {
                let words = describe_action(program, action);
                return Err(format!("the rank does not fall ({words})"));
            }
        }
        Ok(())
    }
}

fn leaves(program: &Program, action: Action) -> String {
    format!("a step leaves the set ({})", describe_action(program, action))
}

impl Visitor for Look<'_, '_> {
    type Stop = String;

    fn saw(&mut self, findings: &[Finding], bounds: BoundsMet) -> Result<(), String> {
        self.looker.saw(findings, bounds)
    }

    fn reached(&mut self, action: Action, row: &[u32]) -> Result<(), String> {
        self.after.clear();
        self.after.extend_from_slice(row);
        self.actions.push(action);
        match self.rows.pack(&mut self.after, &mut self.words) {
            true => Ok(()),
            false => Err(leaves(self.rows.columns().program(), action)),
        }
    }

    fn stuck(&mut self, state: &State, next: &Successors) -> Result<(), String> {
        self.looker.look_at(state, next)
    }
}

/// What is looked for in states and steps, and what was seen to end runs.
pub(crate) struct Looker<'a, 'p> {
    machine: Machine<'p>,
    wanted: &'a Wanted,
    /// What ended runs so far.
    pub(crate) cut: Cut,
}

impl<'a, 'p> Looker<'a, 'p> {
    /// Nothing was seen yet.
    pub(crate) fn new(machine: Machine<'p>, wanted: &'a Wanted) -> Looker<'a, 'p> {
        Looker { machine, wanted, cut: Cut::default() }
    }

    /// Whether nothing is wrong in a state and in its steps; or what is. What is cut there is noted.
    pub(crate) fn look_at(&mut self, state: &State, next: &Successors) -> Result<(), String> {
        for finding in self.machine.findings_before(state, next) {
            self.judge(finding)?;
        }
        self.saw(&next.findings(), next.bounds)
    }

    /// The same for what was found in steps.
    fn saw(&mut self, findings: &[Finding], bounds: BoundsMet) -> Result<(), String> {
        for &finding in findings {
            self.judge(finding)?;
            self.cut.fault |= matches!(finding, Finding::Fault(_));
            self.cut.buffer |= finding == Finding::FullBuffer;
        }
        let BoundsMet { buffer, threads, calls } = bounds;
        self.cut = self.cut.or(Cut { buffer, threads, calls, fault: false });
        Ok(())
    }

    fn judge(&self, finding: Finding) -> Result<(), String> {
        match self.wanted.forbids(finding) {
            true => Err(format!("`{}` is violated", finding.name(self.machine.program()))),
            false => Ok(()),
        }
    }
}
