//! Priorities of processes ([`taut_ir::priority`]), in the form with one machine.
//!
//! SPIN's own priorities are not used: the export has one process, and commits have no priority. Instead, each round
//! of the machine, and each step of a process that holds the others, first computes the highest priority among the
//! processes that are enabled. An option of a process waits for that priority or a higher one: the process is stopped
//! exactly if some enabled process has a higher priority than its own. The variable is 0 between moves, so that it
//! adds no states.

use taut_ir::{Expr, ProcId};

use super::Exporter;
use super::conditions::{Moment, Site, conjunction};
use super::expr::Scope;
use crate::text::Text;

/// The variable with the highest priority of an enabled process.
pub(super) const TOP: &str = "top";

impl Exporter<'_> {
    /// That no process of a higher priority is enabled; asked only where a step of the source begins.
    pub(super) fn has_highest_priority(&self, moment: Moment) -> Option<String> {
        let points = &self.program.def_of(moment.process).points;
        let own = self.priority(moment.process)?;
        let inner = points[moment.step.source.index()].inner;
        (!inner).then(|| format!("{own} >= {TOP}"))
    }

    /// The priority of a living process.
    fn priority(&self, process: ProcId) -> Option<String> {
        let var = self.program.priorities?;
        let scope = Scope { process, direct: true, timeout: false };
        Some(self.expr(scope, &Expr::VarElem(var, Box::new(Expr::Pid))))
    }

    /// Computes the highest priority of an enabled process.
    pub(super) fn rank(&self, text: &mut Text, timeout: bool) {
        if self.program.priorities.is_none() {
            return;
        }
        // SPIN refuses jumps to a `d_step` that comes first behind a label or in a loop.
        text.line(&format!("{TOP} = 0;"));
        text.open("d_step {");
        text.line("skip;");
        for process in self.program.process_ids() {
            self.rank_process(text, process, timeout);
        }
        text.close("};");
    }

    fn rank_process(&self, text: &mut Text, process: ProcId, timeout: bool) {
        let Some(priority) = self.priority(process) else { return };
        let steps = &self.program.def_of(process).steps;
        let starts = steps.iter().map(|step| {
            let moment = Moment { process, step, timeout, site: Site::Round };
            let at = self.is_at(process, step.source);
            format!("({})", conjunction([at, self.could_start(moment)]))
        });
        let starts: Vec<_> = starts.collect();
        if starts.is_empty() {
            return;
        }
        let lives = self.alive(process);
        text.open("if");
        text.line(&format!(":: ({lives} && {priority} > {TOP} && ({})) ->", starts.join(" || ")));
        text.line(&format!("   {TOP} = {priority}"));
        text.line(":: else");
        text.close("fi;");
    }

    /// Sets the variable back, at the end of a move.
    pub(super) fn forget_rank(&self, text: &mut Text) {
        if self.program.priorities.is_some() {
            text.line(&format!("{TOP} = 0;"));
        }
    }
}
