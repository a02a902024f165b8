//! The languages that Taut reads, in one list.
//!
//! Each is a crate with a type that implements [`Frontend`]. [`FRONTENDS`] is where a language becomes one of Taut's: the
//! command line, suites, annotations and the page in the browser know the languages of this list and nothing else about
//! them. A program that embeds Taut can add its own before anything is read ([`register`]).

use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use taut_ir::frontend::{Frontend, OptionSpec};

/// The languages that are built in. The first is that of programs from standard input.
pub const FRONTENDS: &[&dyn Frontend] = &[
    &taut_lang::TautLanguage,
    &taut_litmus::Litmus,
    &taut_promela::Promela,
    &taut_dve::Dve,
    &taut_rmm::Rmm,
    &taut_c::C,
];

/// The languages that were added.
static REGISTERED: RwLock<Vec<Language>> = RwLock::new(Vec::new());

/// Adds a language to those of this process. One whose name is taken is not added.
pub fn register(frontend: &'static dyn Frontend) {
    let is_new = Language::named(frontend.name()).is_none();
    debug_assert!(is_new, "there is a language `{}`", frontend.name());
    if is_new {
        // The list is whole at any time, so that a panic elsewhere cannot have left it half changed.
        REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push(Language(frontend));
    }
}

/// A language that Taut reads, by its front end.
#[derive(Clone, Copy)]
pub struct Language(&'static dyn Frontend);

impl Language {
    /// All of them: those that are built in, and those that were added.
    pub fn all() -> Vec<Language> {
        let added = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        FRONTENDS.iter().map(|&frontend| Language(frontend)).chain(added.iter().copied()).collect()
    }

    /// The language of a name, as on the command line.
    pub fn named(name: &str) -> Option<Language> {
        Language::all().into_iter().find(|language| language.name() == name)
    }

    /// The language of a file by its extension.
    pub fn of_path(path: &Path) -> Option<Language> {
        let extension = path.extension()?.to_str()?;
        Language::all().into_iter().find(|language| language.extensions().contains(&extension))
    }

    /// The language to which a code of a message belongs.
    pub fn of_code(code: &str) -> Option<Language> {
        let has = |language: &Language| language.codes().iter().any(|(known, _)| *known == code);
        Language::all().into_iter().find(has)
    }
}

impl Default for Language {
    fn default() -> Language {
        Language(FRONTENDS[0])
    }
}

impl Deref for Language {
    type Target = dyn Frontend;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Language {}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The options of all languages, each once, with the languages that have it.
pub fn options() -> Vec<(OptionSpec, Vec<Language>)> {
    let mut all: Vec<(OptionSpec, Vec<Language>)> = Vec::new();
    for language in Language::all() {
        for option in language.options() {
            match all.iter_mut().find(|(known, _)| known.name == option.name) {
                Some((known, languages)) => {
                    debug_assert_eq!(known, option, "two options of one name");
                    languages.push(language);
                }
                None => all.push((*option, vec![language])),
            }
        }
    }
    all
}

/// Words as a list in a sentence: `a, b or c`.
pub fn listed(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_extensions_and_codes_belong_to_one_language() {
        let all = Language::all();
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                assert_ne!(a, b);
                assert!(a.extensions().iter().all(|e| !b.extensions().contains(e)), "{a:?} {b:?}");
                let taken = |(code, _): &(&str, &str)| Language::of_code(code) != Some(*b);
                assert!(!b.codes().iter().any(taken), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn options_are_listed_once() {
        let names: Vec<&str> = options().iter().map(|(option, _)| option.name).collect();
        assert_eq!(
            names,
            [
                "max-threads",
                "max-calls",
                "threads",
                "define",
                "ghost",
                "mmlib",
                "channels",
                "atomic",
                "range-errors",
                "integers",
                "include-dir",
                "iquote",
                "isystem",
                "undefine",
                "include",
                "heap",
                "overflow",
                "nondet",
                "leaks",
                "races"
            ]
        );
    }

    #[test]
    fn lists_in_sentences() {
        let words =
            |n: usize| ["a", "b", "c"][..n].iter().map(|w| w.to_string()).collect::<Vec<_>>();
        assert_eq!(listed(&words(1), "or"), "a");
        assert_eq!(listed(&words(2), "and"), "a and b");
        assert_eq!(listed(&words(3), "or"), "a, b or c");
    }
}
