//! Buffers without a bound, under TSO, and SC: constraints of the semantics with load buffers, backward.
//!
//! In the *dual* semantics (Abdulla, Atig, Bouajjani and Ngo, *A load-buffer semantics for total store ordering*, LMCS
//! 14(1), 2018) a buffer runs from memory to a process. A store changes memory at once, and `own(x, v)` joins the
//! process's own buffer; at any time a message about what memory has joins some buffer, and the oldest entry of some
//! buffer goes. A load of `x` sees the newest own entry of `x`, or else the oldest entry, which must be a message about
//! `x`. Fences and read-modify-writes find their buffer empty. The theorem, which is believed: it reaches the control
//! points of TSO, and the memory of TSO where no store is pending. For properties of memory where some are, the end of
//! a run is *frozen*: stores go to the own buffer alone, no message comes, and nothing waits for an empty buffer.
//!
//! A buffer fits a word if the word can be embedded into it such that `own(x, v)` is the newest own entry of `x`, and
//! none is newer than a message about `x`. It is checked that what must not be is in a listed constraint, that whatever
//! leads into one comes from one, and that the initial state is in none. So no run leads to what must not be.
//!
//! For every number of processes, and for SC, see [`crate::crowd`].

use taut_budget::tick;
use taut_ir::{Finding, Memory, MemoryModel, ProcId, Program};
use taut_proof::{Basis, Claim, Constraint, Cut, Entry, Reader};
use taut_witness::control::{ControlGraph, Edge, Fact, Head};

use crate::crowd::{alike, instance};
use crate::states::Wanted;
use crate::{Accepted, Refusal};

/// Checks a claim by its constraints.
pub(crate) fn check(
    program: &Program,
    memory: Memory,
    claim: &Claim,
    body: &[u8],
) -> Result<Accepted, Refusal> {
    if !matches!(memory.model, MemoryModel::Sc | MemoryModel::Tso) || memory.bound.is_some() {
        return Err(Refusal::proof("such evidence is about SC and TSO, without a bound"));
    }
    let wanted = Wanted::of(program, claim)?;
    let mut input = Reader::new(body);
    let number = if program.replicated.is_empty() { 0 } else { input.below(64, "number")? };
    let made = instance(program, memory.model, number as u32);
    let dual = Dual::new(&made)?;
    let (mut listed, mut basis) = (Vec::new(), Basis::default());
    for _ in 0..input.count()? {
        tick();
        let read = Constraint::read(&mut input, made.processes.len(), dual.graph.cells.len())?;
        read.arranged(&dual.alike).iter().for_each(|read| basis.insert(read));
        listed.push(read);
    }
    input.end()?;
    for (number, constraint) in listed.iter().enumerate() {
        if dual.is_initial(constraint) {
            return Err(Refusal::Proof(format!("the initial state is in constraint {number}")));
        }
        let is_in = |before: &Constraint| basis.includes(before);
        if !dual.leaves_others(constraint) || !dual.before(constraint).iter().all(is_in) {
            let why = format!("a state outside of all constraints leads into constraint {number}");
            return Err(Refusal::Proof(why));
        }
    }
    if !dual.bad(&|finding| wanted.forbids(finding))?.iter().all(|bad| basis.includes(bad)) {
        return Err(Refusal::proof("something that must not be is in no constraint"));
    }
    let is_open = |found: Finding| matches!(found, Finding::Fault(_)) && !wanted.forbids(found);
    let fault = dual.findings().any(is_open);
    let evidence = format!("{} constraints, nothing leads in", listed.len());
    Accepted::new(program, memory, claim, Cut { fault, ..Cut::default() }, evidence)
}

fn is_about(entry: &Entry, cell: usize) -> bool {
    match entry {
        Entry::Own(fact) => fact.0 == cell,
        Entry::Message(facts) => facts.iter().any(|fact| fact.0 == cell),
    }
}

/// Whether a word begins with a message that tells all of these.
fn tells(word: &[Entry], facts: &[Fact]) -> bool {
    matches!(word.first(), Some(Entry::Message(told)) if facts.iter().all(|f| told.contains(f)))
}

/// A program in the dual semantics.
#[derive(Debug)]
pub struct Dual<'p> {
    pub(crate) graph: ControlGraph<'p>,
    /// Neighbours of which there is any number: they may change places.
    pub alike: Vec<(ProcId, ProcId)>,
}

