//! The form with a `proctype` for each process: a label for each program point, an atomic block for each step.
//!
//! A step that holds the others leads to a second label of its target, inside of an atomic block. A jump
//! from one atomic block into another keeps SPIN's hold; where the process cannot go on it jumps out, to
//! the first label. So a hold is one move of SPIN's, no state inside of it is seen by anybody, and nobody
//! ever waits inside.

use taut_ir::{Control, MemoryFairness, PointId, ProcId, ProcessDef};

use super::Exporter;
use super::conditions::{Moment, Site};
use super::control::return_targets;
use super::effects::FAULT;
use super::names::label;
use super::options::Choice;
use crate::text::Text;

/// The label at which a process waits to be started.
pub(super) const START: &str = "end_start";

/// The label at which a process is stuck that was started and never took a step since it was at its entry.
const STUCK: &str = "stuck";

/// The program points that steps lead to, by whether the process holds the others then.
struct Arrivals {
    open: Vec<bool>,
    held: Vec<bool>,
}

impl Arrivals {
    fn any(&self, point: PointId) -> bool {
        self.open[point.index()] || self.held[point.index()]
    }

    fn of(def: &ProcessDef) -> Arrivals {
        let none = vec![false; def.points.len()];
        let mut all = Arrivals { open: none.clone(), held: none };
        for step in &def.steps {
            let targets = match &step.target {
                Control::Goto(to) => vec![*to],
                Control::Call { procedure, .. } => vec![def.procedures[procedure.index()].entry],
                Control::Return => return_targets(def),
                Control::Exit => vec![],
            };
            let marks = if step.holds { &mut all.held } else { &mut all.open };
            targets.into_iter().for_each(|to| marks[to.index()] = true);
        }
        all
    }
}

impl Exporter<'_> {
    pub(super) fn process(&self, text: &mut Text, process: ProcId) {
        text.line("");
        text.open(&format!("active proctype {}() {{", self.names.process(process)));
        let mut body = Text::inside(text, 0);
        self.points(&mut body, process);
        let faults = body.mentions(&format!("goto {FAULT}"));
        text.append(body);
        if faults {
            self.fault_label(text);
        }
        text.close("}");
    }

    /// All program points. What comes first is where SPIN starts: a jump there would be a move of its own.
    fn points(&self, text: &mut Text, process: ProcId) {
        let def = self.program.def_of(process);
        let arrivals = Arrivals::of(def);
        if self.has_flag(process) {
            self.waiting(text, process);
        } else {
            self.point(text, process, def.entry, Site::Open);
        }
        let all = (0..def.points.len()).map(PointId::from);
        let all: Vec<_> = all.filter(|&l| !self.ends_at(process, l)).collect();
        for &point in all.iter().filter(|&&l| l != def.entry && arrivals.any(l)) {
            self.point(text, process, point, Site::Open);
        }
        let held = all.iter().filter(|&&l| arrivals.held[l.index()] && has_steps(def, l));
        let held: Vec<_> = held.collect();
        if held.is_empty() {
            return;
        }
        text.open("atomic {");
        text.line("(false);");
        for &point in held {
            self.point(text, process, point, Site::Held);
        }
        text.close("};");
    }

    /// The label of a program point, for a process that holds the others or does not. Where nothing can be done
    /// nobody is held.
    pub(super) fn label(&self, process: ProcId, point: PointId, holds: bool) -> String {
        let def = self.program.def_of(process);
        let holds = holds && has_steps(def, point);
        if !holds && self.has_flag(process) && point == def.entry {
            return START.into();
        }
        label(point, def.points[point.index()].end, holds)
    }

    /// Whether a process commits its own stores at a program point: see [`super::fairness`].
    fn empties_own_buffer(&self, process: ProcId, point: PointId) -> bool {
        let mut steps = self.program.def_of(process).steps_from(point);
        self.temporal
            && self.options.fairness.memory == MemoryFairness::Process
            && steps.any(|(_, step)| self.memory.model.needs_drained(step))
    }

    fn point(&self, text: &mut Text, process: ProcId, point: PointId, site: Site) {
        let open = self.label(process, point, false);
        let mut choice = self.choice_at(text, process, point, site);
        if site == Site::Held {
            text.label(&self.label(process, point, true));
            choice.text.line(&format!(":: else -> goto {open}"));
        } else {
            text.label(&open);
        }
        self.write_choice(text, choice);
    }

    /// The place where a process waits to be started. It is the entry, too, so that a start is no move.
    /// That a process may wait here for ever is true only as long as it is not started; so where nothing
    /// can happen, one that is started goes to another label.
    fn waiting(&self, text: &mut Text, process: ProcId) {
        let def = self.program.def_of(process);
        text.label(START);
        let mut choice = self.choice_at(text, process, def.entry, Site::Start);
        let may_end = def.points[def.entry.index()].end;
        if !may_end {
            let started = self.is_started(process);
            choice.text.line(&format!(":: atomic {{ ({started} && timeout) -> goto {STUCK} }}"));
        }
        self.write_choice(text, choice);
        if !may_end {
            text.label(STUCK);
            text.line("(false);");
        }
    }

    fn choice_at(&self, text: &Text, process: ProcId, point: PointId, site: Site) -> Choice {
        let mut choice = Choice::inside(text, 1);
        for (_, step) in self.program.def_of(process).steps_from(point) {
            self.options(&mut choice, Moment { process, step, timeout: false, site });
        }
        if site != Site::Held && self.empties_own_buffer(process, point) {
            let here = self.label(process, point, false);
            self.own_commits(&mut choice.text, process, &here);
        }
        choice
    }

    fn write_choice(&self, text: &mut Text, choice: Choice) {
        if choice.text.is_empty() {
            return text.line("(false);");
        }
        text.open("if");
        text.append(choice.text);
        text.close("fi;");
    }
}

fn has_steps(def: &ProcessDef, point: PointId) -> bool {
    def.steps_from(point).next().is_some()
}
