//! Buffers as languages: one state stands for every content that its buffers may have.
//!
//! A state is packed as with the other systems, but where they keep the entries of a buffer, [`BufferSets`]
//! keeps the number of a [`Language`]: the set of words that the buffer of a process may hold. Languages are
//! interned minimal automata, so two states are the same if and only if their words are, here as everywhere.
//! A state stands for the product of its languages: any word of one process with any word of another.
//!
//! **The discipline.** Under TSO a word is the buffer from old to new, and a commit is the left quotient by its
//! first letter (Linden and Wolper, SPIN 2010). Under PSO a word is everything that waits, in the order in which
//! it was stored; entries of different places may trade places with each other, as may entries with nothing
//! but the same store fences on either side, and a commit takes the oldest entry of its place from where it
//! stands. One language for each process *and place* would be simpler and wrong: a loop that stores `x` and `y`
//! in turn has written as many of the one as of the other, give or take one, and a product of two languages
//! cannot say so. Since a commit may leave any number of older entries of other places behind, a commit
//! under PSO takes any number of entries of its place at once (at least one): that is a run of single commits,
//! and the result stays regular where they one by one would go on for ever.
//!
//! **Outcomes.** What a process sees may differ from word to word. A load is then an open question, whose outcomes
//! are the parts of the state by the value that is seen ([`BufferSets::split`]), and the step is taken again in each
//! part. Splitting the state before the step is always enough, because a step only appends: what it sees after
//! its own store is the same for all words.
//!
//! The method is exact: every word of a result comes from a word before, and the other way round.

mod commit;
mod entry;
mod split;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use taut_automata::{Language, Languages, Letter};
use taut_ir::{MemoryModel, ProcId, Program};
use taut_memory::{BufferFull, CellId, Cells, Field, LayoutBuilder, MemorySystem, Question, Sc};

pub use commit::Committed;
use entry::Entries;
pub use entry::Entry;

/// Memory behind buffers of which the set of possible contents is known.
pub struct BufferSets {
    memory: Sc,
    discipline: Discipline,
    buffers: Vec<Buffer>,
    inner: Mutex<Inner>,
}

/// Which entries of a buffer may be committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Discipline {
    /// The oldest.
    Tso,
    /// The oldest of each place, if no store fence stands before it.
    Pso,
}

/// The buffer of one process.
struct Buffer {
    /// The number of the language, less one: no state has an empty one, and no bits at all mean "nothing
    /// waits".
    language: Field,
    /// Whether the process stores to a place.
    stores: Vec<bool>,
}

/// What grows while the system is used.
#[derive(Default)]
struct Inner {
    languages: Languages,
    entries: Entries,
    newest: HashMap<(Language, CellId), Arc<[Newest]>>,
    committed: HashMap<Language, Arc<[Committed]>>,
    normal: HashMap<Language, Language>,
}

/// The words of a language in which the newest entry of a place has a value, or in which there is none.
#[derive(Clone, Copy, Debug)]
struct Newest {
    value: Option<i64>,
    words: Language,
}

/// A language takes at most so many automaton states; one that would need more is an overflow.
const MOST_AUTOMATON_STATES: usize = 1 << 12;

impl BufferSets {
    /// Lays out memory and a language for each process; the model is TSO or PSO.
    pub fn new(
        program: &Program,
        places: &Cells,
        model: MemoryModel,
        layout: &mut LayoutBuilder,
    ) -> BufferSets {
        let memory = Sc::new(places, layout);
        let buffer = |p| Buffer::new(program, places, p, layout);
        debug_assert!(model.has_bound(), "a set of words is a set of queues");
        let discipline = match model.buffers().are_per_cell() {
            true => Discipline::Pso,
            false => Discipline::Tso,
        };
        let buffers = program.process_ids().map(buffer).collect();
        let mut inner = Inner::default();
        inner.languages.set_limit(MOST_AUTOMATON_STATES);
        BufferSets { memory, discipline, buffers, inner: Mutex::new(inner) }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the buffer of a process may hold.
    #[inline]
    pub fn language(&self, state: &[u64], process: ProcId) -> Language {
        Language::from_index(self.buffers[process.index()].language.bits(state) as u32 + 1)
    }

    /// Puts another language in place of a process's.
    #[inline]
    pub fn set_language(&self, state: &mut [u64], process: ProcId, language: Language) {
        debug_assert!(language != Language::EMPTY, "no state stands for nothing");
        self.buffers[process.index()].language.set_bits(state, u64::from(language.index()) - 1);
    }

    /// Whether a process ever stores through a buffer.
    pub fn has_buffer(&self, process: ProcId) -> bool {
        self.buffers[process.index()].language.width() > 0
    }

    /// Forgets what the buffer of a process may hold.
    #[inline]
    pub fn clear(&self, state: &mut [u64], process: ProcId) {
        self.buffers[process.index()].language.set_bits(state, 0);
    }

    /// All processes.
    pub fn processes(&self) -> impl Iterator<Item = ProcId> + use<> {
        (0..self.buffers.len()).map(ProcId::from)
    }

    /// Lets somebody use the languages.
    pub fn with_languages<T>(&self, f: impl FnOnce(&mut Languages) -> T) -> T {
        f(&mut self.inner().languages)
    }

    /// Whether a language grew so large that it was given up: nothing that was computed since is right.
    pub fn overflowed(&self) -> bool {
        self.inner().languages.overflowed()
    }

    /// What a letter stands for.
    pub fn entry(&self, letter: Letter) -> Entry {
        self.inner().entries.entry(letter)
    }

    /// The language of one word, made of entries from old to new. Store fences are nothing under TSO.
    pub fn one_word(&self, entries: &[Entry]) -> Language {
        let mut inner = self.inner();
        let fences = self.discipline == Discipline::Pso;
        let mut word = Vec::new();
        for entry in entries {
            match *entry {
                Entry::Store { place, value } => word.push(inner.entries.letter(place, value)),
                Entry::Fence if fences => word.push(Entries::FENCE),
                Entry::Fence | Entry::Mark => {}
            }
        }
        inner.languages.word(&word)
    }

    /// A language without what nobody can tell: a store fence with nothing before it.
    pub fn settled(&self, language: Language) -> Language {
        match self.discipline {
            Discipline::Tso => language,
            Discipline::Pso => {
                self.inner().languages.strip(language, |letter| letter == Entries::FENCE)
            }
        }
    }

    /// Puts a mark behind everything that waits. Marks are no entries: nobody sees them, nothing passes them.
    /// They show what was stored after them ([`BufferSets::after_mark`]).
    pub fn mark(&self, state: &mut [u64], process: ProcId) {
        let language = self.language(state, process);
        let marked = self.inner().languages.append(language, &[Entries::MARK]);
        self.put(state, process, marked);
    }

    /// What stands after the mark in a language whose words before it are `before`.
    pub fn after_mark(&self, before: Language, language: Language) -> Language {
        let mut inner = self.inner();
        let word = inner.languages.shortest(before).unwrap_or_default();
        let past = word.into_iter().chain([Entries::MARK]);
        past.fold(language, |rest, letter| inner.languages.quotient(rest, letter))
    }

    /// A language after a store, in normal form where it has one.
    fn appended(&self, inner: &mut Inner, language: Language, letter: Letter) -> Language {
        let appended = inner.languages.append(language, &[letter]);
        match self.discipline {
            Discipline::Tso => appended,
            Discipline::Pso => inner.normalise(appended),
        }
    }
}

impl Buffer {
    fn new(
        program: &Program,
        places: &Cells,
        process: ProcId,
        layout: &mut LayoutBuilder,
    ) -> Buffer {
        let mut stores = vec![false; places.len()];
        for place in places.buffered_by(program, process) {
            stores[place.index()] = true;
        }
        let bits = if stores.contains(&true) { u32::BITS } else { 0 };
        Buffer { language: layout.add_bits(bits), stores }
    }
}

impl MemorySystem for BufferSets {
    type Open = Question;

