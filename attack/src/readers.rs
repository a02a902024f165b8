//! Every reader, as a function of bytes that panics if something does not hold.
//!
//! Common to all: the bytes are read, or refused with at least one message, and every message can be shown. What is
//! read becomes a valid program, and what is printed reads as the same thing again.

use taut::budget::{Budget, Level};
use taut::diag::{Diagnostics, SourceMap, render_all};
use taut::dve::ATOMIC;
use taut::ir::frontend::{NamedText, OptionValues};
use taut::ir::validate::validate;
use taut::load::{FileAccess, LoadOptions, from_bytes};
use taut::ltl::{Automaton, hoa};
use taut::render::recording_from_json;
use taut::suite::header;
use taut::{Language, LoadError, Loaded};
use taut_proof::{Claim, Cut, Evidence, Kind, MAGIC, Proven};

/// A reader by its name.
pub type Reader = (&'static str, fn(&[u8]));

/// All readers. The name is that of the fuzz target and of the folder in `testdata/fuzz`.
pub const ALL: [Reader; 13] = [
    ("taut", taut_language),
    ("promela", promela),
    ("dve", dve),
    ("rmm", rmm),
    ("macros", macros),
    ("c", c),
    ("litmus", litmus),
    ("formula", formula),
    ("automaton", automaton),
    ("trace", trace),
    ("certificate", certificate),
    ("atomic_list", atomic_list),
    ("header", suite_header),
];

/// Formulas with more characters than this have automata that take long.
const LONG_FORMULA: usize = 60;

/// Reads a program with nothing beside it.
fn load(name: &str, bytes: &[u8], values: OptionValues) -> Option<Loaded> {
    let options = LoadOptions { access: FileAccess::Denied, values, ..LoadOptions::default() };
    match from_bytes(name, bytes.to_vec(), options) {
        Ok(loaded) => {
            validate(&loaded.program).expect("what is read is a valid program");
            shown(&loaded.sources, &loaded.warnings);
            Some(loaded)
        }
        Err(error) => {
            let LoadError { sources, diagnostics } = &*error;
            assert!(!diagnostics.is_empty(), "refused without a message");
            shown(sources, diagnostics);
            None
        }
    }
}

/// Every message can be shown, whatever its place is.
fn shown(sources: &SourceMap, diagnostics: &Diagnostics) {
    let text = render_all(sources, diagnostics, false);
    assert_eq!(text.trim().is_empty(), diagnostics.is_empty(), "a message without words");
}

/// The Taut language: a formatted text is formatted the same way again and says the same.
pub fn taut_language(bytes: &[u8]) {
    let Some(loaded) = load("fuzz.taut", bytes, OptionValues::default()) else { return };
    let formatted = taut::lang::format(&loaded.sources, loaded.file);
    let formatted = formatted.expect("what is read can be formatted");
    let again = load("fuzz.taut", formatted.as_bytes(), OptionValues::default());
    let again = again.expect("a formatted text can be read");
    assert!(taut::lang::same(&loaded.program, &again.program), "another program from\n{formatted}");
    let twice = taut::lang::format(&again.sources, again.file);
    assert_eq!(twice.expect("formatted"), formatted, "formatted twice");
}

/// Promela: what is printed reads as the same tree.
pub fn promela(bytes: &[u8]) {
    use taut_promela::{Headers, Options, Parsed, parse, print};
    let read = |bytes: &[u8]| -> Option<Parsed> {
        let mut sources = SourceMap::new();
        let file = sources.add_bytes("fuzz.pml", bytes.to_vec()).ok()?;
        parse(&mut sources, file, &Options::default(), &mut Headers::none()).ok()
    };
    load("fuzz.pml", bytes, OptionValues::default());
    let Some(parsed) = read(bytes) else { return };
    let printed = print(&parsed.model);
    let again = read(printed.as_bytes()).expect("what is printed can be read");
    assert!(again.model == parsed.model, "another tree from\n{printed}");
}

/// DVE: what is printed reads as the same tree.
pub fn dve(bytes: &[u8]) {
    let read = |bytes: &[u8]| {
        let mut sources = SourceMap::new();
        let file = sources.add_bytes("fuzz.dve", bytes.to_vec()).ok()?;
        taut_dve::parse(&sources, file).ok()
    };
    load("fuzz.dve", bytes, OptionValues::default());
    let Some(parsed) = read(bytes) else { return };
    let printed = taut_dve::print(&parsed.model);
    let again = read(printed.as_bytes()).expect("what is printed can be read");
    assert!(taut_dve::same(&parsed.model, &again.model), "another tree from\n{printed}");
}

/// RMM: what is formatted reads as the same program, and is formatted the same way again.
pub fn rmm(bytes: &[u8]) {
    let Some(loaded) = load("fuzz.rmm", bytes, OptionValues::default()) else { return };
    let formatted = taut_rmm::format(&loaded.sources, loaded.file);
    let formatted = formatted.expect("what is read can be formatted");
    let again = load("fuzz.rmm", formatted.as_bytes(), OptionValues::default());
    let again = again.expect("a formatted text can be read");
    assert!(taut::lang::same(&loaded.program, &again.program), "another program from\n{formatted}");
    let twice = taut_rmm::format(&again.sources, again.file);
    assert_eq!(twice.expect("formatted"), formatted, "formatted twice");
    loaded.model.edit_sites(&loaded.sources, loaded.file).expect("places of a program");
}

/// The macro processor: it ends, and what it makes is bounded.
pub fn macros(bytes: &[u8]) {
    load("fuzz.mdve", bytes, OptionValues::default());
}

/// C: a text that is read twice is the same program.
pub fn c(bytes: &[u8]) {
    let Some(loaded) = load("fuzz.c", bytes, OptionValues::default()) else { return };
    let again = load("fuzz.c", bytes, OptionValues::default());
    let again = again.expect("what is read once is read twice");
    assert!(again.program == loaded.program, "another program from the same text");
}

/// Litmus tests.
pub fn litmus(bytes: &[u8]) {
    load("fuzz.litmus", bytes, OptionValues::default());
}

/// Formulas: what is printed reads as the same formula, and a short one has an automaton.
pub fn formula(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(parsed) = taut::ltl::parse(text) else { return };
    let printed = parsed.formula.display(&parsed.atoms).to_string();
    let again = taut::ltl::parse(&printed).expect("what is printed can be read");
    assert_eq!(again.formula, parsed.formula, "another formula from {printed}");
    if text.len() <= LONG_FORMULA {
        // A formula may be too large; that is a message.
        let _ = Automaton::of(&parsed.formula, parsed.atoms.len());
    }
}

/// Automata in the Hanoi format: what is written is read as the same automaton.
pub fn automaton(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(read) = hoa::read(text) else { return };
    let written = hoa::write(&read.automaton, &read.atoms);
    let again = hoa::read(&written).expect("what is written can be read");
    assert_eq!(again.automaton.states.len(), read.automaton.states.len(), "{written}");
}

/// Certificates: whole files, and bodies of claims. None is accepted about a program that is wrong.
pub fn certificate(bytes: &[u8]) {
    const PROGRAM: &str = include_str!("../../examples/sb.taut");
    let Some(loaded) = load("program.taut", PROGRAM.as_bytes(), OptionValues::default()) else {
        panic!("the program of the certificates is right");
    };
    let Some(wrong) = loaded.program.properties.first() else { panic!("a property") };
    let claim = |evidence| Claim {
        model: "tso".into(),
        bound: Some(2),
        full_is_error: false,
        slots: None,
        races: false,
        holds: vec![Proven { name: wrong.name.clone(), kind: Kind::Property }],
        cut: Cut::default(),
        evidence,
        bytes: bytes.len() as u64,
    };
    let budget = Budget::new().time(Some(std::time::Duration::from_secs(5)));
    let checked = budget.run(Level::Work, || {
        if bytes.starts_with(MAGIC) {
            return taut_certify::certify("program.taut", PROGRAM.as_bytes(), bytes).err();
        }
        let runs = Evidence::Runs { fairness: "all".into() };
        let all = [Evidence::States, runs, Evidence::Buffers, Evidence::Constraints];
        let mut refusals = all.map(|evidence| {
            let has_bound = matches!(evidence, Evidence::States | Evidence::Runs { .. });
            let bound = has_bound.then_some(2);
            let claim = Claim { bound, ..claim(evidence) };
            let refused = taut_certify::certify_program(&loaded.program, &claim, bytes);
            Some(refused.expect_err("a false claim is accepted"))
        });
        refusals[0].take()
    });
    if let Ok(Some(refusal)) = checked {
        assert!(!refusal.to_string().is_empty(), "refused without a reason");
    }
}

/// Traces: a trace is refused or replayed.
pub fn trace(bytes: &[u8]) {
    const PROGRAM: &str = include_str!("../../examples/sb.taut");
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Some(loaded) = load("program.taut", PROGRAM.as_bytes(), OptionValues::default()) else {
        panic!("the program of the traces is right");
    };
    if let Ok(recording) = recording_from_json(&loaded.program, text)
        && let Err(error) = recording.replay(&loaded.program)
    {
        assert!(!error.describe(&loaded.sources).is_empty());
    }
}

/// Lists of atomic writes.
pub fn atomic_list(bytes: &[u8]) {
    const MODEL: &[u8] = b"byte x;\nprocess P { state a, b; init a; trans a -> b { effect x = 1; }; }\nsystem async;\n";
    let Ok(text) = str::from_utf8(bytes) else { return };
    let mut values = OptionValues::default();
    values.set_file(&ATOMIC, NamedText { name: "atomic.txt".into(), text: text.into() });
    load("fuzz.dve", MODEL, values);
}

/// Headers of suites.
pub fn suite_header(bytes: &[u8]) {
    let mut sources = SourceMap::new();
    let Ok(file) = sources.add_bytes("fuzz", bytes.to_vec()) else { return };
    for language in Language::all() {
        if let Err(diagnostics) = header(&sources, file, language) {
            shown(&sources, &diagnostics);
        }
    }
}
