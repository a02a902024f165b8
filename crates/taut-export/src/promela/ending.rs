//! The process that moves where nothing else can, in the form with a `proctype` for each process.
//!
//! If a bound is to blame it ends the run. Otherwise the run has come to its end, where a property takes it
//! to stay for ever; and so it does here. SPIN's claims go on by themselves at the end of a run, too, but
//! in SPIN 6.5.2 not always together with `-f`: `ltl q { <> [] (x == 7) }` holds there in a model in which
//! nothing ever happens. For the same reason `-DNOSTUTTER` is no way to look at infinite runs only. A
//! process that goes on for ever would hide deadlocks, so for the question of deadlock it is left out.

use super::Exporter;
use super::conditions::{Moment, Site};
use super::options::Choice;
use crate::text::Text;

impl Exporter<'_> {
    pub(super) fn ending_process(&self, text: &mut Text) {
        let bounds = self.all_bounds(text);
        if bounds.is_empty() && !self.temporal {
            return;
        }
        let beyond = Self::is_beyond(&bounds);
        text.open("active proctype ending() {");
        text.label("end_ending");
        text.open("do");
        if !bounds.is_empty() {
            text.line(&format!(":: atomic {{ (timeout && ({beyond})) -> {} }}", self.stop(false)));
        }
        if self.temporal {
            let within = if bounds.is_empty() { String::new() } else { format!(" && !({beyond})") };
            let ended = if self.infinite_runs { "ended = 1" } else { "skip" };
            text.line(&format!("#ifndef {SAFETY}"));
            text.line(&format!(":: atomic {{ (timeout{within}) -> {ended} }}"));
            text.line("#endif");
            // Something must be left, for ever disabled.
            text.line(":: (false)");
        }
        text.close("od;");
        if !bounds.is_empty() {
            self.fault_label(text);
        }
        text.close("}");
    }

    /// When a bound holds some step back.
    fn all_bounds(&self, text: &Text) -> Vec<String> {
        let mut choice = Choice::inside(text, 0);
        for process in self.program.process_ids().filter(|p| self.observed[p.index()]) {
            for step in &self.program.def_of(process).steps {
                self.options(
                    &mut choice,
                    Moment { process, step, timeout: false, site: Site::Outside },
                );
            }
        }
        choice.bounds
    }
}

/// What SPIN is to define for the questions of assertions and deadlock.
pub(super) const SAFETY: &str = "SAFETY";
