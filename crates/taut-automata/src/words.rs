//! The words of a language, in the order of their lengths, then of their letters.

use crate::automaton::{Automaton, Letter};
use crate::store::{Language, Languages};

impl Languages {
    /// The word of a language that has exactly one.
    pub fn as_word(&self, language: Language) -> Option<Vec<Letter>> {
        let automaton = self.automaton(language);
        let mut word = Vec::with_capacity(automaton.states() - 1);
        // Every edge leads to acceptance, so a second edge, or an edge after acceptance, is a
        // second word. A cycle is left through one of the two, so the walk ends.
        let mut state = 0;
        loop {
            taut_budget::tick();
            match (automaton.accepts(state), automaton.edges_from(state)) {
                (true, []) => return Some(word),
                (false, &[(letter, to)]) => {
                    word.push(letter);
                    state = to;
                }
                _ => return None,
            }
        }
    }

    /// The shortest word, and of several the least, if there is any.
    pub fn shortest(&self, language: Language) -> Option<Vec<Letter>> {
        let automaton = self.automaton(language);
        // Canonical numbers are given in the order of the least words that lead to the states, so
        // the first edge into a state, in the order of edges, is the last step of its least word.
        let mut into = vec![None; automaton.states()];
        for (from, letter, to) in automaton.edges() {
            into[to as usize].get_or_insert((from, letter));
        }
        let mut state = (0..automaton.states() as u32).find(|&state| automaton.accepts(state))?;
        let mut word = Vec::new();
        while state != 0 {
            let (from, letter) = into[state as usize]?;
            word.push(letter);
            state = from;
        }
        word.reverse();
        Some(word)
    }

    /// All words of at most `max_len` letters. There may be exponentially many.
    pub fn words(&self, language: Language, max_len: usize) -> Vec<Vec<Letter>> {
        let automaton = self.automaton(language);
        let need = distances(automaton);
        let mut words = Vec::new();
        let mut level: Vec<(u32, Vec<Letter>)> = vec![(0, Vec::new())];
        for length in 0..=max_len {
            let mut longer = Vec::new();
            for (state, word) in level {
                for &(letter, to) in automaton.edges_from(state) {
                    // `need` is more than any length if nothing is accepted.
                    if need[to as usize] < max_len - length {
                        let mut next = word.clone();
                        next.push(letter);
                        longer.push((to, next));
                    }
                }
                if automaton.accepts(state) {
                    words.push(word);
                }
            }
            level = longer;
            if level.is_empty() {
                break;
            }
        }
        words
    }

    /// All words, if they are finitely many and at most `cap`.
    pub fn finite_words(&self, language: Language, cap: usize) -> Option<Vec<Vec<Letter>>> {
        let order = self.order(language)?;
        let automaton = self.automaton(language);
        let mut counts = vec![0_usize; automaton.states()];
        for &state in order.iter().rev() {
            let after = automaton.edges_from(state).iter().map(|&(_, to)| counts[to as usize]);
            let count = after.fold(0, usize::saturating_add);
            counts[state as usize] = count.saturating_add(automaton.accepts(state).into());
        }
        (counts[0] <= cap).then(|| self.words(language, automaton.states()))
    }
}

/// For each state the length of the shortest word it accepts.
fn distances(automaton: &Automaton) -> Vec<usize> {
    let mut into: Vec<Vec<u32>> = vec![Vec::new(); automaton.states()];
    automaton.edges().for_each(|(from, _, to)| into[to as usize].push(from));
    let mut distances = vec![usize::MAX; automaton.states()];
    let accepting = (0..automaton.states() as u32).filter(|&state| automaton.accepts(state));
    let mut queue: Vec<u32> = accepting.collect();
    queue.iter().for_each(|&state| distances[state as usize] = 0);
    let mut at = 0;
    while at < queue.len() {
        taut_budget::tick();
        let state = queue[at];
        at += 1;
        for &from in &into[state as usize] {
            if distances[from as usize] == usize::MAX {
                distances[from as usize] = distances[state as usize] + 1;
                queue.push(from);
            }
        }
    }
    distances
}