    /// The value that all words give; open if they do not agree.
    fn load(&self, state: &[u64], process: ProcId, place: CellId) -> Result<i64, Question> {
        let memory = self.memory.memory(state, place);
        let language = self.language(state, process);
        if language == Language::EPSILON {
            return Ok(memory);
        }
        let newest = self.inner().newest(language, place);
        let mut values = newest.iter().map(|n| n.value.unwrap_or(memory));
        let first = values.next().unwrap_or(memory);
        let agree = values.all(|value| value == first);
        if agree { Ok(first) } else { Err(Question::Load { process, place }) }
    }

    /// The parts of the state, by the answer.
    fn for_each_outcome(&self, state: &[u64], question: Question, f: &mut dyn FnMut(&[u64])) {
        self.split(state, question).iter().for_each(|part| f(part));
    }

    fn store(
        &self,
        state: &mut [u64],
        process: ProcId,
        place: CellId,
        value: i64,
    ) -> Result<(), BufferFull> {
        let language = self.language(state, process);
        let mut inner = self.inner();
        let letter = inner.entries.letter(place, value);
        let appended = self.appended(&mut inner, language, letter);
        drop(inner);
        self.put(state, process, appended);
        Ok(())
    }

    fn store_fence(&self, state: &mut [u64], process: ProcId) {
        let language = self.language(state, process);
        if self.discipline == Discipline::Tso || language == Language::EPSILON {
            return;
        }
        let fenced = self.appended(&mut self.inner(), language, Entries::FENCE);
        self.put(state, process, self.settled(fenced));
    }

    fn is_drained(&self, state: &[u64], process: ProcId) -> bool {
        self.language(state, process) == Language::EPSILON
    }

    /// Whether nothing waits in any word; open if words do not agree.
    fn drained(&self, state: &[u64], process: ProcId) -> Result<bool, Question> {
        let language = self.language(state, process);
        if language == Language::EPSILON {
            return Ok(true);
        }
        match self.inner().languages.has_epsilon(language) {
            true => Err(Question::Drained(process)),
            false => Ok(false),
        }
    }

    fn for_each_pending(&self, state: &[u64], process: ProcId, mut f: impl FnMut(CellId)) {
        let language = self.language(state, process);
        let inner = self.inner();
        let letters = inner.languages.letters(language);
        let places: Vec<_> = letters.into_iter().filter_map(|l| inner.entries.place(l)).collect();
        drop(inner);
        places.into_iter().for_each(&mut f);
    }

    fn for_each_commit(&self, state: &[u64], process: ProcId, mut f: impl FnMut(CellId)) {
        let committed = self.committed(state, process);
        let mut places: Vec<_> = committed.iter().map(|c| c.place).collect();
        places.dedup();
        places.into_iter().for_each(&mut f);
    }

    /// The first of the possible commits of a place. Where there may be several, use
    /// [`BufferSets::committed`].
    fn commit(&self, state: &mut [u64], process: ProcId, place: CellId) {
        let committed = self.committed(state, process);
        if let Some(first) = committed.iter().find(|c| c.place == place) {
            self.put_committed(state, process, first);
        }
    }

    fn is_buffered(&self, process: ProcId, place: CellId) -> bool {
        self.buffers[process.index()].stores[place.index()]
    }

    fn buffer_fields(&self, process: ProcId) -> Vec<Field> {
        vec![self.buffers[process.index()].language]
    }

    #[inline]
    fn field(&self, place: CellId) -> Field {
        self.memory.field(place)
    }
}
