//! The form with one process, `machine`, that does everything: each round takes one step, one rendezvous or
//! one commit.
//!
//! Here a process can be moved by another, and the machine knows when nothing can happen: that is the
//! `else` of all its options. Then, in this order: a bound may be to blame; timeouts are true; and the run
//! has ended, well if every living process is where it may end. While a process holds the others, the
//! machine stays in an atomic block with what that process can do; when there is nothing, it holds nobody.

use taut_ir::{PointId, ProcId};

use super::Exporter;
use super::conditions::{Moment, Site, conjunction};
use super::effects::FAULT;
use super::features::waits_for_timeout;
use super::options::Choice;
use crate::ExportError;
use crate::text::Text;

/// Where a round begins.
const NEXT: &str = "next";
/// Where a process goes on that holds the others.
const HELD: &str = "held";
/// Where nothing can happen any more.
const QUIET: &str = "quiet";

impl Exporter<'_> {
    pub(super) fn machine(&self, text: &mut Text) -> Result<(), ExportError> {
        text.line("");
        text.open("active proctype machine() {");
        text.label(NEXT);
        let mut body = Text::inside(text, 0);
        self.round(&mut body)?;
        self.ending(&mut body);
        if self.has_holder {
            self.held(&mut body)?;
        }
        let faults = body.mentions(&format!("goto {FAULT}"));
        text.append(body);
        if faults {
            self.fault_label(text);
        }
        text.close("}");
        text.line("");
        Ok(())
    }

    fn round(&self, text: &mut Text) -> Result<(), ExportError> {
        if self.program.priorities.is_some() {
            return self.ranked_round(text);
        }
        let mut choice = Choice::inside(text, 1);
        self.all_options(&mut choice, false, Site::Open)?;
        if self.memory.model.is_relaxed() {
            self.commits(&mut choice.text);
        }
        text.open("do");
        text.append(choice.text);
        text.open(":: atomic { else ->");
        self.nothing_else(text, &choice.bounds)?;
        text.close("}");
        text.close("od;");
        Ok(())
    }

    /// A round with priorities: the highest one is found before anything is chosen. That belongs to the move.
    fn ranked_round(&self, text: &mut Text) -> Result<(), ExportError> {
        let mut choice = Choice::inside(text, 3);
        self.all_options(&mut choice, false, Site::Round)?;
        if self.memory.model.is_relaxed() {
            self.commits(&mut choice.text);
        }
        text.open("do");
        text.open(":: atomic {");
        self.rank(text, false);
        text.open("if");
        text.append(choice.text);
        text.open(":: else ->");
        self.nothing_else(text, &choice.bounds)?;
        text.back();
        text.close("fi;");
        self.forget_rank(text);
        text.close("}");
        text.close("od;");
        Ok(())
    }

    /// What happens where nothing can happen as long as `timeout` is false. All of it belongs to one move.
    fn nothing_else(&self, text: &mut Text, bounds: &[String]) -> Result<(), ExportError> {
        self.blame(text, bounds);
        let mut late = Choice::inside(text, 1);
        self.all_options(&mut late, true, Site::Held)?;
        if !late.text.is_empty() {
            self.rank(text, true);
            text.open("if");
            text.append(late.text);
            text.line(":: else");
            text.close("fi;");
        }
        self.blame(text, &late.bounds);
        self.forget_rank(text);
        let ended = if self.infinite_runs { "ended = 1; " } else { "" };
        text.line(&format!("{ended}goto {QUIET}"));
        Ok(())
    }

    /// A state that a bound stops is no deadlock, and no run goes through it.
    fn blame(&self, text: &mut Text, bounds: &[String]) {
        if !bounds.is_empty() {
            let (beyond, stop) = (Self::is_beyond(bounds), self.stop(false));
            text.line(&format!("if :: ({beyond}) -> {stop} :: else fi; /* bound */"));
        }
    }

    /// What a process can do that holds the others.
    fn held(&self, text: &mut Text) -> Result<(), ExportError> {
        text.open("atomic {");
        text.line("(false);");
        text.label(HELD);
        let mut choice = Choice::inside(text, 1);
        self.all_options(&mut choice, false, Site::Held)?;
        self.rank(text, false);
        text.open("if");
        text.append(choice.text);
        text.open(":: else ->");
        self.forget_rank(text);
        text.line(&format!("holder = 0; goto {NEXT}"));
        text.back();
        text.close("fi;");
        text.close("};");
        Ok(())
    }

    /// Nothing can happen any more.
    fn ending(&self, text: &mut Text) {
        let stops = self.program.process_ids().map(|p| self.may_stop(p));
        text.label(QUIET);
        text.line(&format!("({});", conjunction(stops)));
        text.label("end_quiet");
        text.line("(false);");
    }

    /// Whether a process may stay where it is for ever.
    fn may_stop(&self, process: ProcId) -> String {
        let points = self.program.def_of(process).points.iter().enumerate();
        let ends = points.filter(|(_, l)| l.end).map(|(i, _)| PointId::from(i));
        let mut any: Vec<_> = ends.map(|l| self.is_at(process, l)).collect();
        if self.has_flag(process) {
            any.push(format!("!{}", self.names.own(process, "go")));
        }
        if any.is_empty() { "false".into() } else { format!("({})", any.join(" || ")) }
    }

    /// What all processes can do; with `timeout` only what depends on it.
    fn all_options(
        &self,
        choice: &mut Choice,
        timeout: bool,
        site: Site,
    ) -> Result<(), ExportError> {
        for process in self.program.process_ids() {
            for step in &self.program.def_of(process).steps {
                let moment = Moment { process, step, timeout, site };
                if !timeout || self.is_late(moment) {
                    self.options(choice, moment);
                }
                self.handshakes(choice, moment)?;
            }
        }
        Ok(())
    }

    /// Whether what comes of a step depends on `timeout`.
    pub(super) fn is_late(&self, moment: Moment) -> bool {
        waits_for_timeout(&self.program.def_of(moment.process).steps, moment.step)
    }

    /// The end of a round, after the step of a process that then holds the others or does not.
    pub(super) fn finish(&self, text: &mut Text, moment: Moment, holds: bool) {
        if holds {
            text.line(&format!("holder = {}; goto {HELD}", moment.process.0 + 1));
        } else if matches!(moment.site, Site::Held | Site::Round) {
            self.forget_rank(text);
            let free = if self.has_holder { "holder = 0; " } else { "" };
            text.line(&format!("{free}goto {NEXT}"));
        }
    }
}
