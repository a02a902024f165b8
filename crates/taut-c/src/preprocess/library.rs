//! Those of Taut's own functions that a program uses.

use std::collections::{HashMap, HashSet};

use super::Preprocessor;
use super::items::{Item, items};
use super::token::{Symbol, Token};
use crate::runtime;

impl Preprocessor<'_> {
    /// The functions that a program uses and does not define, with what they use themselves; and the features by which
    /// they were chosen.
    pub(super) fn runtime(&mut self, program: &[Token]) -> (Vec<&'static str>, Vec<Token>) {
        let own = items(program);
        let mut used: HashSet<Symbol> = own.iter().flat_map(|item| names(program, item)).collect();
        let uses = |word: &str| self.interner.find(word).is_some_and(|name| used.contains(&name));
        let features = runtime::FEATURES.iter().filter(|(_, words)| words.iter().any(|w| uses(w)));
        let mut features: Vec<&'static str> = features.map(|(feature, _)| *feature).collect();
        features.extend(self.alike.then_some(runtime::ALIKE));
        for item in own.iter().filter(|item| item.function) {
            item.name.map(|name| used.remove(&name));
        }
        let mut all = Vec::new();
        for (name, text) in runtime::LIBRARY {
            all.extend(self.own_tokens(&format!("<taut {name}>"), text, &features));
        }
        (features, select(&all, used))
    }
}

/// The definitions that some names need, in their order.
fn select(tokens: &[Token], used: HashSet<Symbol>) -> Vec<Token> {
    let all = items(tokens);
    let numbers = all.iter().enumerate().filter_map(|(index, item)| Some((item.name?, index)));
    let numbers: HashMap<Symbol, usize> = numbers.collect();
    let mut wanted = vec![false; all.len()];
    let mut worklist: Vec<usize> =
        used.iter().filter_map(|name| numbers.get(name).copied()).collect();
    while let Some(index) = worklist.pop() {
        if std::mem::replace(&mut wanted[index], true) {
            continue;
        }
        worklist.extend(names(tokens, &all[index]).filter_map(|name| numbers.get(&name).copied()));
    }
    let kept = all.iter().zip(wanted).filter(|(_, wanted)| *wanted);
    kept.flat_map(|(item, _)| tokens[item.range.clone()].iter().copied()).collect()
}

/// The names that are used in a definition.
fn names<'t>(tokens: &'t [Token], item: &Item) -> impl Iterator<Item = Symbol> + 't {
    tokens[item.uses.clone()].iter().filter_map(Token::name)
}
