//! Plain Promela under SC, no reductions: the same states, how fast, and in how many bytes.

use std::path::PathBuf;

use taut::load::{LoadOptions, from_path};
use taut::{Reduce, StoreKind};
use taut_testkit::spin::PLAIN;

use super::SpinArgs;
use super::peers::{Spin, Way, taut};
use super::table::{Question, Table};
use crate::plot::{Line, Plot};

/// A model of this crate, its size, and how many states that makes.
struct Model {
    file: &'static str,
    defines: &'static [&'static str],
    states: u64,
}

const fn model(file: &'static str, defines: &'static [&'static str], states: u64) -> Model {
    Model { file, defines, states }
}

/// From 10^5 states to 5·10^7.
const MODELS: &[Model] = &[
    model("anderson.pml", &["N=4"], 265_411),
    model("leader.pml", &["N=6"], 313_449),
    model("bakery.pml", &["MOST=4"], 710_466),
    model("window.pml", &["W=4", "C=3"], 1_069_747),
    model("counters.pml", &["LIMIT=40"], 2_825_761),
    model("philosophers.pml", &["N=11"], 3_355_443),
    model("anderson.pml", &["N=5"], 8_087_848),
    model("peterson.pml", &["N=4"], 8_843_939),
    model("window.pml", &["W=4", "C=5"], 10_224_179),
    model("counters.pml", &["LIMIT=80"], 43_046_721),
];

const QUICK: &[Model] = &[model("philosophers.pml", &["N=5"], 819)];

/// Every state, in different ways.
const WAYS: [Way; 3] = [
    Way { name: "Taut, one core", alone: true, ..Way::UNREDUCED },
    Way { name: "Taut, all cores", ..Way::UNREDUCED },
    Way { name: "Taut, all cores, tree", store: StoreKind::Tree, ..Way::UNREDUCED },
];

/// What SPIN's verifier is compiled with, and whether it then stores every state: hash compaction may miss some, and
/// its partial-order reduction is there to do so.
const SPINS: [(&str, &[&str], bool); 4] = [
    ("SPIN", &["-DNOREDUCE"], true),
    ("SPIN, collapse", &["-DNOREDUCE", "-DCOLLAPSE"], true),
    ("SPIN, hash compaction", &["-DNOREDUCE", "-DHC4"], false),
    ("SPIN, reduced", &[], false),
];

/// Runs the part.
pub fn run(args: &SpinArgs, table: &mut Table) -> Result<Vec<Plot>, String> {
    let models = if args.quick { QUICK } else { MODELS };
    for model in models.iter().filter(|model| args.wants(&model.name())) {
        compare(args, model, table);
    }
    conclude(table);
    Ok(vec![speeds(table)])
}

impl Model {
    fn name(&self) -> String {
        let stem = self.file.trim_end_matches(".pml");
        [&[stem], self.defines].concat().join(" ")
    }

    fn path(&self) -> PathBuf {
        [env!("CARGO_MANIFEST_DIR"), "models", self.file].iter().collect()
    }
}

fn compare(args: &SpinArgs, model: &Model, table: &mut Table) {
    let question = Question::new(1, model.name());
    let read = || {
        let options = LoadOptions::default().define(model.defines.iter().copied());
        from_path(&model.path(), options).map_err(|e| e.to_string())
    };
    let mut all_states: Vec<&str> = Vec::new();
    for way in WAYS {
        debug_assert_eq!(way.reduce, Reduce::None);
        table.add(&question, way.name, taut(args, way, read, |check, _| check));
        all_states.push(way.name);
    }
    for (tool, flags, every_state) in SPINS.into_iter().filter(|_| !args.no_spin) {
        table.add(&question, tool, by_spin(args, model, flags));
        all_states.extend(every_state.then_some(tool));
    }
    for tool in all_states {
        let states = table.figures(&question, tool).filter(|f| f.is_complete()).map(|f| f.states);
        if states.is_some_and(|states| states != model.states) {
            table.complain(format!("{}: {tool} does not store {}", question.name, model.states));
        }
    }
}

fn by_spin(
    args: &SpinArgs,
    model: &Model,
    flags: &[&str],
) -> Result<super::figures::Figures, String> {
    let text = std::fs::read_to_string(model.path()).map_err(|e| e.to_string())?;
    let defines: Vec<_> = model.defines.iter().map(|d| format!("-D{d}")).collect();
    let generate: Vec<_> = PLAIN.iter().copied().chain(defines.iter().map(|d| &**d)).collect();
    let spin = Spin {
        text: &text,
        generate: &generate,
        compile: ["-DSAFETY", "-DNOCLAIM"].into_iter().chain(flags.iter().copied()).collect(),
        run: Vec::new(),
        about: model.states,
    };
    spin.search(args)
}

/// Geometric means over the models that both finished.
fn conclude(table: &mut Table) {
    let means: [(&str, &str, &str); 3] = [
        ("1: states/s on one core, times SPIN's", "Taut, one core", "SPIN"),
        ("1: states/s on all cores, times those on one", "Taut, all cores", "Taut, one core"),
        ("1: states/s on all cores in a tree, times SPIN's", "Taut, all cores, tree", "SPIN"),
    ];
    for (words, one, other) in means {
        let pairs = table.pairs(1, one, other);
        let logs: Vec<f64> = pairs.iter().map(|(a, b)| (a.rate() / b.rate()).ln()).collect();
        if !logs.is_empty() {
            table.conclude_that(words, (logs.iter().sum::<f64>() / logs.len() as f64).exp());
        }
    }
}

/// States a second, the models by their size.
fn speeds(table: &Table) -> Plot {
    let tools =
        ["Taut, all cores", "Taut, one core", "Taut, all cores, tree", "SPIN", "SPIN, collapse"];
    let questions = table.questions(1);
    let line = |tool: &str| Line {
        name: tool.into(),
        rising: questions.iter().filter_map(|q| table.figures(q, tool)).map(|f| f.rate()).collect(),
        level: None,
    };
    Plot {
        title: "Plain Promela, every state: states per second".into(),
        across: "models, from the smallest to the largest".into(),
        upwards: "states/s".into(),
        first: 1,
        lines: tools.map(line).into(),
    }
}
