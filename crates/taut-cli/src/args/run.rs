//! What can be typed after `taut run`.

use std::path::PathBuf;
use std::time::Duration;

use taut::budget::units;
use taut::formats::Shown;

use super::{FormatArg, InputArgs, format_of};

#[derive(Debug, clap::Args)]
pub struct RunOnProcessorArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The time for rounds (5, 500ms, 2m).
    #[arg(long, value_name = "TIME", default_value = "5", value_parser = seconds)]
    pub seconds: Duration,
    /// What the random choices of the rounds start from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The C compiler, a command and its arguments between blanks [default: what the variable CC says, else the first of
    /// cc, gcc and clang].
    #[arg(long, value_name = "COMMAND")]
    pub cc: Option<String>,
    /// C: a further option of the compiler, such as -O2. Can be given several times.
    #[arg(long = "cflag", value_name = "OPTION", allow_hyphen_values = true)]
    pub cflags: Vec<String>,
    /// Write the harness and the executable into this directory, and keep them.
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Ask the models for at most so long (60s, 500ms, 2m).
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = units::duration)]
    pub timeout: Duration,
    /// Use at most so much memory for the models (4G, 512M); by default three quarters of what is free.
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub max_memory: Option<u64>,
    /// How what is seen is printed.
    #[arg(long, default_value = "text", value_parser = format_of(Shown::Run))]
    pub format: FormatArg,
}

/// Longest time for rounds: a day.
const LONGEST: Duration = Duration::from_secs(86_400);

fn seconds(text: &str) -> Result<Duration, String> {
    match units::duration(text)? {
        time if time.is_zero() => Err("no rounds fit into no time".into()),
        time if time > LONGEST => Err("that is more than a day".into()),
        time => Ok(time),
    }
}
