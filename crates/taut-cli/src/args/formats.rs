//! What other tools read: formats, schemas, workflows.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use taut::formats::{self, Format, Shown};

use super::ModelArg;

/// How what a command finds is printed: a format of the list in `taut::formats`.
#[derive(Clone, Copy, Debug)]
pub struct FormatArg(pub &'static dyn Format);

impl std::ops::Deref for FormatArg {
    type Target = dyn Format;

    fn deref(&self) -> &(dyn Format + 'static) {
        self.0
    }
}

/// Reads the name of a format that shows what a command finds.
pub fn format_of(command: Shown) -> impl TypedValueParser<Value = FormatArg> {
    let value =
        |format: &&'static dyn Format| PossibleValue::new(format.name()).help(format.title());
    let values = formats::of(command).iter().map(value).collect::<Vec<_>>();
    PossibleValuesParser::new(values).try_map(|name| {
        formats::named(&name).map(FormatArg).ok_or_else(|| format!("there is no format `{name}`"))
    })
}

/// What to do about things that never happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VacuityArg {
    /// Exit with 1 if there are any.
    Error,
    /// List them.
    Note,
    /// Do not look for them.
    Off,
}

/// SARIF beside what is printed.
#[derive(Clone, Debug, clap::Args)]
pub struct SarifArgs {
    /// Write what was found as SARIF 2.1.0 to a file, too.
    #[arg(long = "sarif", value_name = "FILE")]
    pub sarif_file: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct SchemaArgs {
    /// What the schema describes; --list says what there is.
    #[arg(default_value = "check", value_parser = clap::builder::PossibleValuesParser::new(names()))]
    pub which: String,
    /// List the schemas.
    #[arg(long, conflicts_with = "out")]
    pub list: bool,
    /// Write all schemas into this directory in place of printing one.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

fn names() -> [&'static str; taut::schema::ALL.len()] {
    taut::schema::ALL.map(|schema| schema.name)
}

#[derive(Debug, clap::Args)]
pub struct InitCiArgs {
    /// What is checked: a directory of programs with their expected verdicts, or one program.
    #[arg(default_value = "models")]
    pub path: PathBuf,
    /// Who runs it.
    #[arg(long, value_enum, default_value_t = ProviderArg::Github)]
    pub provider: ProviderArg,
    /// The memory model of a program [default: all]; the programs of a directory say theirs.
    #[arg(long, value_enum, ignore_case = true)]
    pub model: Option<ModelArg>,
    /// The Git repository that Taut is installed from [default: what the variable TAUT_GIT says there].
    #[arg(long, value_name = "URL")]
    pub git: Option<String>,
    /// The file of known violations that `check --write-baseline` wrote: only new ones fail.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
}

/// Who runs a workflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProviderArg {
    /// GitHub Actions, with annotations and code scanning.
    Github,
    /// GitLab CI, with a test report.
    Gitlab,
    /// Git itself, before each commit.
    Hook,
}
