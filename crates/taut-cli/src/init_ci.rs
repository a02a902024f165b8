//! `taut init-ci`: a workflow that installs Taut, checks the models of a repository and shows what was found; or a hook
//! of Git that checks them before each commit.
//!
//! What is typed ends up in a shell command in a YAML file that a server runs. So it is quoted for the shell, and what
//! no quoting keeps from meaning something to YAML or to the server is refused.

use clap::ValueEnum;
use taut::{Language, suite};

use super::args::{InitCiArgs, ProviderArg};
use super::exit::Exit;
use super::output::{eprint, print};

/// Runs the command.
pub fn run(args: &InitCiArgs) -> Exit {
    match workflow(args) {
        Ok(text) => {
            print(&text);
            Exit::Holds
        }
        Err(message) => {
            eprint(&format!("error: {message}\n"));
            Exit::BadInput
        }
    }
}

fn workflow(args: &InitCiArgs) -> Result<String, String> {
    let template = match args.provider {
        ProviderArg::Github => include_str!("../templates/github.yml"),
        ProviderArg::Gitlab => include_str!("../templates/gitlab.yml"),
        ProviderArg::Hook => include_str!("../templates/hook.sh"),
    };
    let reports = match is_program(args) {
        true => String::new(),
        false => "    reports:\n      junit: taut.xml\n".into(),
    };
    Ok(template
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@REPORTS@\n", &reports)
        .replace(git_place(args.provider), &git(args)?)
        .replace("@PATH@", &suite::quoted(path(args)?))
        .replace("@CHECK@", &check(args)?))
}

/// Whether one program is checked, by its name: the workflow may be printed before there is such a file.
fn is_program(args: &InitCiArgs) -> bool {
    Language::of_path(&args.path).is_some()
}

/// What is checked.
fn path(args: &InitCiArgs) -> Result<&str, String> {
    let path = args.path.to_str().ok_or("the path is not UTF-8 text")?;
    refuse_unsafe("path", path)?;
    match path.starts_with('-') {
        true => Err(format!("`{path}` would be read as an option; write `./{path}`")),
        false => Ok(path),
    }
}

/// The option for a baseline, with a blank before it.
fn baseline(args: &InitCiArgs) -> Result<String, String> {
    let Some(path) = &args.baseline else { return Ok(String::new()) };
    let path = path.to_str().ok_or("the path of the baseline is not UTF-8 text")?;
    refuse_unsafe("path of the baseline", path)?;
    Ok(format!(" --baseline={}", suite::quoted(path)))
}

/// The command that checks.
fn check(args: &InitCiArgs) -> Result<String, String> {
    let mut command = format!("taut check {}", suite::quoted(path(args)?));
    match args.model.and_then(|model| model.to_possible_value()) {
        Some(_) if !is_program(args) => {
            return Err(
                "--model is for one program; the programs of a directory say it, in `// expect:`"
                    .into(),
            );
        }
        Some(model) => command.push_str(&format!(" --model {}", model.get_name())),
        None => {}
    }
    command.push_str(match (args.provider, is_program(args)) {
        (ProviderArg::Github, _) => " --format github",
        (ProviderArg::Gitlab, true) | (ProviderArg::Hook, _) => "",
        (ProviderArg::Gitlab, false) => " --junit taut.xml",
    });
    command.push_str(&baseline(args)?);
    Ok(match args.provider {
        ProviderArg::Hook => command + " --timeout 1m",
        ProviderArg::Github | ProviderArg::Gitlab => command + " --sarif taut.sarif --timeout 10m",
    })
}

/// Where in the template the address of Taut's repository is put.
fn git_place(provider: ProviderArg) -> &'static str {
    match provider {
        ProviderArg::Github | ProviderArg::Hook => "@GIT@",
        ProviderArg::Gitlab => "@GIT@\n",
    }
}

/// Where Taut is installed from: a YAML string, or for GitLab, which has its variables in every job, nothing or a block.
fn git(args: &InitCiArgs) -> Result<String, String> {
    let url = match &args.git {
        None => None,
        Some(url) => {
            refuse_unsafe("URL", url)?;
            Some(format!("'{}'", url.replace('\'', "''")))
        }
    };
    Ok(match args.provider {
        ProviderArg::Github | ProviderArg::Hook => {
            url.unwrap_or_else(|| "${{ vars.TAUT_GIT }}".into())
        }
        ProviderArg::Gitlab => url.map_or_else(String::new, |url| {
            format!("  variables:\n    # Where Taut is installed from.\n    TAUT_GIT: {url}\n")
        }),
    })
}

/// Refuses what means something to YAML or to the server, however it is quoted.
fn refuse_unsafe(what: &str, text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err(format!("the {what} is empty"));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("the {what} has a line break or another control character in it"));
    }
    match text.contains("${{") {
        true => Err(format!("the {what} has `${{{{` in it, which the server would replace")),
        false => Ok(()),
    }
}
