//! A job: a program and what is asked of it.

use serde::{Deserialize, Serialize};

/// A request that was accepted, as the process or the worker that runs it reads it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// What to do.
    pub task: String,
    /// What the program is called.
    pub name: String,
    /// Its language.
    pub language: String,
    /// The program.
    pub text: String,
    /// The memory model.
    pub model: String,
    /// The engine.
    pub engine: String,
    /// Entries of a buffer.
    #[serde(default)]
    pub bound: Option<u32>,
    /// A formula of linear temporal logic that is asked about, instead of the program's own questions.
    #[serde(default)]
    pub formula: Option<String>,
    /// Names of the questions that are answered, with commas between them; all if there are none.
    #[serde(default)]
    pub property: Option<String>,
    /// Names of global variables that are observers', with commas between them, in languages that have no word for it.
    #[serde(default)]
    pub ghost: Option<String>,
    /// How many seconds it may take.
    pub seconds: f64,
    /// How many MiB it may use.
    pub memory_mib: u64,
}

impl Job {
    /// The names of the questions that are answered; all if there are none.
    pub fn properties(&self) -> Vec<String> {
        names(self.property.as_deref())
    }

    /// The names of variables that are observers'.
    pub fn ghosts(&self) -> Vec<String> {
        names(self.ghost.as_deref())
    }

    /// The formula, if there is one.
    pub fn formula(&self) -> Option<&str> {
        self.formula.as_deref().map(str::trim).filter(|text| !text.is_empty())
    }
}

/// The names in a list with commas or blanks.
fn names(list: Option<&str>) -> Vec<String> {
    let words = list.unwrap_or_default().split(|c: char| c == ',' || c.is_whitespace());
    words.filter(|word| !word.is_empty()).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_names_are_forgiving() {
        assert_eq!(names(Some(" a, b ,,c\nd ")), ["a", "b", "c", "d"]);
        assert!(names(Some(" , ")).is_empty());
        assert!(names(None).is_empty());
    }
}
