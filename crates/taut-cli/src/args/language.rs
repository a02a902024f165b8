//! The options of languages, as their front ends declare them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use taut::Granularity;
use taut::frontends::{self, Language, listed};
use taut::ir::frontend::{OptionKind, OptionSpec};

/// The values of languages' options that were typed.
#[derive(Clone, Debug, Default)]
pub struct LanguageArgs {
    /// Words, in the order in which they were typed.
    pub words: Vec<(OptionSpec, String)>,
    /// Files.
    pub files: Vec<(OptionSpec, PathBuf)>,
}

impl LanguageArgs {
    /// The file of an option.
    pub fn file(&self, option: &OptionSpec) -> Option<&Path> {
        let given = self.files.iter().find(|(given, _)| given.name == option.name);
        given.map(|(_, path)| path.as_path())
    }

    /// The same values, and one more where an option has none.
    pub fn or(mut self, option: &OptionSpec, value: Option<String>) -> LanguageArgs {
        let is_given = self.words.iter().any(|(given, _)| given.name == option.name);
        self.words.extend(value.filter(|_| !is_given).map(|value| (*option, value)));
        self
    }
}

impl clap::Args for LanguageArgs {
    fn augment_args(command: Command) -> Command {
        let options = frontends::options().into_iter();
        options.fold(command, |command, (option, languages)| command.arg(arg(&option, &languages)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        LanguageArgs::augment_args(command)
    }
}

impl FromArgMatches for LanguageArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<LanguageArgs, clap::Error> {
        let mut typed = LanguageArgs::default();
        typed.update_from_arg_matches(matches)?;
        Ok(typed)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for (option, _) in frontends::options() {
            if matches.value_source(option.name) != Some(ValueSource::CommandLine) {
                continue;
            }
            let raw = matches.get_raw(option.name).into_iter().flatten().map(OsString::from);
            match option.kind {
                OptionKind::File => self.files.extend(raw.map(|path| (option, path.into()))),
                // What is no text was refused: the parsers of these are for texts.
                _ => self
                    .words
                    .extend(raw.filter_map(|word| Some((option, word.into_string().ok()?)))),
            }
        }
        Ok(())
    }
}

/// An option of some languages as an argument.
fn arg(option: &OptionSpec, languages: &[Language]) -> Arg {
    let titles: Vec<String> = languages.iter().map(|l| l.title().to_string()).collect();
    let arg = Arg::new(option.name).long(option.name).short(option.short).help(format!(
        "{}: {}",
        listed(&titles, "and"),
        option.help
    ));
    match option.kind {
        OptionKind::Number { least, most, default } => arg
            .value_name("N")
            .default_value(default.to_string())
            .value_parser(clap::value_parser!(u32).range(i64::from(least)..=i64::from(most))),
        OptionKind::Count { .. } => arg.value_name("N|any"),
        OptionKind::Words { value, delimiter } => {
            arg.value_name(value).value_delimiter(delimiter).action(ArgAction::Append)
        }
        OptionKind::File => arg.value_name("FILE").value_parser(clap::value_parser!(PathBuf)),
        OptionKind::Choice(choices) => {
            let possible = |&(name, about): &(&'static str, &'static str)| {
                PossibleValue::new(name).help(about)
            };
            let name = option.name.to_uppercase().replace('-', "_");
            let usual = choices.first().map(|(name, _)| *name);
            arg.value_name(name)
                .default_value(usual)
                .value_parser(PossibleValuesParser::new(choices.iter().map(possible)))
        }
    }
}

/// The names of languages.
pub fn language() -> ValueParser {
    let possible = |l: Language| PossibleValue::new(l.name()).help(l.about());
    let names = PossibleValuesParser::new(Language::all().into_iter().map(possible));
    names.map(|name| Language::named(&name).expect("one of the names that are offered")).into()
}

/// The extensions of files as a list in a sentence: `.taut, .pml or .dve`.
fn extensions(languages: impl Iterator<Item = Language>) -> String {
    let all = languages.flat_map(|language| language.extensions());
    listed(&all.map(|extension| format!(".{extension}")).collect::<Vec<_>>(), "or")
}

/// The help text of a program's file.
pub fn program_help() -> String {
    let known = extensions(Language::all().into_iter());
    format!("The program: {known}, or - for standard input")
}

/// The help text of `--granularity`.
pub fn granularity_help() -> String {
    let all = Language::all().into_iter();
    let by_access = all.filter(|language| language.granularity() == Granularity::Access);
    let by_access = extensions(by_access);
    format!(
        "What is done in one step [default: access for {by_access}, statement for the other languages]"
    )
}

/// The extensions of the files that `taut fmt` can write back.
pub fn formatted() -> String {
    extensions(Language::all().into_iter().filter(|language| language.formatter().is_some()))
}
