//! Texts to begin with: those of the repository, by their reader.

use std::path::{Path, PathBuf};

use crate::run::Runner;

/// What reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The Taut language.
    Taut,
    /// Promela.
    Promela,
    /// DVE.
    Dve,
    /// RMM.
    Rmm,
    /// DVE with parameters: the macro processor first.
    Macros,
    /// Litmus tests.
    Litmus,
    /// Formulas of a file.
    Formulas,
    /// Automata in the Hanoi format.
    Automaton,
    /// Trace files.
    Trace,
    /// Commands of the simulator.
    Script,
}

impl Reader {
    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Reader::Taut => "taut",
            Reader::Promela => "pml",
            Reader::Dve => "dve",
            Reader::Rmm => "rmm",
            Reader::Macros => "mdve",
            Reader::Litmus => "litmus",
            Reader::Formulas => "ltl",
            Reader::Automaton => "hoa",
            Reader::Trace => "json",
            Reader::Script => "script",
        }
    }
}

/// A text to begin with.
#[derive(Clone, Debug)]
pub struct Seed {
    /// What reads it.
    pub reader: Reader,
    /// The text.
    pub bytes: Vec<u8>,
    /// The program that a trace is about.
    pub beside: Option<PathBuf>,
}

/// All texts.
pub struct Seeds(Vec<Seed>);

/// Programs that are violated, for traces.
const VIOLATED: [(&str, &str); 5] = [
    ("examples/sb.taut", "tso"),
    ("examples/peterson.taut", "pso"),
    ("examples/mp.pml", "pso"),
    ("examples/peterson_live.taut", "tso"),
    ("examples/dve/peterson2.dve", "delayed"),
];

/// A model with parameters, in which every construct of the macro processor is used.
const MACROS: &str = "default(N, 2)\ndefine(`turn', `t[$1]')\nbyte t[N];\n\
    forloop(i, 0, 1, `process p_`'i { state a, b; init a; trans a -> b { guard turn(i) == 0; effect turn(i) = 1; }; }\n')\n\
    ifelse(N, 2, `', `dnl nothing\n')\nsystem async;\n";

/// A script of the simulator.
const SCRIPT: &str =
    "show\n1\n2\nback\nrandom 20\nback 3\ngoto 0\nuntil x == 1\nsteps\nhelp\nquit\n";

impl Seeds {
    /// The texts of the repository at `root`.
    pub fn new(root: &Path, runner: &Runner<'_>) -> Result<Seeds, String> {
        let mut seeds = Seeds(Vec::new());
        for folder in ["examples", "testdata"] {
            seeds.add_folder(&root.join(folder))?;
        }
        seeds.add(Reader::Macros, MACROS.into(), None);
        seeds.add(Reader::Script, SCRIPT.into(), None);
        for (program, model) in VIOLATED {
            let program =
                root.join(program).canonicalize().map_err(|e| format!("{program}: {e}"))?;
            let trace = runner.trace(&program, model)?;
            seeds.add(Reader::Trace, trace, Some(program));
        }
        for reader in [
            Reader::Taut,
            Reader::Promela,
            Reader::Dve,
            Reader::Rmm,
            Reader::Litmus,
            Reader::Formulas,
        ] {
            if seeds.of(reader).is_empty() {
                return Err(format!("no texts of {reader:?}: start at the root of the repository"));
            }
        }
        Ok(seeds)
    }

    fn add(&mut self, reader: Reader, bytes: Vec<u8>, beside: Option<PathBuf>) {
        self.0.push(Seed { reader, bytes, beside });
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), String> {
        let error = |e: std::io::Error| format!("{}: {e}", folder.display());
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(error)? {
            paths.push(entry.map_err(error)?.path());
        }
        // The order of a directory is not that of another machine.
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.add_folder(&path)?;
            } else if let Some(reader) = reader(&path) {
                self.add(reader, std::fs::read(&path).map_err(error)?, None);
            }
        }
        Ok(())
    }

    /// The texts of a reader.
    pub fn of(&self, reader: Reader) -> Vec<&Seed> {
        self.0.iter().filter(|seed| seed.reader == reader).collect()
    }

    /// A text: a reader first, so that those with few texts get their share.
    pub fn draw(&self, random: &mut fastrand::Rng) -> &Seed {
        const READERS: [Reader; 14] = [
            Reader::Taut,
            Reader::Taut,
            Reader::Taut,
            Reader::Promela,
            Reader::Promela,
            Reader::Promela,
            Reader::Dve,
            Reader::Rmm,
            Reader::Litmus,
            Reader::Macros,
            Reader::Formulas,
            Reader::Automaton,
            Reader::Trace,
            Reader::Script,
        ];
        let all = self.of(READERS[random.usize(..READERS.len())]);
        match all.as_slice() {
            [] => &self.0[random.usize(..self.0.len())],
            some => some[random.usize(..some.len())],
        }
    }
}

fn reader(path: &Path) -> Option<Reader> {
    match path.extension()?.to_str()? {
        "taut" => Some(Reader::Taut),
        "pml" => Some(Reader::Promela),
        "dve" => Some(Reader::Dve),
        "rmm" => Some(Reader::Rmm),
        "mdve" => Some(Reader::Macros),
        "litmus" => Some(Reader::Litmus),
        "ltl" => Some(Reader::Formulas),
        "hoa" => Some(Reader::Automaton),
        _ => None,
    }
}
