//! Store buffers: storing, fences, room, and the process that commits.
//!
//! A TSO buffer is a queue of places and values. Beside it stand, for each place, how many of its stores
//! wait and the newest value, so that a load is one expression; both follow from the queue. A PSO buffer is
//! a queue of values for each place; store fences are kept as epochs, as in `taut-memory`. Under delayed
//! writes a queue has one entry, which a newer store overwrites.

use taut_ir::{Atomics, Buffers, MemoryFairness, ProcId};
use taut_memory::CellId;

use super::Exporter;
use crate::text::Text;

/// Commits from a buffer: of a process, or of a process and a place.
#[derive(Clone, Copy)]
struct Commit {
    process: ProcId,
    place: Option<CellId>,
}

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
        match self.memory.model.buffers() {
            Buffers::None => text.line(&format!("mem[{place}] = {value};")),
            Buffers::PerProcess => {
                // The value may be read through the very entries that are written here: it goes first.
                text.line(&format!("{val}[{len}] = {value};"));
                text.line(&format!("{}[{len}] = {place};", own("at")));
                text.line(&format!("{}[{place}] = {val}[{len}];", own("new")));
                text.line(&format!("{}[{place}]++;", own("cnt")));
                text.line(&format!("{len}++;"));
            }
            Buffers::PerCell => {
                let entry = format!("({place}) * {bound} + {len}[{place}]");
                text.line(&format!("{val}[{entry}] = {value};"));
                if self.has_fences(process) {
                    text.line(&format!("{}[{entry}] = {};", own("epoch"), own("now")));
                }
                text.line(&format!("{len}[{place}]++;"));
            }
            Buffers::Slot => {
                text.line(&format!("{val}[{place}] = {value};"));
                if self.has_fences(process) {
                    text.line(&format!("{}[{place}] = {};", own("epoch"), own("now")));
                }
                text.line(&format!("{len}[{place}] = 1;"));
                self.close_gaps(text, process);
            }
        }
    }

    /// An atomic write of a process to a place.
    pub(super) fn atomic_write(&self, text: &mut Text, process: ProcId, place: &str, value: &str) {
        text.line(&format!("mem[{place}] = {value};"));
        let may_wait = !self.buffered(process).is_empty();
        if self.memory.model.atomics() == Atomics::Drain || !may_wait {
            return;
        }
        let own = |what: &str| self.names.own(process, what);
        text.line(&format!("{}[{place}] = 0; {}[{place}] = 0;", own("len"), own("val")));
        if self.has_fences(process) {
            text.line(&format!("{}[{place}] = 0;", own("epoch")));
        }
        self.close_gaps(text, process);
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
        match self.memory.model.buffers() {
            _ if stores.is_empty() => None,
            Buffers::None | Buffers::Slot => None,
            Buffers::PerProcess => Some(format!("{len} + {} <= {}", stores.len(), self.bound)),
            Buffers::PerCell => {
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

    /// The processes that commit: one, or one for each buffer where each has to be treated fairly.
    pub(super) fn memory_processes(&self, text: &mut Text) {
        let commits = self.all_commits();
        if commits.is_empty() {
            return;
        }
        let each = self.temporal && self.options.fairness.memory == MemoryFairness::Buffers;
        if !each {
            return self.memory_process(text, "memory", &commits);
        }
        for commit in commits {
            let what = match commit.place {
                None => "memory".to_string(),
                Some(place) => format!("memory{}", place.0),
            };
            self.memory_process(text, &self.names.own(commit.process, &what), &[commit]);
        }
    }

    fn memory_process(&self, text: &mut Text, name: &str, commits: &[Commit]) {
        text.open(&format!("active proctype {name}() {{"));
        text.label("end_memory");
        text.open("do");
        commits.iter().for_each(|&commit| self.commit(text, commit, "skip"));
        text.close("od");
        text.close("}");
        text.line("");
    }

    /// How many processes commit.
    pub(super) fn memory_process_count(&self) -> usize {
        let commits = self.all_commits().len();
        match self.options.fairness.memory {
            MemoryFairness::Buffers => commits,
            MemoryFairness::None | MemoryFairness::Process => commits.min(1),
        }
    }

    /// All commits, as options.
    pub(super) fn commits(&self, text: &mut Text) {
        self.all_commits().into_iter().for_each(|commit| self.commit(text, commit, "skip"));
    }

    /// All commits of a process as options of its own, each of which leads back to a label.
    pub(super) fn own_commits(&self, text: &mut Text, process: ProcId, label: &str) {
        let own = self.all_commits().into_iter().filter(|c| c.process == process);
        own.for_each(|commit| self.commit(text, commit, &format!("goto {label}")));
    }

    /// One for each buffer that can ever hold anything.
    fn all_commits(&self) -> Vec<Commit> {
        let of = |process: ProcId| {
            let places = self.buffered(process);
            let places: Vec<_> = match self.memory.model.buffers() {
                Buffers::None => vec![],
                Buffers::PerProcess => places.first().map(|_| None).into_iter().collect(),
                Buffers::PerCell | Buffers::Slot => places.into_iter().map(Some).collect(),
            };
            places.into_iter().map(move |place| Commit { process, place })
        };
        self.program.process_ids().flat_map(of).collect()
    }

    /// A commit, and what comes after it.
    fn commit(&self, text: &mut Text, Commit { process, place }: Commit, then: &str) {
        match place {
            None => self.commit_tso(text, process),
            Some(place) => self.commit_pso(text, process, place),
        }
        self.reset_when_drained(text, process);
        text.line(then);
        text.close("}");
    }

    /// What nothing may hold while something commits.
    fn may_commit(&self) -> &'static str {
        if self.has_atomic_points { "holder == 0 && " } else { "" }
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
        text.line(&format!("{len}--;"));
    }

    fn commit_pso(&self, text: &mut Text, process: ProcId, place: CellId) {
        let own = |what: &str| self.names.own(process, what);
        let (len, val, epoch) = (own("len"), own("val"), own("epoch"));
        let fences = self.has_fences(process);
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
    }

    /// Under delayed writes, moves epochs down that stand above one of which nothing waits any more.
    fn close_gaps(&self, text: &mut Text, process: ProcId) {
        if !self.has_fences(process) {
            return;
        }
        let own = |what: &str| self.names.own(process, what);
        let (len, epoch, now) = (own("len"), own("epoch"), own("now"));
        let places = || self.buffered(process).into_iter().map(|p| p.0);
        for gap in 0..places().count() {
            let none = places().map(|k| format!("!({len}[{k}] > 0 && {epoch}[{k}] == {gap})"));
            let none = none.collect::<Vec<_>>().join(" && ");
            text.open("if");
            text.open(&format!(":: ({now} > {gap} && {none}) ->"));
            text.line(&format!("{now}--;"));
            for k in places() {
                text.line(&format!("if :: ({epoch}[{k}] > {gap}) -> {epoch}[{k}]-- :: else fi;"));
            }
            text.close("skip");
            text.line(":: else");
            text.close("fi;");
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
