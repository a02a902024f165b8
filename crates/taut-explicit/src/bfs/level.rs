//! The states of one level that wait to be expanded.

use crate::checkpoint::saved;
use crate::store::visited::Visited;

/// Handles of states, or whole states if the set of visited ones has no handles.
#[derive(Default)]
pub(crate) struct Waiting {
    words: Vec<u64>,
    states: usize,
}

saved!(Waiting { words, states });

impl Waiting {
    /// Whether there are as many words as so many words per state ask for.
    pub(crate) fn is_whole(&self, words: usize) -> bool {
        self.states.checked_mul(words) == Some(self.words.len())
    }

    /// Adds a state.
    #[inline]
    pub(crate) fn push<V: Visited>(&mut self, handle: u64, state: &[u64]) {
        if V::HAS_HANDLES {
            self.words.push(handle);
        } else {
            self.words.extend_from_slice(state);
        }
        self.states += 1;
    }

    pub(crate) fn len(&self) -> usize {
        self.states
    }

    /// Forgets the states. What many of them needed is given back.
    pub(crate) fn clear(&mut self) {
        if self.words.capacity() > 4 * self.words.len() {
            self.words = Vec::new();
        }
        self.words.clear();
        self.states = 0;
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.words.capacity() as u64 * 8
    }
}

/// A level: what each worker found for it, one after the other.
pub(crate) struct Level {
    parts: Vec<Waiting>,
    /// The position of the first state of each part.
    starts: Vec<usize>,
    len: usize,
}

impl Level {
    /// A level of these parts.
    pub(crate) fn new(parts: Vec<Waiting>) -> Level {
        let (mut starts, mut len) = (Vec::with_capacity(parts.len()), 0);
        for part in &parts {
            starts.push(len);
            len += part.states;
        }
        Level { parts, starts, len }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The position of a state of a part.
    pub(crate) fn position(&self, part: usize, index: usize) -> usize {
        self.starts[part] + index
    }

    /// Reads the state at a position.
    #[inline]
    pub(crate) fn load<V: Visited>(&self, visited: &V, position: usize, state: &mut [u64]) {
        let part = self.starts.partition_point(|&start| start <= position) - 1;
        let index = position - self.starts[part];
        let words = &self.parts[part].words;
        if V::HAS_HANDLES {
            visited.load(words[index], state);
        } else {
            state.copy_from_slice(&words[index * state.len()..(index + 1) * state.len()]);
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.parts.iter().map(Waiting::bytes).sum()
    }

    /// The parts.
    pub(crate) fn parts(&self) -> &Vec<Waiting> {
        &self.parts
    }

    /// The parts, to be used again.
    pub(crate) fn into_parts(self) -> Vec<Waiting> {
        self.parts
    }
}