impl<'p> Dual<'p> {
    /// A program, unless it has something that load buffers do not know.
    pub fn new(program: &'p Program) -> Result<Dual<'p>, Refusal> {
        let unknown = || Refusal::proof("such evidence is not for a program like this");
        let (alike, graph) = alike(program).zip(ControlGraph::new(program)).ok_or_else(unknown)?;
        Ok(Dual { graph, alike }.aligned())
    }

    /// Everything that may be found in steps.
    pub fn findings(&self) -> impl Iterator<Item = Finding> {
        self.graph.edges.iter().flatten().flat_map(|edge| edge.found.iter().copied())
    }

    /// The states with what a head gives.
    pub(crate) fn thawed(&self, head: Head) -> Constraint {
        Constraint { frozen: false, head, words: vec![Vec::new(); self.graph.points.len()] }
    }

    /// Whether the initial state is in a constraint.
    pub fn is_initial(&self, c: &Constraint) -> bool {
        let values = self.graph.cells.keys().map(|&cell| self.graph.first.value(cell));
        let mut pairs = c.head.iter().zip(self.graph.points.iter().map(|_| 0).chain(values));
        !c.frozen
            && c.words.iter().all(Vec::is_empty)
            && pairs.all(|(given, first)| given.is_none_or(|value| value == first))
    }

    /// What leads into a constraint by one transition. What is in the constraint itself may be left out.
    pub fn before(&self, c: &Constraint) -> Vec<Constraint> {
        tick();
        let mut all = Vec::new();
        all.extend(c.frozen.then(|| Constraint { frozen: false, ..c.clone() }));
        for (p, edges) in self.graph.edges.iter().enumerate() {
            for edge in edges {
                let Some(target) = edge.target else { continue };
                // Of a process of which nothing is asked, only a store that is needed asks for less.
                let is_asked = |fact: &Fact| c.head[self.graph.points.len() + fact.0].is_some();
                let is_open = c.words[p].is_empty() && !edge.writes.iter().any(is_asked);
                if c.head[p].map_or(!is_open, |at| at == target as i64) {
                    self.undo(c, p, edge, &edge.writes, &mut all);
                }
            }
            if let (false, Some(Entry::Message(facts))) = (c.frozen, c.words[p].last()) {
                let mut made = c.clone();
                made.words[p].pop();
                all.extend(self.has(&mut made, facts).then_some(made));
            }
        }
        all
    }

    /// Asks for values in memory; false if it has others.
    pub(crate) fn has(&self, made: &mut Constraint, facts: &[Fact]) -> bool {
        let own = &mut made.head[self.graph.points.len()..];
        facts.iter().all(|&(cell, value)| *own[cell].get_or_insert(value) == value)
    }

    /// Takes back an edge of a process with its stores, or without. What was stored over is of no concern.
    pub(crate) fn undo(
        &self,
        c: &Constraint,
        p: usize,
        edge: &Edge,
        writes: &[Fact],
        all: &mut Vec<Constraint>,
    ) {
        let mut made = c.clone();
        made.head[p] = Some(edge.source as i64);
        if edge.locked && (c.frozen || !c.words[p].is_empty()) {
            return;
        }
        for &(cell, value) in writes {
            // Afterwards the newest entry is that of the store.
            let is_last = made.words[p].last() == Some(&Entry::Own((cell, value)));
            if is_last {
                made.words[p].pop();
            } else if made.words[p].iter().any(|entry| is_about(entry, cell)) {
                return;
            }
            if !c.frozen
                && made.head[self.graph.points.len() + cell].take().is_some_and(|v| v != value)
            {
                return;
            }
        }
        match edge.locked {
            true => all.extend(self.has(&mut made, &edge.reads).then_some(made)),
            false => self.unload(&made, p, &edge.reads, all),
        }
    }

    /// Takes back loads: each is of an own store, or they are of the message that the buffer begins with.
    fn unload(&self, made: &Constraint, p: usize, reads: &[Fact], all: &mut Vec<Constraint>) {
        let word = &made.words[p];
        let own = |cell: usize| {
            word.iter().find_map(|entry| match entry {
                Entry::Own(fact) if fact.0 == cell => Some(fact.1),
                _ => None,
            })
        };
        if reads.iter().any(|&(cell, value)| own(cell).is_some_and(|own| own != value)) {
            return;
        }
        let open: Vec<Fact> = reads.iter().filter(|fact| own(fact.0).is_none()).copied().collect();
        if open.is_empty() || tells(word, &open) {
            return all.push(made.clone());
        }
        // Each part of what is open may be of own stores that the word does not speak of yet.
        for part in 0_u32..1 << open.len() {
            let is_own = |(i, _): &(usize, &Fact)| part >> i & 1 == 1;
            let (mine, told): (Vec<_>, Vec<_>) = open.iter().enumerate().partition(is_own);
            let told: Vec<Fact> = told.into_iter().map(|(_, fact)| *fact).collect();
            let mut words = vec![word.clone()];
            for (_, fact) in mine {
                let stores = |edge: &Edge| !edge.locked && edge.writes.contains(fact);
                words.retain(|_| self.graph.edges[p].iter().any(stores));
                let insert = |word: &Vec<Entry>| {
                    let most = word.iter().position(|entry| is_about(entry, fact.0));
                    let with = |at| [&word[..at], &[Entry::Own(*fact)], &word[at..]].concat();
                    (0..=most.unwrap_or(word.len())).map(with).collect::<Vec<_>>()
                };
                words = words.iter().flat_map(insert).collect();
            }
            for mut word in words {
                if !told.is_empty() && !tells(&word, &told) {
                    word.insert(0, Entry::Message(told.clone()));
                }
                let mut made = made.clone();
                made.words[p] = word;
                all.push(made);
            }
        }
    }
}

/// For every number of processes.
impl Dual<'_> {
    /// Gives processes that are alike the same control points and edges.
    pub(crate) fn aligned(mut self) -> Self {
        for (p, q) in self.alike.iter().map(|(p, q)| (p.index(), q.index())) {
            let same = |e: &Edge| {
                let (reads, writes, found) = (e.reads.clone(), e.writes.clone(), e.found.clone());
                Edge { reads, writes, found, ..*e }
            };
            self.graph.points[q] = self.graph.points[p].clone();
            self.graph.edges[q] = self.graph.edges[p].iter().map(same).collect();
        }
        self
    }

    /// Whether there is a process of which nothing is asked, of each definition of which there is any number.
    pub fn leaves_others(&self, c: &Constraint) -> bool {
        let program = self.graph.machine.program();
        let is_free = |p: ProcId| c.head[p.index()].is_none() && c.words[p.index()].is_empty();
        program.replicated.iter().all(|&def| program.processes_of(def).any(is_free))
    }
}
