//! Options of languages: declared by front ends, offered by the command line, read by front ends again.
//!
//! A front end declares its options as constants of type [`OptionSpec`]. The command line makes arguments of them, help
//! texts included, and suites allow those that may stand in the header of a file. The values arrive as [`OptionValues`],
//! which is asked with the same constants. So a new option is one constant and the line that reads it.

use std::collections::BTreeMap;

use crate::channel::Channels;

/// An option of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionSpec {
    /// The long name without dashes.
    pub name: &'static str,
    /// The letter after a single dash.
    pub short: Option<char>,
    /// What it does; the languages that have it are put in front.
    pub help: &'static str,
    /// The form of its value.
    pub kind: OptionKind,
    /// True if the header of a file may say it.
    pub in_headers: bool,
}

/// The form of an option's value. (Exhaustive on purpose: whoever offers options has to know all forms.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A number within limits.
    Number {
        /// The smallest.
        least: u32,
        /// The largest.
        most: u32,
        /// The number where nothing is said.
        default: u32,
    },
    /// A number from 1 to a largest one, or the word `any`.
    Count {
        /// The largest.
        most: u32,
    },
    /// Any number of words.
    Words {
        /// What a word is, for help texts.
        value: &'static str,
        /// The character between words that are given at once.
        delimiter: Option<char>,
    },
    /// One of some words, each with what it means; the first where nothing is said.
    Choice(&'static [(&'static str, &'static str)]),
    /// The text of a file.
    File,
}

/// Macros defined from outside, each `NAME` or `NAME=VALUE`, for languages with a preprocessor.
pub const DEFINE: OptionSpec = OptionSpec::new(
    "define",
    "defines a macro, as in C; of a .mdve model, a parameter. Can be given several times",
    OptionKind::Words { value: "NAME[=VALUE]", delimiter: None },
)
.short('D')
.in_headers();

/// The meaning of a send under memory models with buffers, for languages with channels.
pub const CHANNELS: OptionSpec = OptionSpec::new(
    "channels",
    "whether a send waits until the sender's store buffer is empty, under TSO and PSO",
    OptionKind::Choice(&[
        ("drain", "It waits: the process that receives sees what the sender stored before"),
        ("free", "It does not wait: a message can overtake the stores before it"),
    ]),
)
.in_headers();

/// What a data race is, for languages that have them.
pub const RACES: OptionSpec = OptionSpec::new(
    "races",
    "what a data race is: two accesses that nothing orders, one of them plain, one of them a store",
    OptionKind::Choice(&[
        ("warn", "A warning, which changes no verdict and no exit code"),
        ("error", "A violation of the property `race`"),
        ("off", "Nothing: races are not looked for"),
    ]),
)
.in_headers();

/// The number of processes, where the text leaves it open.
pub const THREADS: OptionSpec = OptionSpec::new(
    "threads",
    "number of processes where the program has any number of them, or `any`: a proof for every number",
    OptionKind::Count { most: 64 },
)
.in_headers();

/// The number of processes that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Every number.
    Any,
    /// This one.
    Number(u32),
}

impl Threads {
    /// The number that some values choose; none if they do not.
    pub fn of(values: &OptionValues) -> Option<Threads> {
        let given = values.given(&THREADS)?;
        Some(given.parse().map_or(Threads::Any, Threads::Number))
    }

    /// The number, if it is one.
    pub fn number(self) -> Option<u32> {
        match self {
            Threads::Any => None,
            Threads::Number(number) => Some(number),
        }
    }
}

impl Channels {
    /// The meaning of a send that some values choose.
    pub fn of(values: &OptionValues) -> Channels {
        match values.choice(&CHANNELS) {
            "free" => Channels::Free,
            _ => Channels::Drain,
        }
    }
}

/// A text with the name of its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedText {
    /// The name.
    pub name: String,
    /// The text.
    pub text: String,
}

/// The values of options, as far as they are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionValues {
    words: BTreeMap<&'static str, Vec<String>>,
    files: BTreeMap<&'static str, NamedText>,
}

impl OptionValues {
    /// Gives a value to an option; to one with any number of words, one more.
    pub fn set(&mut self, option: &OptionSpec, value: impl Into<String>) -> Result<(), String> {
        let value = value.into();
        option.accept(&value)?;
        let words = self.words.entry(option.name).or_default();
        match option.kind {
            OptionKind::Words { .. } => words.push(value),
            _ => *words = vec![value],
        }
        Ok(())
    }

    /// Defines macros, each `NAME` or `NAME=VALUE`.
    pub fn define<M: Into<String>>(&mut self, macros: impl IntoIterator<Item = M>) {
        self.words.entry(DEFINE.name).or_default().extend(macros.into_iter().map(Into::into));
    }

    /// Gives a text to an option that is a file.
    pub fn set_file(&mut self, option: &OptionSpec, text: NamedText) {
        debug_assert_eq!(option.kind, OptionKind::File);
        self.files.insert(option.name, text);
    }

    /// The words of an option.
    pub fn words(&self, option: &OptionSpec) -> &[String] {
        self.words.get(option.name).map_or(&[], Vec::as_slice)
    }

    /// The word that was given to an option.
    pub fn given(&self, option: &OptionSpec) -> Option<&str> {
        self.words(option).last().map(String::as_str)
    }

