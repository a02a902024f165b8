//! What SPIN's fairness means in an export.
//!
//! SPIN's `-f` is weak fairness of SPIN's processes, all of them. With a `proctype` for each process and
//! one for the memory, or for each buffer, that is the fairness of processes and memory. Where the memory
//! is one process, who waits at a fence is sure to see its own stores committed: there it can commit them
//! itself, as the fences of mmlib do. Fairness of processes alone or of the memory alone cannot be had from
//! SPIN, and in the form with one machine `-f` means nothing.

use taut_ir::{Fairness, MemoryFairness};

use super::Exporter;
use super::ending::SAFETY;
use crate::ExportError;
use crate::text::Text;

impl Exporter<'_> {
    /// The fairness asked for, without what makes no difference because nothing ever waits in a buffer.
    fn fairness(&self) -> Fairness {
        let asked = self.options.fairness;
        match self.memory_process_count() {
            0 => Fairness { memory: MemoryFairness::None, ..asked },
            _ => asked,
        }
    }

    /// Refuses a fairness that SPIN does not have.
    pub(super) fn check_fairness(&self) -> Result<(), ExportError> {
        let Fairness { process, memory } = self.fairness();
        let commits = self.memory_process_count() > 0;
        if !self.temporal || !commits || process == (memory != MemoryFairness::None) {
            return Ok(());
        }
        Err(ExportError::new(format!(
            "SPIN is fair to processes and memory or to neither, which is not fairness `{}`",
            self.options.fairness
        )))
    }

    /// Why SPIN's verdicts are not about the fairness asked for.
    fn unfair_because(&self) -> Option<&'static str> {
        let fairness = self.fairness();
        if !self.temporal || fairness == Fairness::NONE {
            None
        } else if self.one_machine {
            Some("one process does everything, so that every run is fair to SPIN")
        } else if self.has_atomic_points && fairness.memory == MemoryFairness::Buffers {
            Some(
                "a buffer that cannot commit because of an atomic program point needs not be emptied",
            )
        } else {
            None
        }
    }

    /// Whether SPIN's verdicts are about the fairness asked for.
    pub(super) fn is_exact(&self) -> bool {
        self.unfair_because().is_none()
    }

    /// What a verifier of claims is compiled with.
    pub(super) fn compile_flags(&self) -> Vec<String> {
        let mut flags = vec!["-DNOREDUCE".to_string()];
        let processes = match self.one_machine {
            true => 1,
            false => self.program.processes.len() + self.memory_process_count(),
        };
        // SPIN has room for three less than four times as many, besides the claim and `ending`.
        let needed = processes.div_ceil(4) + 1;
        if needed > 2 {
            flags.push(format!("-DNFAIR={needed}"));
        }
        flags
    }

    /// What a verifier of claims is run with, besides the name of one.
    pub(super) fn run_flags(&self, asserts: bool) -> Vec<String> {
        let mut flags = vec!["-a".to_string()];
        if asserts {
            flags.push("-A".into());
        }
        if self.fairness().process && !self.one_machine {
            flags.push("-f".into());
        }
        flags
    }

    /// How to ask SPIN about the claims, as a comment.
    pub(super) fn explain_claims(&self, text: &mut Text, asserts: bool) {
        if !self.temporal {
            return;
        }
        let (compile, run) = (self.compile_flags().join(" "), self.run_flags(asserts).join(" "));
        text.line(&format!("/* Claims, fairness {}:", self.options.fairness));
        text.line(&format!("   spin -a FILE; gcc {compile} -o pan pan.c; ./pan {run} -N NAME"));
        text.line("   Assertions and deadlock, without claims:");
        text.line(&format!(
            "   spin -D{SAFETY} -a FILE; gcc -DSAFETY -DNOCLAIM -o pan pan.c; ./pan"
        ));
        if let Some(why) = self.unfair_because() {
            text.line(&format!("   This fairness is NOT what SPIN checks: {why}."));
        }
        text.line("*/");
    }
}
