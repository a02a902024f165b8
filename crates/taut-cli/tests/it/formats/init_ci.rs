//! Workflows for build servers: YAML as it should be, and commands that run.

use yaml_rust2::{Yaml, YamlLoader};

use super::outputs::words;
use super::{Folder, STORE_BUFFERING, without_version};
use crate::command::{code, shown, stderr, stdout, taut};

fn workflow(args: &[&str]) -> (String, Yaml) {
    let output = taut(&[&["init-ci"], args].concat());
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let text = stdout(&output);
    let mut all = YamlLoader::load_from_str(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(all.len(), 1);
    (text, all.remove(0))
}

/// The commands of `taut` in everything that a workflow runs.
fn commands(yaml: &Yaml) -> Vec<String> {
    match yaml {
        Yaml::String(text) => {
            text.lines().filter(|l| l.starts_with("taut ")).map(String::from).collect()
        }
        Yaml::Array(items) => items.iter().flat_map(commands).collect(),
        Yaml::Hash(fields) => fields.values().flat_map(commands).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn the_workflows_are_these() {
    insta::assert_snapshot!("init_ci_github", without_version(&workflow(&[]).0));
    let gitlab = workflow(&["--provider", "gitlab"]).0;
    insta::assert_snapshot!("init_ci_gitlab", without_version(&gitlab));
}

#[test]
fn a_workflow_for_github_checks_and_uploads() {
    let (_, yaml) = workflow(&["--git", "https://example.org/it's/taut"]);
    assert_eq!(yaml["permissions"]["security-events"].as_str(), Some("write"));
    let steps = yaml["jobs"]["taut"]["steps"].as_vec().expect("steps");
    let of = |name: &str| steps.iter().find(|s| s["name"].as_str() == Some(name)).expect("a step");
    let git = &of("Install Taut")["env"]["TAUT_GIT"];
    assert_eq!(git.as_str(), Some("https://example.org/it's/taut"));
    let upload = of("Upload what was found");
    let action = upload["uses"].as_str().expect("an action");
    assert!(action.starts_with("github/codeql-action/upload-sarif@"), "{action}");
    let written = upload["with"]["sarif_file"].as_str().expect("a file");
    assert!(commands(&yaml)[0].contains(&format!("--sarif {written}")), "{yaml:?}");
}

/// Every command of every workflow does what the workflow is for.
#[test]
fn what_a_workflow_runs_does_run() {
    let folder = Folder::new("workflow");
    folder.write("models/sb.taut", &format!("// expect: tso violated\n{STORE_BUFFERING}"));
    folder.write("my models/it's.taut", STORE_BUFFERING);
    let cases: [(&[&str], i32, &[&str]); 5] = [
        (&[], 0, &["taut.sarif"]),
        (&["--provider", "gitlab"], 0, &["taut.sarif", "taut.xml"]),
        (&["my models/it's.taut", "--model", "tso"], 1, &["taut.sarif"]),
        (&["my models/it's.taut", "--provider", "gitlab", "--model", "sc"], 0, &["taut.sarif"]),
        (&["models/sb.taut", "--model", "all"], 1, &["taut.sarif"]),
    ];
    for (args, exit, files) in cases {
        let all = commands(&workflow(args).1);
        assert_eq!(all.len(), 1, "{args:?}: {all:?}");
        for file in files {
            let _ = std::fs::remove_file(folder.path().join(file));
        }
        // A quote inside of quotes is more than `words` knows.
        let command = all[0].replace(r"'\''", "\u{1}");
        let words: Vec<String> = words(&command).iter().map(|w| w.replace('\u{1}', "'")).collect();
        let words: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let output = folder.taut(&words);
        assert_eq!(code(&output), exit, "{all:?}: {}", shown(&output));
        files.iter().for_each(|file| assert!(!folder.read(file).is_empty(), "{file}"));
    }
}

#[test]
fn what_cannot_be_in_a_workflow_is_refused() {
    let cases: [(&[&str], &str); 6] = [
        (&["models", "--model", "tso"], "--model is for one program"),
        (&["a\nb"], "the path has a line break"),
        (&["${{ secrets.TOKEN }}"], "the path has `${{` in it"),
        (&["--git", "x\n- run: y"], "the URL has a line break"),
        (&["--git", ""], "the URL is empty"),
        (&["--", "-x"], "write `./-x`"),
    ];
    for (args, message) in cases {
        let output = taut(&[&["init-ci"], args].concat());
        assert_eq!(code(&output), 3, "{}", shown(&output));
        assert!(stderr(&output).contains(message), "{args:?}: {}", shown(&output));
        assert_eq!(stdout(&output), "");
    }
    let output = taut(&["init-ci", "--provider", "jenkins"]);
    assert_eq!(code(&output), 3);
    assert!(
        stderr(&output).contains("possible values: github, gitlab, hook"),
        "{}",
        shown(&output)
    );
}
