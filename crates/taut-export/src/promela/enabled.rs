//! Whether a process can take a step: what a claim may ask of it.
//!
//! It is what SPIN's own `enabled()` says of the process's options, written out, because SPIN refuses to
//! compute that together with some of what an export needs.

use taut_ir::{Expr, ProcId, Step};

use super::Exporter;
use super::conditions::{Bound, Moment, Site, conjunction};

impl Exporter<'_> {
    /// Whether a process can take a step. A step that goes wrong counts, one that a bound holds back does
    /// not.
    pub(super) fn enabled(&self, process: ProcId) -> String {
        let steps = &self.program.def_of(process).steps;
        let all: Vec<_> = steps.iter().map(|step| self.is_possible(process, step)).collect();
        if all.is_empty() { "false".into() } else { format!("({})", all.join(" || ")) }
    }

    fn is_possible(&self, process: ProcId, step: &Step) -> String {
        let moment = Moment { process, step, timeout: false, site: Site::Open };
        let mut all = vec![self.is_at(process, step.source)];
        all.extend(self.is_let_go(moment));
        all.push(self.could_start(moment));
        let bounds = self.bounds(moment).into_iter();
        let within: Vec<_> = bounds.filter(|(_, b)| *b != Bound::Error).map(|(w, _)| w).collect();
        if !within.is_empty() {
            let within = conjunction(within);
            all.push(match self.fault(moment.scope(), &step.guard) {
                Some(fault) => format!("({fault} || ({within}))"),
                None => format!("({within})"),
            });
        }
        format!("({})", conjunction(all))
    }

    /// Whether a property asks whether some process can take a step.
    pub(super) fn asks_enabled(&self) -> bool {
        let mut asks = false;
        for expr in self.program.properties.iter().flat_map(|p| p.kind.exprs()) {
            expr.visit(&mut |e| asks |= matches!(e, Expr::Enabled(_)));
        }
        asks
    }
}
