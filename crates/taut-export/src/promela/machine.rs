//! The form with one process, `machine`, that does everything: each round takes one step, one rendezvous or
//! one commit.
//!
//! Here a process can be moved by another, and the machine knows when nothing can happen: that is the `else`
//! of all its options. Then, in this order: a process that holds the others lets go of them; timeouts are
//! true; and the run has ended, well if every living process is where it may end.

use taut_ir::{ChanId, LocId, MemoryModel, ProcId};

use super::Exporter;
use super::conditions::{Moment, conjunction};
use super::effects::FAULT;
use super::features::waits_for_timeout;
use super::text::Text;
use crate::ExportError;

/// Where a round begins.
const NEXT: &str = "next";

impl Exporter<'_> {
    pub(super) fn machine(&self, text: &mut Text) -> Result<(), ExportError> {
        text.line("");
        text.open("active proctype machine() {");
        text.label(NEXT);
        let mut body = Text::inside(text, 0);
        self.round(&mut body)?;
        let faults = body.mentions(&format!("goto {FAULT}"));
        text.append(body);
        self.ending(text);
        if faults {
            self.fault_label(text);
        }
        text.close("}");
        text.line("");
        Ok(())
    }

    fn round(&self, text: &mut Text) -> Result<(), ExportError> {
        let mut options = Text::inside(text, 1);
        self.all_options(&mut options, false)?;
        if self.memory.model != MemoryModel::Sc {
            self.commits(&mut options);
        }
        self.choice(text, options, ("do", "od;"), ":: else -> break");
        if self.has_holder {
            text.line(&format!("if :: (holder != 0) -> holder = 0; goto {NEXT} :: else fi;"));
        }
        let mut late = Text::inside(text, 1);
        self.all_options(&mut late, true)?;
        self.choice(text, late, ("if", "fi;"), ":: else");
        Ok(())
    }

    /// A choice among options, with what happens if there are none.
    fn choice(&self, text: &mut Text, options: Text, (begin, end): (&str, &str), otherwise: &str) {
        if options.is_empty() {
            return;
        }
        text.open(begin);
        text.append(options);
        text.line(otherwise);
        text.close(end);
    }

    /// Nothing can happen any more.
    fn ending(&self, text: &mut Text) {
        let stops = self.program.process_ids().map(|p| self.may_stop(p));
        text.line(&format!("({});", conjunction(stops)));
        text.label("end_quiet");
        text.line("(false);");
    }

    /// Whether a process may stay where it is for ever.
    fn may_stop(&self, process: ProcId) -> String {
        let locations = self.program.def_of(process).locations.iter().enumerate();
        let ends = locations.filter(|(_, l)| l.end).map(|(i, _)| LocId::from(i));
        let mut any: Vec<_> = ends.map(|l| self.is_at(process, l)).collect();
        if self.has_flag(process) {
            any.push(format!("!{}", self.names.own(process, "go")));
        }
        if any.is_empty() { "false".into() } else { format!("({})", any.join(" || ")) }
    }

    /// What all processes can do; with `timeout` only what depends on it.
    fn all_options(&self, text: &mut Text, timeout: bool) -> Result<(), ExportError> {
        for process in self.program.process_ids() {
            for step in &self.program.def_of(process).steps {
                let moment = Moment { process, step, timeout };
                if !timeout || self.is_late(moment) {
                    self.options(text, moment);
                }
                self.handshakes(text, moment)?;
            }
        }
        Ok(())
    }

    /// Whether what comes of a step depends on `timeout`.
    pub(super) fn is_late(&self, moment: Moment) -> bool {
        waits_for_timeout(&self.program.def_of(moment.process).steps, moment.step)
    }

    /// That a process is at a step and its mode lets it start.
    fn at_hand(&self, moment: Moment) -> Vec<String> {
        let mut all = vec![self.is_at(moment.process, moment.step.source)];
        all.extend(self.needs(moment));
        all
    }

    /// That a step can start as far as it is up to its process.
    pub(super) fn startable(&self, moment: Moment) -> Vec<String> {
        let mut all = self.at_hand(moment);
        all.extend(self.guarded(moment));
        all.extend(self.yields(moment));
        all
    }

    /// A step as options: on each channel that it can be about, and where it faults before it starts. What
    /// is about a channel of capacity 0 is no step of its own.
    fn options(&self, text: &mut Text, moment: Moment) {
        let scope = moment.scope();
        if let Some(fault) = self.fault(scope, &moment.step.guard) {
            self.fault_option(text, moment, self.at_hand(moment).into_iter().chain([fault]));
        }
        let start = self.startable(moment);
        let Some(op) = &moment.step.channel else { return self.option(text, moment, start, None) };
        let fault = self.channel_fault(scope, op.channel());
        let mut start = start;
        if let Some(fault) = fault {
            self.fault_option(text, moment, start.iter().cloned().chain([fault.clone()]));
            start.push(format!("!({fault})"));
        }
        for id in self.ranges.channels(moment.process, op.channel()) {
            if self.capacity(id) == 0 {
                continue;
            }
            let mut waits = start.clone();
            waits.extend(self.is_channel(scope, op.channel(), id));
            waits.push(self.has_room_or_message(op, id));
            if let Some(fault) = self.match_fault(scope, op, id) {
                self.fault_option(text, moment, waits.iter().cloned().chain([fault.clone()]));
                waits.push(format!("!({fault})"));
            }
            waits.extend(self.matches(scope, op, id));
            self.option(text, moment, waits, Some(id));
        }
    }

    /// A step that is taken, and what is left of it where a bound holds it back.
    fn option(&self, text: &mut Text, moment: Moment, waits: Vec<String>, id: Option<ChanId>) {
        let bounds = self.bounds(moment, id);
        self.bound_options(text, moment, &waits, &bounds);
        let all = waits.into_iter().chain(bounds.into_iter().map(|(bound, _)| bound));
        text.open(&format!(":: atomic {{ ({}) ->", conjunction(all)));
        self.show(text, moment);
        if let Some(id) = id {
            self.transfer(text, moment, id);
        }
        self.effects(text, moment);
        self.go(text, moment);
        self.finish(text, moment, moment.step.holds);
        text.close("}");
    }

    /// A step that faults before it changes anything.
    pub(super) fn fault_option(
        &self,
        text: &mut Text,
        moment: Moment,
        when: impl Iterator<Item = String>,
    ) {
        let then = if moment.timeout { format!("; goto {NEXT}") } else { String::new() };
        text.line(&format!(
            ":: atomic {{ ({}) -> assert(false){then} }} /* fault */",
            conjunction(when)
        ));
    }

    /// Where a bound holds a step back, something that changes nothing: such a state is no deadlock. It
    /// is nothing that a process could go on with, so it waits until nobody is held.
    pub(super) fn bound_options(
        &self,
        text: &mut Text,
        moment: Moment,
        waits: &[String],
        bounds: &[(String, bool)],
    ) {
        for (bound, error) in bounds {
            let mut when = waits.to_vec();
            if self.has_holder && !error {
                when.push("holder == 0".into());
            }
            when.push(format!("!({bound})"));
            let then = if *error { "assert(false)" } else { "skip" };
            let next = if moment.timeout { format!("; goto {NEXT}") } else { String::new() };
            let when = conjunction(when);
            text.line(&format!(":: atomic {{ ({when}) -> {then}{next} }} /* bound */"));
        }
    }

    /// The end of a round, after the step of a process that then holds the others or does not.
    pub(super) fn finish(&self, text: &mut Text, moment: Moment, holds: bool) {
        if self.has_holder {
            let holder = if holds { moment.process.0 + 1 } else { 0 };
            text.line(&format!("holder = {holder};"));
        }
        if moment.timeout {
            text.line(&format!("goto {NEXT}"));
        }
    }
}
