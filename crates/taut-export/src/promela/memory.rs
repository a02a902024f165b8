//! Store buffers: storing, fences, room, and the process that commits.
//!
//! A TSO buffer is a queue of places and values. Beside it stand, for each place, how many of its stores wait
//! and the newest value, so that a load is one expression; both follow from the queue. A PSO buffer is a
//! queue of values for each place; store fences are kept as epochs, as in `taut-memory`.

use taut_ir::{MemoryModel, ProcId};

use super::Exporter;
use super::text::Text;

impl Exporter<'_> {
    /// A store of a process to a place through its buffer; there is room.
    pub(super) fn buffered_store(
        &self,
        text: &mut Text,
        process: ProcId,
        place: &str,
        value: &str,
    ) {
        let own = |what: &str| self.names.own(process, what);
        let (len, val, bound) = (own("len"), own("val"), self.bound);
        match self.memory.model {
            MemoryModel::Sc => text.line(&format!("mem[{place}] = {value};")),
            MemoryModel::Tso => {
                // The value may be read through the very entries that are written here: it goes first.
                text.line(&format!("{val}[{len}] = {value};"));
                text.line(&format!("{}[{len}] = {place};", own("at")));
                text.line(&format!("{}[{place}] = {val}[{len}];", own("new")));
                text.line(&format!("{}[{place}]++;", own("cnt")));
                text.line(&format!("{len}++;"));
            }
            MemoryModel::Pso => {
                let entry = format!("({place}) * {bound} + {len}[{place}]");
                text.line(&format!("{val}[{entry}] = {value};"));
                if self.has_fences(process) {
                    text.line(&format!("{}[{entry}] = {};", own("epoch"), own("now")));
                }
                text.line(&format!("{len}[{place}]++;"));
            }
        }
    }

    /// A store fence of a process.
    pub(super) fn store_fence(&self, text: &mut Text, process: ProcId) {
        let buffered = self.buffered(process);
        if !self.has_fences(process) || buffered.is_empty() {
            return;
        }
        let own = |what: &str| self.names.own(process, what);
        let (len, epoch, now) = (own("len"), own("epoch"), own("now"));
        let newest = buffered.iter().map(|p| {
            let (k, first) = (p.0, p.0 * self.bound);
            format!("({len}[{k}] > 0 && {epoch}[{first} + {len}[{k}] - 1] == {now})")
        });
        let newest: Vec<_> = newest.collect();
        text.line(&format!("if :: ({}) -> {now}++ :: else fi;", newest.join(" || ")));
    }

    /// Whether a step that stores so often to these places (numbers, as expressions) has room for it.
    pub(super) fn room(&self, process: ProcId, stores: &[String]) -> Option<String> {
        let len = self.names.own(process, "len");
        match self.memory.model {
            _ if stores.is_empty() => None,
            MemoryModel::Sc => None,
            MemoryModel::Tso => Some(format!("{len} + {} <= {}", stores.len(), self.bound)),
            MemoryModel::Pso => {
                let mut places = stores.to_vec();
                places.sort();
                places.dedup();
                let room = places.iter().map(|place| {
                    let count = stores.iter().filter(|s| *s == place).count();
                    format!("{len}[{place}] + {count} <= {}", self.bound)
                });
                Some(room.collect::<Vec<_>>().join(" && "))
            }
        }
    }

    /// The process that commits.
    pub(super) fn memory_process(&self, text: &mut Text) {
        if self.program.process_ids().all(|p| self.buffered(p).is_empty()) {
            return;
        }
        text.open("active proctype memory() {");
        text.label("end_memory");
        text.open("do");
        self.commits(text);
        text.close("od");
        text.close("}");
        text.line("");
    }

    /// All commits, as options.
    pub(super) fn commits(&self, text: &mut Text) {
        for process in self.program.process_ids().filter(|&p| !self.buffered(p).is_empty()) {
            match self.memory.model {
                MemoryModel::Sc => {}
                MemoryModel::Tso => self.commit_tso(text, process),
                MemoryModel::Pso => self.commits_pso(text, process),
            }
        }
    }

    /// What nothing may hold while something commits.
    fn may_commit(&self) -> &'static str {
        if self.has_holder { "holder == 0 && " } else { "" }
    }

    fn commit_tso(&self, text: &mut Text, process: ProcId) {
        let own = |what: &str| self.names.own(process, what);
        let (len, at, val) = (own("len"), own("at"), own("val"));
        let (cnt, new, last) = (own("cnt"), own("new"), self.bound - 1);
        text.open(&format!(":: atomic {{ ({}{len} > 0) ->", self.may_commit()));
        text.line(&format!("mem[{at}[0]] = {val}[0];"));
        text.line(&format!("{cnt}[{at}[0]]--;"));
        text.line(&format!("if :: ({cnt}[{at}[0]] == 0) -> {new}[{at}[0]] = 0 :: else fi;"));
        for i in 0..last {
            let next = i + 1;
            text.line(&format!("{at}[{i}] = {at}[{next}]; {val}[{i}] = {val}[{next}];"));
        }
        text.line(&format!("{at}[{last}] = 0; {val}[{last}] = 0;"));
        text.line(&format!("{len}--"));
        text.close("}");
    }

    fn commits_pso(&self, text: &mut Text, process: ProcId) {
        let own = |what: &str| self.names.own(process, what);
        let (len, val, epoch) = (own("len"), own("val"), own("epoch"));
        let fences = self.has_fences(process);
        for place in self.buffered(process) {
            let (k, first) = (place.0, place.0 * self.bound);
            let last = first + self.bound - 1;
            let oldest = if fences { format!(" && {epoch}[{first}] == 0") } else { String::new() };
            text.open(&format!(":: atomic {{ ({}{len}[{k}] > 0{oldest}) ->", self.may_commit()));
            text.line(&format!("mem[{k}] = {val}[{first}];"));
            for i in first..last {
                text.line(&format!("{val}[{i}] = {val}[{}];", i + 1));
                if fences {
                    text.line(&format!("{epoch}[{i}] = {epoch}[{}];", i + 1));
                }
            }
            text.line(&format!("{val}[{last}] = 0;"));
            if fences {
                text.line(&format!("{epoch}[{last}] = 0;"));
            }
            text.line(&format!("{len}[{k}]--;"));
            if fences {
                self.settle(text, process);
            }
            text.line("skip");
            text.close("}");
        }
    }

    /// Moves epochs down once nothing of epoch 0 waits.
    fn settle(&self, text: &mut Text, process: ProcId) {
        let own = |what: &str| self.names.own(process, what);
        let (len, epoch, now) = (own("len"), own("epoch"), own("now"));
        let buffered = self.buffered(process);
        let heads = buffered
            .iter()
            .map(|p| format!("({}[{}] > 0 && {epoch}[{}] == 0)", len, p.0, p.0 * self.bound));
        let heads: Vec<_> = heads.collect();
        text.open("if");
        text.line(&format!(":: ({}) -> {now} = 0", self.drained(process)));
        text.line(&format!(":: ({})", heads.join(" || ")));
        text.open(":: else ->");
        text.line(&format!("{now}--;"));
        for place in buffered {
            for i in 0..self.bound {
                let entry = place.0 * self.bound + i;
                let k = place.0;
                text.line(&format!("if :: ({len}[{k}] > {i}) -> {epoch}[{entry}]-- :: else fi;"));
            }
        }
        text.close("skip");
        text.close("fi;");
    }
}
