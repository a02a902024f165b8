//! Languages as regular expressions, short enough to be read.
//!
//! States of the automaton are eliminated one after the other (Brzozowski and McCluskey); what
//! becomes of the expression depends on the order, so several orders are tried and the shortest
//! result is taken. `expression`, `union` and `optional` simplify while they build, `eliminate`
//! eliminates, `print` writes with few parentheses.

mod eliminate;
mod expression;
mod optional;
mod print;
mod union;

use crate::automaton::Letter;
use crate::store::{Language, Languages};

impl Languages {
    /// A regular expression for the language: `(x,1)((x,0)(x,1))*`. The same language always gives
    /// the same expression. Letters are written by `name`, side by side, so a name should read as
    /// one symbol.
    ///
    /// `ε` is the empty word and `∅` no word at all; `|`, `*`, `+` and `?` mean what they always
    /// mean. An expression that nobody would read is not built: a language that needs one is
    /// described by the size of its automaton, `⟨120 states⟩`.
    pub fn regex(&self, language: Language, name: &dyn Fn(Letter) -> String) -> String {
        if language == Language::EMPTY {
            return "∅".into();
        }
        if language == Language::EPSILON {
            return "ε".into();
        }
        if let Some(word) = self.as_word(language) {
            return word.into_iter().map(name).collect();
        }
        match eliminate::shortest(self.automaton(language)) {
            Some(expression) => print::print(&expression, name),
            None => format!("⟨{} states⟩", self.size(language)),
        }
    }
}
