//! Never claims against SPIN itself.

use crate::common;

use common::{ATOMS, Random, names, soak};
use std::path::PathBuf;
use std::process::Command;
use taut_ltl::{Automaton, Formula, evaluate, never};

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("taut-ltl-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a program of the tool chain, and returns what it says.
fn run(folder: &PathBuf, program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(folder).output();
    let output = output.unwrap_or_else(|e| panic!("{program} (scripts/setup installs it): {e}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{program} {args:?}: {text}");
    text
}

fn claim(formula: &Formula) -> String {
    let title = formula.display(&names()).to_string();
    never::write(&Automaton::of(formula, ATOMS as usize).unwrap(), &names(), &title)
}

#[test]
fn spin_accepts_them() {
    let folder = folder("syntax");
    for seed in 0..40 * soak() {
        let claim = claim(&Random(seed).formula(5));
        let model = format!("bool p, q, r, s;\nactive proctype P() {{ do :: p = !p od }}\n{claim}");
        std::fs::write(folder.join("model.pml"), &model).unwrap();
        let said = run(&folder, "spin", &["-a", "model.pml"]);
        assert!(!said.to_lowercase().contains("error"), "seed {seed}: {said}\n{model}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// SPIN finds the one run of a model that is a lasso if and only if the formula holds of it.
#[test]
fn spin_understands_them() {
    let folder = folder("meaning");
    let mut found = [0, 0];
    for seed in 0..8 * soak() {
        let mut random = Random(1_000 + seed);
        let formula = random.formula(4);
        let (stem, cycle) = random.lasso();
        let model = lasso_model(&stem, &cycle) + &claim(&formula);
        std::fs::write(folder.join("model.pml"), &model).unwrap();
        run(&folder, "spin", &["-a", "model.pml"]);
        run(&folder, "gcc", &["-O0", "-w", "-DNOREDUCE", "-o", "pan", "pan.c"]);
        let said = run(&folder, folder.join("pan").to_str().unwrap(), &["-a"]);
        let truth = evaluate(&formula, &stem, &cycle);
        assert_eq!(said.contains("errors: 1"), truth, "seed {seed}: {said}\n{model}");
        found[truth as usize] += 1;
    }
    assert!(found[0] > 0 && found[1] > 0, "{found:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// A model with one run, which reads these valuations.
fn lasso_model(stem: &[u64], cycle: &[u64]) -> String {
    let word = [stem, cycle].concat();
    let set = |valuation: u64| {
        let one = |(i, name): (usize, String)| format!("{name} = {}; ", valuation >> i & 1);
        names().into_iter().enumerate().map(one).collect::<String>()
    };
    let declare = |valuation: u64| {
        let one = |(i, name): (usize, String)| format!("bool {name} = {};\n", valuation >> i & 1);
        names().into_iter().enumerate().map(one).collect::<String>()
    };
    let mut text = declare(word[0]) + "byte at = 0;\nactive proctype P() {\n\tdo\n";
    for i in 0..word.len() {
        let next = if i + 1 < word.len() { i + 1 } else { stem.len() };
        text += &format!("\t:: d_step {{ at == {i} -> {}at = {next} }}\n", set(word[next]));
    }
    text + "\tod\n}\n"
}

#[test]
fn how_they_are_written() {
    let mut shown = String::new();
    for text in
        ["<> p", "[] p", "[] <> p", "! [] (p -> <> q)", "true", "false", "[] <> p && [] <> q"]
    {
        let parsed = taut_ltl::parse(text).unwrap();
        let automaton = Automaton::of(&parsed.formula, parsed.atoms.len()).unwrap();
        shown += &never::write(&automaton, &parsed.atoms, text);
    }
    insta::assert_snapshot!(shown);
}
