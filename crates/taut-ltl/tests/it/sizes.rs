//! The sizes of automata for the formulas that the literature measures translations by, beside
//! SPIN's.
//!
//! Etessami and Holzmann (CONCUR 2000), Somenzi and Bloem (CAV 2000), Dwyer, Avrunin and Corbett
//! (FMSP 1998). SPIN's figures are recorded in `benchmarks/spin.tsv`.

use std::process::Command;

use taut_ltl::{Automaton, Formula, parse};

const FAMILIES: [(&str, &str); 3] = [
    ("etessami-holzmann", include_str!("../benchmarks/etessami-holzmann.ltl")),
    ("somenzi-bloem", include_str!("../benchmarks/somenzi-bloem.ltl")),
    ("dwyer", include_str!("../benchmarks/dwyer.ltl")),
];

/// A formula or the negation of one.
struct Case {
    family: &'static str,
    number: usize,
    text: &'static str,
    formula: Formula,
    names: Vec<String>,
    /// What `spin.tsv` says.
    spin: &'static str,
}

impl Case {
    /// SPIN's number of states, if it is known.
    fn spin_states(&self) -> Option<usize> {
        self.spin.trim_start_matches('~').parse().ok()
    }

    fn automaton(&self) -> Automaton {
        Automaton::of(&self.formula, self.names.len()).unwrap()
    }
}

/// All formulas, each followed by its negation.
fn cases() -> Vec<Case> {
    let mut recorded =
        include_str!("../benchmarks/spin.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut cases = vec![];
    for (family, lines) in FAMILIES {
        for (number, text) in (1..).zip(lines.lines()) {
            let row: Vec<&str> = recorded.next().unwrap().split('\t').collect();
            assert_eq!((row[0], row[1]), (family, &*number.to_string()));
            let parsed = parse(text).unwrap();
            for (formula, spin) in
                [(parsed.formula.clone(), row[2]), (parsed.formula.negated(), row[3])]
            {
                let names = parsed.atoms.clone();
                cases.push(Case { family, number, text, formula, names, spin });
            }
        }
    }
    assert_eq!(recorded.next(), None);
    assert_eq!(cases.len(), 2 * (12 + 27 + 55));
    cases
}

#[test]
fn never_claims_are_no_larger_than_those_of_spin() {
    let mut compared = 0;
    for case in cases() {
        let Some(spin) = case.spin_states() else { continue };
        let claim = case.automaton().to_state_based();
        assert_eq!(states(&taut_ltl::never::write(&claim, &case.names, "")), claim.states.len());
        assert!(
            claim.states.len() <= spin,
            "{} {}: {} states, SPIN has {spin}: {}",
            case.family,
            case.number,
            claim.states.len(),
            case.text,
        );
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

/// SPIN says what is recorded.
#[test]
fn recorded_sizes_are_those_of_spin() {
    for case in cases() {
        let Ok(recorded) = case.spin.parse::<usize>() else { continue };
        let text = for_spin(&case.formula, &case.names);
        let output = Command::new("spin").args(["-f", &text]).output();
        let output = output.expect("spin is installed by scripts/setup");
        let claim = String::from_utf8(output.stdout).unwrap();
        assert_eq!(states(&claim), recorded, "spin -f '{text}'\n{claim}");
    }
}

/// The states of a never claim: places with a label, or with several.
fn states(claim: &str) -> usize {
    let is_label = |line: &&str| line.ends_with(':') && !line.starts_with(char::is_whitespace);
    let lines: Vec<&str> = claim.lines().collect();
    lines.windows(2).filter(|pair| is_label(&pair[0]) && !is_label(&pair[1])).count()
}

/// A formula with all parentheses, and without `W`, which `spin -f` does not know.
fn for_spin(formula: &Formula, names: &[String]) -> String {
    use Formula::*;
    let text = |f: &Formula| format!("({})", for_spin(f, names));
    match formula {
        True => "true".to_string(),
        False => "false".to_string(),
        Atom(atom) => names[atom.index()].clone(),
        Not(f) => format!("!{}", text(f)),
        Next(f) => format!("X{}", text(f)),
        Always(f) => format!("[]{}", text(f)),
        Eventually(f) => format!("<>{}", text(f)),
        And(f, g) => format!("{} && {}", text(f), text(g)),
        Or(f, g) => format!("{} || {}", text(f), text(g)),
        Implies(f, g) => format!("{} -> {}", text(f), text(g)),
        Iff(f, g) => format!("{} <-> {}", text(f), text(g)),
        Until(f, g) => format!("{} U {}", text(f), text(g)),
        Release(f, g) => format!("{} V {}", text(f), text(g)),
        WeakUntil(f, g) => format!("{} V ({} || {})", text(g), text(f), text(g)),
        StrongRelease(f, g) => format!("{} U ({} && {})", text(g), text(f), text(g)),
    }
}

/// The table of the book: the sizes for each formula and for its negation.
#[test]
fn table() {
    let mut table = String::from(
        "| formula | SPIN | generalised | state-based | SPIN, negated | generalised | state-based |\n\
         | --- | --: | --: | --: | --: | --: | --: |\n",
    );
    let mut sums = [0; 4];
    for pair in cases().chunks(2) {
        let mut row = format!("| `{}` |", pair[0].text.replace('|', "\\|"));
        for (i, case) in pair.iter().enumerate() {
            let automaton = case.automaton();
            let claim = automaton.to_state_based().states.len();
            let spin = match case.spin {
                "?" | "X" => "–".to_string(),
                states => states.trim_start_matches('~').to_string(),
            };
            row += &format!(" {spin} | {} | {claim} |", automaton.states.len());
            if let Some(spin) = case.spin_states() {
                sums[2 * i] += spin;
                sums[2 * i + 1] += claim;
            }
        }
        table += &(row + "\n");
    }
    let [spin, ours, spin_negated, ours_negated] = sums;
    table += &format!(
        "| sum where SPIN has one | {spin} | | {ours} | {spin_negated} | | {ours_negated} |\n"
    );
    let page = include_str!("../../../../book/src/automata.md");
    let is_row = |line: &&str| line.starts_with("| `") || line.starts_with("| sum");
    let shown: Vec<_> = page.lines().filter(is_row).collect();
    assert!(shown.len() >= 10, "the page has rows of the table: {}", shown.len());
    for row in shown {
        assert!(table.contains(row), "another row than that of the page: {row}");
    }
    let whole = include_str!("../../../../book/src/data/automata.csv");
    assert_eq!(whole, as_csv(&table));
    insta::assert_snapshot!(table);
}

/// The rows of a table as values with commas in between. Formulas have none.
fn as_csv(table: &str) -> String {
    let header = "formula,SPIN,generalised,state-based,SPIN negated,generalised negated,state-based negated\n";
    let row = |line: &str| {
        // An escaped bar belongs to a formula.
        let line = line.replace("\\|", "\0");
        let cells = line.trim_matches('|').split('|');
        let cells: Vec<_> = cells.map(|cell| cell.trim().replace('`', "")).collect();
        cells.join(",").replace('\0', "|") + "\n"
    };
    table.lines().skip(2).fold(header.to_string(), |csv, line| csv + &row(line))
}