    /// The word of an option that is a choice: as given, or the first.
    pub fn choice(&self, option: &OptionSpec) -> &str {
        let OptionKind::Choice(choices) = option.kind else {
            debug_assert!(false, "{} is no choice", option.name);
            return "";
        };
        self.given(option).or(choices.first().map(|(name, _)| *name)).unwrap_or_default()
    }

    /// The number of an option: as given, or the usual one.
    pub fn number(&self, option: &OptionSpec) -> u32 {
        let OptionKind::Number { default, .. } = option.kind else {
            debug_assert!(false, "{} is no number", option.name);
            return 0;
        };
        self.given(option).and_then(|number| number.parse().ok()).unwrap_or(default)
    }

    /// The text of an option that is a file.
    pub fn file(&self, option: &OptionSpec) -> Option<&NamedText> {
        self.files.get(option.name)
    }

    /// The texts of all files.
    pub fn files(&self) -> impl Iterator<Item = &NamedText> {
        self.files.values()
    }
}

impl OptionSpec {
    /// An option with a long name that the headers of files do not have.
    pub const fn new(name: &'static str, help: &'static str, kind: OptionKind) -> OptionSpec {
        OptionSpec { name, short: None, help, kind, in_headers: false }
    }

    /// The same with a letter after a single dash.
    #[must_use]
    pub const fn short(mut self, letter: char) -> OptionSpec {
        self.short = Some(letter);
        self
    }

    /// The same, and the header of a file may say it.
    #[must_use]
    pub const fn in_headers(mut self) -> OptionSpec {
        self.in_headers = true;
        self
    }

    /// Refuses values that the option cannot have.
    fn accept(&self, value: &str) -> Result<(), String> {
        match self.kind {
            OptionKind::Words { .. } => Ok(()),
            OptionKind::File => Err(format!("`--{}` is a file", self.name)),
            OptionKind::Choice(choices) => {
                let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
                if names.contains(&value) {
                    return Ok(());
                }
                Err(format!("`--{}` is one of {}", self.name, names.join(", ")))
            }
            OptionKind::Count { most } => match value.parse::<u32>() {
                Ok(number) if (1..=most).contains(&number) => Ok(()),
                Err(_) if value == "any" => Ok(()),
                _ => Err(format!("`--{}` is a number from 1 to {most}, or `any`", self.name)),
            },
            OptionKind::Number { least, most, .. } => match value.parse::<u32>() {
                Ok(number) if (least..=most).contains(&number) => Ok(()),
                _ => Err(format!("`--{}` is a number from {least} to {most}", self.name)),
            },
        }
    }

    /// The option with its value, as help texts name it: `--channels drain|free`, `-D NAME[=VALUE]`.
    pub fn usage(&self) -> String {
        let name = match self.short {
            Some(letter) => format!("-{letter}"),
            None => format!("--{}", self.name),
        };
        match self.kind {
            OptionKind::Number { .. } => format!("{name} N"),
            OptionKind::Count { .. } => format!("{name} N|any"),
            OptionKind::Words { value, .. } => format!("{name} {value}"),
            OptionKind::File => format!("{name} FILE"),
            OptionKind::Choice(choices) => {
                let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
                format!("{name} {}", names.join("|"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: OptionSpec =
        OptionSpec::new("count", "", OptionKind::Number { least: 1, most: 9, default: 3 });

    #[test]
    fn values_are_those_that_were_given_or_the_usual_ones() {
        let mut values = OptionValues::default();
        assert_eq!((values.choice(&CHANNELS), values.number(&COUNT)), ("drain", 3));
        assert_eq!(values.given(&CHANNELS), None);
        values.set(&CHANNELS, "free").expect("a choice");
        values.set(&COUNT, "9").expect("a number");
        values.set(&DEFINE, "A").expect("a word");
        values.set(&DEFINE, "B=1").expect("a word");
        assert_eq!((values.choice(&CHANNELS), values.number(&COUNT)), ("free", 9));
        assert_eq!(values.words(&DEFINE), ["A", "B=1"]);
    }

    #[test]
    fn values_of_another_form_are_refused() {
        let mut values = OptionValues::default();
        for (option, value) in [(&CHANNELS, "open"), (&COUNT, "0"), (&COUNT, "10"), (&COUNT, "x")] {
            assert!(values.set(option, value).is_err(), "{value}");
        }
        assert_eq!(values, OptionValues::default());
    }

    #[test]
    fn a_count_is_a_number_or_any() {
        let mut values = OptionValues::default();
        assert_eq!(Threads::of(&values), None);
        for wrong in ["0", "65", "all", "-1", ""] {
            assert!(values.set(&THREADS, wrong).is_err(), "{wrong}");
        }
        values.set(&THREADS, "any").expect("any");
        assert_eq!(Threads::of(&values), Some(Threads::Any));
        values.set(&THREADS, "64").expect("a number");
        assert_eq!(Threads::of(&values).and_then(Threads::number), Some(64));
    }

    #[test]
    fn help_texts_name_options_with_their_values() {
        assert_eq!(DEFINE.usage(), "-D NAME[=VALUE]");
        assert_eq!(CHANNELS.usage(), "--channels drain|free");
        assert_eq!(COUNT.usage(), "--count N");
    }
}
