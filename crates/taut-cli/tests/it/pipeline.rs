//! What runs Taut elsewhere: the hook of Git, the hooks of pre-commit, the action of GitHub, and what is passed on.

use std::path::Path;
use std::process::{Command, Output};

use taut_testkit::suite::root;
use yaml_rust2::{Yaml, YamlLoader};

use crate::command::{code, shown, stdout};
use crate::formats::{Folder, STORE_BUFFERING};

fn yaml(name: &str) -> Yaml {
    let text = std::fs::read_to_string(root().join(name)).expect("a file");
    YamlLoader::load_from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}")).remove(0)
}

/// A shell in that folder that finds this Taut.
fn shell(folder: &Path, program: &str) -> Command {
    let taut = Path::new(env!("CARGO_BIN_EXE_taut")).parent().expect("a folder");
    let path = format!("{}:{}", taut.display(), std::env::var("PATH").expect("a path"));
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .env("PATH", path)
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE");
    command
}

fn git(folder: &Path, words: &[&str]) -> Output {
    let name = ["-c", "user.name=a", "-c", "user.email=a@localhost"];
    shell(folder, "git").args(name).args(words).output().expect("git runs")
}

#[test]
fn the_hook_of_git_refuses_a_commit_by_what_is_staged() {
    let folder = Folder::new("hook");
    folder.write("models/sb.taut", &format!("// expect: tso violated\n{STORE_BUFFERING}"));
    assert_eq!(code(&git(folder.path(), &["init", "-q"])), 0);
    let hook = stdout(&folder.taut(&["init-ci", "--provider", "hook"]));
    folder.write(".git/hooks/pre-commit", &hook);
    let made = shell(folder.path(), "chmod").args(["+x", ".git/hooks/pre-commit"]).status();
    assert!(made.expect("chmod runs").success());
    let commit = || {
        git(folder.path(), &["add", "-A"]);
        git(folder.path(), &["commit", "-q", "-m", "a"])
    };
    let good = commit();
    assert_eq!(code(&good), 0, "{}", shown(&good));
    folder.write("models/sb.taut", &format!("// expect: tso holds\n{STORE_BUFFERING}"));
    git(folder.path(), &["add", "-A"]);
    // What is staged counts, not what is in the folder.
    folder.write("models/sb.taut", &format!("// expect: tso violated\n{STORE_BUFFERING}"));
    let bad = git(folder.path(), &["commit", "-q", "-m", "b"]);
    assert_ne!(code(&bad), 0, "{}", shown(&bad));
    folder.write("other.txt", "nothing of the models is staged");
    git(folder.path(), &["reset", "-q"]);
    git(folder.path(), &["add", "other.txt"]);
    let other = git(folder.path(), &["commit", "-q", "-m", "c"]);
    assert_eq!(code(&other), 0, "{}", shown(&other));
}

#[test]
fn the_hook_of_pre_commit_names_the_languages() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let hook = &hooks[0];
    assert_eq!(hook["entry"].as_str(), Some("taut check"));
    let files = hook["files"].as_str().expect("a pattern");
    for language in
        taut::Language::all().into_iter().filter(|l| !["c", "litmus"].contains(&l.name()))
    {
        for extension in language.extensions() {
            let is_named =
                [format!("({extension}|"), format!("|{extension}|"), format!("|{extension})")];
            assert!(is_named.iter().any(|e| files.contains(e)), "{extension}: {files}");
        }
    }
    let options = hook["args"].as_vec().expect("options");
    let options: Vec<_> = options.iter().map(|o| o.as_str().expect("a word")).collect();
    let output = crate::command::taut(
        &[&["check", "examples/peterson_tso.taut", "--model=tso"], &options[..]].concat(),
    );
    assert_eq!(code(&output), 0, "{}", shown(&output));
}

