//! The command line of Taut with one more language: a toy assembler, and all that it takes to add one.
//!
//! ```text
//! # expect: sc holds
//! # expect: tso violated
//! thread p
//! store x 1
//! load r y
//! thread q
//! store y 1
//! load s x
//! never r=0 s=0
//! ```
//!
//! Registers belong to the thread that loads them, and hold `--initial` at first. `never` names values that registers do
//! not have at the same time.

use std::collections::BTreeMap;
use std::process::ExitCode;

use taut::diag::{Diagnostic, Diagnostics, EditSites, FileId, Point, SourceMap, Span};
use taut::ir::build::ProgramBuilder;
use taut::ir::frontend::{
    CommentStyle, FenceWords, Frontend, LoadContext, Model, OptionKind, OptionSpec, ReadModel,
};
use taut::ir::{Expr, ProcId, Program, RegId, Type, VarId};

fn main() -> ExitCode {
    taut::frontends::register(&Toy);
    taut_cli::run()
}

/// The value of registers before the first load.
const INITIAL: OptionSpec = OptionSpec::new(
    "initial",
    "value of registers before the first load",
    OptionKind::Number { least: 0, most: 9, default: 7 },
)
.in_headers();

/// The code of every message.
const BAD_LINE: &str = "Y0001";

/// A toy assembler, `.toy`.
#[derive(Debug)]
struct Toy;

impl Frontend for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn title(&self) -> &'static str {
        "Toy"
    }

    fn noun(&self) -> &'static str {
        "toy program"
    }

    fn about(&self) -> &'static str {
        "A toy assembler"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["toy"]
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Line("#")
    }

    fn keywords(&self) -> &'static [&'static str] {
        &["thread", "store", "load", "fence", "never"]
    }

    fn codes(&self) -> &'static [(&'static str, &'static str)] {
        &[(BAD_LINE, "a line that is no instruction")]
    }

    fn options(&self) -> &'static [OptionSpec] {
        &[INITIAL]
    }

    fn fences(&self) -> Option<FenceWords<'static>> {
        Some(FenceWords::new("fence", "fence"))
    }

    fn load(&self, cx: &mut LoadContext<'_>) -> Result<ReadModel, Diagnostics> {
        let initial = cx.options.number(&INITIAL).into();
        let program = Assembler::new(initial).run(cx.sources, cx.file)?;
        Ok(ReadModel::new(ToyModel, program))
    }
}

#[derive(Debug)]
struct ToyModel;

impl Model for ToyModel {
    /// A fence can stand after every store.
    fn edit_sites(&self, sources: &SourceMap, file: FileId) -> Result<EditSites, Diagnostics> {
        let stores = lines(sources, file).filter(|(_, words)| words[0] == "store");
        let point = |(span, words): (Span, Vec<String>)| Point {
            file,
            at: span.end as usize,
            before: "\n".into(),
            after: String::new(),
            opening: None,
            span,
            words: format!("after `{}`", words.join(" ")),
        };
        Ok(EditSites { points: stores.map(point).collect(), ..EditSites::default() })
    }
}

/// The lines that are no comments, as words.
fn lines(sources: &SourceMap, file: FileId) -> impl Iterator<Item = (Span, Vec<String>)> {
    let text = sources.file(file).text();
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let code = line.split('#').next().unwrap_or_default().trim_end();
        let words: Vec<String> = code.split_whitespace().map(String::from).collect();
        (!words.is_empty()).then(|| (Span::new(file, start..start + code.len()), words))
    })
}

/// Makes a program of lines.
struct Assembler {
    builder: ProgramBuilder,
    initial: i64,
    variables: BTreeMap<String, VarId>,
    registers: BTreeMap<String, (ProcId, RegId)>,
}

/// The instructions of a thread, with where they stand.
type Thread = (String, Vec<(Span, Vec<String>)>);

impl Assembler {
    fn new(initial: i64) -> Assembler {
        let builder = ProgramBuilder::new("toy");
        Assembler { builder, initial, variables: BTreeMap::new(), registers: BTreeMap::new() }
    }

    fn run(mut self, sources: &SourceMap, file: FileId) -> Result<Program, Diagnostics> {
        let (mut threads, mut never): (Vec<Thread>, Vec<(Span, Vec<String>)>) = Default::default();
        for (span, words) in lines(sources, file) {
            match (words[0].as_str(), threads.last_mut()) {
                ("thread", _) if words.len() == 2 => threads.push((words[1].clone(), Vec::new())),
                ("never", _) => never.push((span, words)),
                (_, Some((_, code))) => code.push((span, words)),
                _ => return Err(bad_line(span)),
            }
        }
        for (name, code) in threads {
            self.thread(&name, &code)?;
        }
        for (span, words) in never {
            self.never(&words).ok_or_else(|| bad_line(span))?;
        }
        self.builder.build().map_err(|_| bad_line(Span::NONE))
    }

    fn variable(&mut self, name: &str) -> VarId {
        let new = || self.builder.shared(name, Type::INT, 0);
        *self.variables.entry(name.into()).or_insert_with(new)
    }

    fn thread(&mut self, name: &str, code: &[(Span, Vec<String>)]) -> Result<(), Diagnostics> {
        let mut variables = Vec::new();
        for (_, words) in code {
            let var = if words[0] == "store" { words.get(1) } else { words.get(2) };
            variables.push(var.map(|name| self.variable(name)));
        }
        let mut own: BTreeMap<String, RegId> = BTreeMap::new();
        let mut process = self.builder.process(name);
        for ((span, words), var) in code.iter().zip(variables) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match (words.as_slice(), var) {
                (["store", _, value], Some(var)) => {
                    let value: i64 = value.parse().map_err(|_| bad_line(*span))?;
                    process.store(var, value);
                }
                (["load", register, _], Some(var)) => {
                    let new = || process.register(register, Type::INT, self.initial);
                    let register = *own.entry((*register).into()).or_insert_with(new);
                    process.load(register, var);
                }
                (["fence"], _) => {
                    process.fence();
                }
                _ => return Err(bad_line(*span)),
            }
            process.span(*span);
        }
        let id = process.finish();
        self.registers.extend(own.into_iter().map(|(name, register)| (name, (id, register))));
        Ok(())
    }

    /// `never r=0 s=1`: the registers do not have these values at the same time.
    fn never(&mut self, words: &[String]) -> Option<()> {
        let mut all: Option<Expr> = None;
        for word in &words[1..] {
            let (name, value) = word.split_once('=')?;
            let &(process, register) = self.registers.get(name)?;
            let value = Expr::Const(value.parse().ok()?);
            let is = Expr::In(process, Box::new(Expr::Reg(register))).equals(value);
            all = Some(all.map_or(is.clone(), |all| all.and(is)));
        }
        self.builder.forbid(&words.join(" "), all?);
        Some(())
    }
}

fn bad_line(span: Span) -> Diagnostics {
    let message = "this is no instruction";
    Diagnostic::error(BAD_LINE, message, span)
        .help("write `store x 1`, `load r x` or `fence`")
        .into()
}
