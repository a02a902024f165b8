//! How one file of a suite is to be checked: a part of the options of `taut check`.

use std::ops::Range;

use taut_ir::frontend::{OptionSpec, OptionValues};
use taut_ir::{Fairness, Granularity};

use crate::engines::EngineChoice;
use crate::extra::ExtraProperty;
use crate::frontends;
use crate::load::LoadOptions;
use crate::shell::{Word, quoted};
use crate::vacuity::VacuityLevel;

/// The options of a file.
#[derive(Clone, Debug)]
pub struct FileOptions {
    /// `--bound K`, or inside `None` for `none`.
    pub bound: Option<Option<u32>>,
    /// `--engine`.
    pub engine: EngineChoice,
    /// False with `--no-deadlock`.
    pub deadlock: bool,
    /// False with `--no-assert`.
    pub asserts: bool,
    /// False with `--no-fault`.
    pub faults: bool,
    /// `--robust`.
    pub robust: bool,
    /// True with `--certify`.
    pub certify: bool,
    /// `--fairness`.
    pub fairness: Option<Fairness>,
    /// `--granularity`.
    pub granularity: Option<Granularity>,
    /// `--ltl`, each.
    pub ltl: Vec<String>,
    /// `--vacuity`; none to do as the command says.
    pub vacuity: Option<VacuityLevel>,
    /// The options of languages.
    pub values: OptionValues,
    /// All of them as a shell reads them.
    pub written: String,
}

impl Default for FileOptions {
    fn default() -> FileOptions {
        FileOptions {
            bound: None,
            engine: EngineChoice::Auto,
            deadlock: true,
            asserts: true,
            faults: true,
            robust: false,
            certify: false,
            fairness: None,
            granularity: None,
            ltl: Vec::new(),
            vacuity: None,
            values: OptionValues::default(),
            written: String::new(),
        }
    }
}

/// The largest bound, as on the command line.
const LARGEST_BOUND: u32 = 4096;

/// A complaint and where it belongs.
type Complaint = (Range<usize>, String);

impl FileOptions {
    /// The options of checks that a header may have.
    const OF_CHECKS: [&'static str; 11] = [
        "--bound K|none",
        "--engine NAME",
        "--no-deadlock",
        "--no-assert",
        "--no-fault",
        "--robust",
        "--certify",
        "--fairness LIST",
        "--granularity NAME",
        "--ltl FORMULA",
        "--vacuity error|note|off",
    ];

    /// The options that a header may have: those of checks and those of languages.
    pub fn known() -> Vec<String> {
        let of_checks = FileOptions::OF_CHECKS.map(String::from).into_iter();
        of_checks.chain(of_languages().iter().map(OptionSpec::usage)).collect()
    }

    /// Takes options from words.
    pub(super) fn take(&mut self, words: &[Word]) -> Result<(), Complaint> {
        let mut left = words.iter();
        while let Some(word) = left.next() {
            let (name, attached) = split(&word.text);
            match name {
                "--no-deadlock" | "--no-assert" | "--no-fault" | "--robust" | "--certify"
                    if attached.is_some() =>
                {
                    return Err((word.range.clone(), format!("`{name}` has no value")));
                }
                "--no-deadlock" => self.deadlock = false,
                "--no-assert" => self.asserts = false,
                "--no-fault" => self.faults = false,
                "--robust" => self.robust = true,
                "--certify" => self.certify = true,
                _ if has_value(name) => {
                    let (value, range) = match attached {
                        Some(value) => (value, word.range.clone()),
                        None => match left.next() {
                            Some(next) => (next.text.as_str(), next.range.clone()),
                            None => {
                                return Err((word.range.clone(), format!("`{name}` has no value")));
                            }
                        },
                    };
                    self.set(name, value).map_err(|message| (range, message))?;
                }
                other => {
                    return Err((word.range.clone(), format!("`{other}` is no option of a file")));
                }
            }
        }
        let written: Vec<_> = words.iter().map(|word| quoted(&word.text)).collect();
        self.written = [self.written.clone(), written.join(" ")].join(" ").trim().into();
        self.agree(words)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "--bound" => self.bound = Some(bound(value)?),
            "--engine" => self.engine = value.parse()?,
            "--fairness" => self.fairness = Some(value.parse()?),
            "--granularity" => self.granularity = Some(granularity(value)?),
            "--ltl" => self.ltl.push(value.into()),
            "--vacuity" => self.vacuity = Some(vacuity(value)?),
            _ => match of_languages().into_iter().find(|option| is_called(option, name)) {
                Some(option) => self.values.set(&option, value)?,
                None => return Err(format!("`{name}` is no option of a file")),
            },
        }
        Ok(())
    }

    /// Refuses a bound of an engine that has none.
    fn agree(&self, words: &[Word]) -> Result<(), Complaint> {
        let able = self.engine.engine().map(|engine| engine.capabilities());
        let bounded = able.is_some_and(|able| able.bounds.refusal(self.bound).is_some());
        match (bounded, words.first(), words.last()) {
            (true, Some(first), Some(last)) => Err((
                first.range.start..last.range.end,
                "this engine has no bound on buffers; leave --bound out".into(),
            )),
            _ => Ok(()),
        }
    }

    /// How to read the program.
    pub fn load_options(&self) -> LoadOptions {
        LoadOptions {
            values: self.values.clone(),
            granularity: self.granularity,
            asked: self.ltl.iter().cloned().map(ExtraProperty::Ltl).collect(),
            ..LoadOptions::default()
        }
    }
}