#[test]
fn the_action_checks_what_its_inputs_say_and_runs_nothing_of_them() {
    let action = yaml("action.yml");
    assert_eq!(action["runs"]["using"].as_str(), Some("composite"));
    let steps = action["runs"]["steps"].as_vec().expect("steps");
    for step in steps {
        let text = step["run"].as_str().unwrap_or_default();
        assert!(!text.contains("${{"), "an input would be a part of the script: {text}");
        assert_eq!(step["run"].is_badvalue(), step["shell"].is_badvalue());
    }
    let check =
        steps.iter().find(|s| s["name"].as_str() == Some("Check the models")).expect("a step");
    let folder = Folder::new("action");
    folder.write("models/sb.taut", &format!("// expect: tso violated\n{STORE_BUFFERING}"));
    folder.write("it's; touch gone.taut", STORE_BUFFERING);
    let run = |paths: &str, model: &str, baseline: &str| {
        let mut bash = shell(folder.path(), "bash");
        let bash = bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c"]);
        let bash = bash.arg(check["run"].as_str().expect("a script"));
        let bash = bash
            .env("TAUT_PATHS", paths)
            .env("TAUT_MODEL", model)
            .env_remove("GITHUB_STEP_SUMMARY");
        let bash = bash.env("TAUT_BASELINE", baseline).env("TAUT_TIMEOUT", "60s");
        bash.env("TAUT_SARIF", "taut.sarif").output().expect("bash runs")
    };
    let good = run("models\n", "", "");
    assert_eq!(code(&good), 0, "{}", shown(&good));
    let bad = run("it's; touch gone.taut\n", "tso", "");
    assert_eq!(code(&bad), 1, "{}", shown(&bad));
    assert!(stdout(&bad).contains("::error ") && !folder.read("taut.sarif").is_empty());
    folder.taut(&["check", "it's; touch gone.taut", "--write-baseline", "known.json"]);
    let known = run("it's; touch gone.taut\nmodels", "", "known.json");
    assert_eq!(code(&known), 0, "{}", shown(&known));
    let option = run("--version\n", "", "");
    assert_eq!(code(&option), 3, "a path is no option: {}", shown(&option));
}

/// Runs `scripts/dist` with a stand-in for the executable, which is quick to pack.
fn dist(folder: &Folder, to: &str, umask: &str) -> Output {
    let taut = env!("CARGO_BIN_EXE_taut");
    folder.write("taut", &format!("#!/bin/sh\nexec '{taut}' \"$@\"\n"));
    let binary = folder.path().join("taut").display().to_string();
    let to = folder.path().join(to).display().to_string();
    let script = format!("umask {umask}; chmod +x '{binary}'; scripts/dist");
    let mut bash = Command::new("bash");
    let bash =
        bash.args(["-c", &script]).current_dir(root()).env("SOURCE_DATE_EPOCH", "1700000000");
    bash.env("TAUT_BIN", &binary).env("DIST", &to).output().expect("bash runs")
}

#[test]
fn what_is_passed_on_is_the_same_every_time_and_debian_reads_it() {
    let folder = Folder::new("dist");
    let [first, second] =
        [("one", "022"), ("two", "077")].map(|(to, umask)| dist(&folder, to, umask));
    assert_eq!(code(&first), 0, "{}", shown(&first));
    assert_eq!(stdout(&first), stdout(&second), "the same bytes");
    let sums = folder.read("one/SHA256SUMS");
    assert_eq!(sums.lines().count(), 2, "{sums}");
    let checked =
        shell(&folder.path().join("one"), "sha256sum").args(["-c", "SHA256SUMS"]).output();
    assert!(checked.expect("sha256sum runs").status.success());
    let deb = sums
        .lines()
        .find_map(|l| l.split_whitespace().find(|w| w.ends_with(".deb")))
        .expect("a package");
    assert!(deb.ends_with("_amd64.deb") || !cfg!(target_arch = "x86_64"), "{deb}");
    if !Path::new("/usr/bin/dpkg-deb").exists() {
        return;
    }
    let of = |what: &str| {
        let output = shell(&folder.path().join("one"), "dpkg-deb")
            .args([what, deb])
            .output()
            .expect("dpkg-deb runs");
        assert_eq!(code(&output), 0, "{}", shown(&output));
        stdout(&output)
    };
    let info = of("--info");
    assert!(info.contains("Package: taut") && info.contains(env!("CARGO_PKG_VERSION")), "{info}");
    let contents = of("--contents");
    for file in ["./usr/bin/taut", "./usr/share/man/man1/taut-check.1.gz", "completions/taut"] {
        assert!(contents.contains(file), "{file}:\n{contents}");
    }
    assert!(
        contents.lines().all(|line| line.contains("root/root") || line.contains(" 0/0 ")),
        "{contents}"
    );
}