/// The options of languages that a header may have.
fn of_languages() -> Vec<OptionSpec> {
    let all = frontends::options().into_iter().map(|(option, _)| option);
    all.filter(|option| option.in_headers).collect()
}

/// Whether an option has a name, `--define` or `-D`.
fn is_called(option: &OptionSpec, name: &str) -> bool {
    match name.strip_prefix("--") {
        Some(long) => long == option.name,
        None => option.short.is_some_and(|letter| name == format!("-{letter}")),
    }
}

/// Whether a value follows an option.
fn has_value(name: &str) -> bool {
    const OF_CHECKS: [&str; 6] =
        ["--bound", "--engine", "--fairness", "--granularity", "--ltl", "--vacuity"];
    OF_CHECKS.contains(&name) || of_languages().iter().any(|option| is_called(option, name))
}

/// The name of an option and the value that hangs on it: `--bound=2`, `-DN=3`.
fn split(word: &str) -> (&str, Option<&str>) {
    let is_short = |option: &OptionSpec| is_called(option, word.get(..2).unwrap_or_default());
    if of_languages().iter().any(is_short) {
        let (name, value) = word.split_at(2);
        return (name, (!value.is_empty()).then_some(value));
    }
    match word.split_once('=') {
        Some((name, value)) if word.starts_with("--") => (name, Some(value)),
        _ => (word, None),
    }
}

fn bound(text: &str) -> Result<Option<u32>, String> {
    match text.parse::<u32>() {
        _ if text == "none" => Ok(None),
        Ok(k) if (1..=LARGEST_BOUND).contains(&k) => Ok(Some(k)),
        _ => Err(format!("a bound is a number from 1 to {LARGEST_BOUND}, or `none`")),
    }
}

fn vacuity(text: &str) -> Result<VacuityLevel, String> {
    match text {
        "error" => Ok(VacuityLevel::Error),
        "note" => Ok(VacuityLevel::Note),
        "off" => Ok(VacuityLevel::Off),
        _ => Err("vacuity is one of error, note, off".into()),
    }
}

fn granularity(text: &str) -> Result<Granularity, String> {
    let named = Granularity::ALL.into_iter().find(|granularity| granularity.name() == text);
    named.ok_or_else(|| "a granularity is access or statement".into())
}

#[cfg(test)]
mod tests {
    use taut_ir::Channels;
    use taut_ir::frontend::DEFINE;

    use super::*;
    use crate::shell::words;

    fn read(text: &str) -> Result<FileOptions, String> {
        let mut options = FileOptions::default();
        let words = words(text, 0..text.len()).expect("words");
        options.take(&words).map(|()| options).map_err(|(_, message)| message)
    }

    #[test]
    fn options_as_on_the_command_line() {
        let written = "--bound=2 --no-deadlock --no-fault --ltl '[] p' -DN=3 -D M --engine explicit --channels free";
        let read = read(written);
        let options = read.expect("options");
        assert_eq!(options.bound, Some(Some(2)));
        assert_eq!((options.deadlock, options.asserts, options.faults), (false, true, false));
        assert_eq!(options.ltl, ["[] p"]);
        assert_eq!(options.values.words(&DEFINE), ["N=3", "M"]);
        assert_eq!(options.engine.id(), crate::engines::Explicit::ID);
        assert_eq!(Channels::of(&options.load_options().values), Channels::Free);
        assert_eq!(options.written, written);
    }

    #[test]
    fn what_is_wrong_is_refused() {
        for text in [
            "--bound",
            "--bound 0",
            "--bound 4097",
            "--bound x",
            "--engine fast",
            "--fairness some",
            "--channels open",
            "--vacuity some",
            "--vacuity",
            "--granularity fine",
            "--no-assert=1",
            "--trace x",
            "-D",
            "--engine symbolic --bound 2",
            "--engine rounds --bound none",
            "word",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(read("--engine symbolic --bound none").is_ok());
    }
}
