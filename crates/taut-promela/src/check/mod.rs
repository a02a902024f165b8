//! Names and types: what SPIN checks when it reads a model, and a little more.
//!
//! Names are declared before they are used, and a name that can be seen cannot be declared again: Promela has
//! scopes but no hiding. Claims and formulas are looked at last, as SPIN does with formulas, so they see the
//! whole model. References to labels and variables of other processes wait until all processes are known.

mod constant;
mod declare;
mod expr;
mod labels;
mod refuse;
mod statement;
mod symbols;
mod trace;

use std::collections::HashMap;

use taut_source::{Diagnostic, Diagnostics, Span};

use crate::ast::*;
use crate::claim::{self, Extra};
use crate::codes;
use crate::parser::Tree;
use crate::preprocess::{Use, with_macro};
use labels::Frame;
pub use symbols::{Binding, MtypeSet, ProctypeInfo, Symbols, TypedefInfo, Variable, VariableId};
use taut_source::nearest;

/// A question about another process that waits until all are known.
struct Remote {
    proctype: Name,
    /// A label, else a variable.
    label: bool,
    name: Name,
    /// The proctype that asks, by its number; none for a claim, which sees the whole model.
    from: Option<u32>,
}

/// The name of a set of symbolic names, which the first one may lack; with the place of a value from it.
type MtypeName = (Option<String>, Span);

/// A scope: the names declared in one pair of braces.
type Scope = HashMap<String, VariableId>;

/// The checker at work.
struct Checker<'m> {
    symbols: Symbols,
    uses: &'m HashMap<Span, Use>,
    diagnostics: &'m mut Diagnostics,
    /// The scopes that can be seen, the outermost (global) first.
    scopes: Vec<Scope>,
    /// Constant initial values of scalars, for the sizes of arrays.
    constants: HashMap<VariableId, i32>,
    /// The process being checked, by its number.
    process: Option<u32>,
    /// The inline calls around the statement being checked.
    calls: Vec<(String, Span)>,
    /// The labels that `goto` can see: those of each inline call, those of the process first.
    frames: Vec<Frame>,
    /// How many loops are around the statement, since the last `d_step`.
    loops: usize,
    /// The `d_step` around the statement; 0 if there is none.
    step: u32,
    steps: u32,
    /// An `else` inside of a block that begins an option.
    allowed_else: Option<Span>,
    remotes: Vec<Remote>,
    /// Who is started by `run`, and the set of symbolic names that each argument is from, if it is from one.
    runs: Vec<(Name, Vec<Option<MtypeName>>)>,
    /// The claims of `xr` (true) and `xs` met so far: the channel, the proctype, and where.
    exclusive: Vec<(bool, VariableId, Option<u32>, Span)>,
    /// The labels met so far in the body being checked.
    met: Vec<String>,
    /// Whether nothing but declarations was met in the body being checked.
    at_start: bool,
    inlines: HashMap<String, Span>,
    /// Whether a trace assertion is being checked.
    in_trace: bool,
}

/// Checks a model with its claims and finds out what its names mean.
pub(crate) fn check(
    tree: &Tree,
    uses: &HashMap<Span, Use>,
    diagnostics: &mut Diagnostics,
) -> Symbols {
    let mut checker = Checker {
        symbols: Symbols {
            bindings: vec![Binding::Unknown; tree.references as usize],
            ..Symbols::default()
        },
        uses,
        diagnostics,
        scopes: vec![Scope::new()],
        constants: HashMap::new(),
        process: None,
        calls: Vec::new(),
        frames: Vec::new(),
        loops: 0,
        step: 0,
        steps: 0,
        allowed_else: None,
        remotes: Vec::new(),
        runs: Vec::new(),
        exclusive: Vec::new(),
        met: Vec::new(),
        at_start: false,
        inlines: HashMap::new(),
        in_trace: false,
    };
    checker.model(&tree.model, &tree.extra);
    checker.symbols
}

impl Checker<'_> {
    fn model(&mut self, model: &Model, extra: &[Extra]) {
        self.processes(model);
        self.claims(model, extra);
        for (index, item) in model.items.iter().enumerate() {
            if !matches!(item, Item::Never(_) | Item::Ltl(_)) {
                self.item(index, item);
            }
        }
        for (index, item) in model.items.iter().enumerate() {
            if matches!(item, Item::Never(_) | Item::Ltl(_)) {
                self.item(index, item);
            }
        }
        for claim in extra {
            match claim {
                Extra::Formula(ltl) => self.formula(&ltl.formula),
                Extra::Automaton { propositions, .. } => {
                    propositions.iter().for_each(|e| self.expr(e, true));
                }
            }
        }
        self.check_runs();
        self.check_remotes();
        self.something_runs(model);
    }

    /// Makes the list of all processes, so that they can be started before they are defined.
    fn processes(&mut self, model: &Model) {
        for (item, part) in model.items.iter().enumerate() {
            let (name, span) = match part {
                Item::Proctype(p) => (p.name.text.as_str(), p.name.at.0),
                Item::Init(init) => (":init:", init.at.0),
                Item::Never(never) => (":never:", never.at.0),
                Item::Trace(trace) => (":trace:", trace.at.0),
                _ => continue,
            };
            let first = self.symbols.proctypes.iter().find(|p| p.name == name).map(|p| p.span);
            if let Some(first) = first.filter(|_| name != ":never:") {
                let alone = name.starts_with(':');
                let code = if alone { codes::SECOND_ONE } else { codes::DECLARED_TWICE };
                let message = format!("`{}` is defined twice", name.trim_matches(':'));
                self.report(
                    Diagnostic::error(code, message, span)
                        .label("defined again here")
                        .related(first, "first defined here"),
                );
            }
            self.symbols.proctypes.push(ProctypeInfo {
                name: name.into(),
                item,
                parameters: Vec::new(),
                labels: Vec::new(),
                active: u32::from(name == ":init:"),
                any: false,
                span,
            });
        }
    }

    /// Reports two claims of one name. SPIN does if one comes right after the other.
    fn claims(&mut self, model: &Model, extra: &[Extra]) {
        let mut known: HashMap<String, Span> = HashMap::new();
        for named in claim::names(model, extra) {
            let message = format!("there are two claims called `{}`", named.name);
            if let Some(first) = known.insert(named.name, named.span) {
                self.report(
                    Diagnostic::error(codes::SECOND_ONE, message, named.at)
                        .label("the second one")
                        .related(first, "the first one"),
                );
            }
        }
    }

    fn item(&mut self, index: usize, item: &Item) {
        if self.diagnostics.is_full() {
            return;
        }
        match item {
            Item::Proctype(proctype) => self.proctype(index, proctype),
            Item::Init(init) => {
                self.priority_range(init.priority, 1, init.at.0);
                self.body(index, &[], &init.body);
            }
            Item::Never(never) => self.body(index, &[], &never.body),
            Item::Trace(trace) => self.trace(index, trace),
            Item::Ltl(ltl) => self.formula(&ltl.formula),
            Item::Typedef(typedef) => self.typedef(typedef),
            Item::Variables(variables) => self.variables(variables, false),
            Item::Mtype(mtype) => self.mtype(mtype),
            Item::Inline(inline) => {
                self.free(&inline.name);
                self.inlines.insert(inline.name.text.clone(), inline.name.at.0);
            }
        }
    }

    fn proctype(&mut self, index: usize, proctype: &Proctype) {
        self.free_of_variables(&proctype.name);
        self.priority_range(proctype.priority, 1, proctype.name.at.0);
        let active = match &proctype.active {
            None => 0,
            Some(Active::One | Active::Any) => 1,
            Some(Active::Number(count)) => {
                self.size_of(count, 255, "the number of processes") as u32
            }
        };
        let number = self.number_of(index);
        let known = &mut self.symbols.proctypes[number as usize];
        known.active = active;
        known.any = proctype.active == Some(Active::Any);
        if let Some(condition) = &proctype.provided {
            self.expr(condition, true);
            self.no_remote_in_provided(condition);
        }
        self.body(index, &proctype.parameters, &proctype.body);
    }

    /// The number of the process that is the given item.
    fn number_of(&self, item: usize) -> u32 {
        let found = self.symbols.proctypes.iter().position(|p| p.item == item);
        found.expect("every process is listed") as u32
    }

    /// The body of a process, with its parameters.
    fn body(&mut self, index: usize, parameters: &[Variables], body: &Sequence) {
        let number = self.number_of(index);
        self.process = Some(number);
        self.scopes.push(Scope::new());
        parameters.iter().for_each(|p| self.variables(p, true));
        self.frame(body);
        self.at_start = true;
        self.met.clear();
        self.sequence(body);
        self.frames.pop();
        self.scopes.truncate(1);
        self.process = None;
    }

    /// Reports runs of what does not exist or takes other arguments.
    fn check_runs(&mut self) {
        for (name, arguments) in std::mem::take(&mut self.runs) {
            let given = arguments.len();
            let Some(number) = self.symbols.proctype(&name.text) else {
                self.unknown_proctype(&name);
                continue;
            };
            if given == self.symbols.proctypes[number as usize].parameters.len() {
                self.same_mtypes(number, &arguments);
            }
            let known = &self.symbols.proctypes[number as usize];
            let types = known.parameters.iter().map(|p| &self.symbols.variable(*p).ty);
            // A structure may be given as a whole.
            let (least, most) =
                (known.parameters.len(), types.map(|t| self.symbols.width(t)).sum());
            if given == least || given == most {
                continue;
            }
            let (message, span) =
                (format!("`{}` takes {least} arguments, not {given}", name.text), known.span);
            self.report(
                Diagnostic::error(codes::ARGUMENTS, message, name.at.0)
                    .label("started here")
                    .related(span, "defined here"),
            );
        }
    }

    /// Reports arguments of one named mtype for parameters of another.
    fn same_mtypes(&mut self, proctype: u32, arguments: &[Option<MtypeName>]) {
        let parameters = self.symbols.proctypes[proctype as usize].parameters.clone();
        for (parameter, argument) in parameters.into_iter().zip(arguments) {
            let Type::Mtype(set) = &self.symbols.variable(parameter).ty else { continue };
            let set = set.as_ref().map(|s| s.text.clone());
            match argument {
                Some((other, span)) if *other != set => self.mixed(set, other.clone(), *span),
                _ => {}
            }
        }
    }

    /// Reports a proctype that does not exist.
    fn unknown_proctype(&mut self, name: &Name) {
        let message = format!("there is no proctype called `{}`", name.text);
        let mut d = Diagnostic::error(codes::UNKNOWN_PROCTYPE, message, name.at.0)
            .label("unknown proctype");
        let names = self.symbols.proctypes.iter().map(|p| p.name.as_str());
        if let Some(near) = nearest(&name.text, names.filter(|n| !n.starts_with(':'))) {
            d = d.help(format!("did you mean `{near}`?"));
        }
        self.report(d);
    }

    /// Reports references to labels and variables of other processes that do not exist.
    fn check_remotes(&mut self) {
        for remote in std::mem::take(&mut self.remotes) {
            let Some(number) = self.symbols.proctype(&remote.proctype.text) else {
                self.unknown_proctype(&remote.proctype);
                continue;
            };
            if remote.label && remote.from.is_some_and(|from| from < number) {
                self.defined_later(&remote, number);
                continue;
            }
            let known: Vec<&str> = match remote.label {
                true => {
                    let labels = &self.symbols.proctypes[number as usize].labels;
                    labels.iter().map(String::as_str).collect()
                }
                false => {
                    let own = self.symbols.variables.iter().filter(|v| v.owner == Some(number));
                    own.map(|v| v.name.as_str()).chain(["_pid", "_p"]).collect()
                }
            };
            if known.contains(&remote.name.text.as_str()) {
                continue;
            }
            let what = if remote.label { "label" } else { "variable" };
            let code = if remote.label { codes::UNKNOWN_LABEL } else { codes::UNKNOWN_NAME };
            let message =
                format!("`{}` has no {what} called `{}`", remote.proctype.text, remote.name.text);
            let mut d =
                Diagnostic::error(code, message, remote.name.at.0).label(format!("unknown {what}"));
            if let Some(near) = nearest(&remote.name.text, known) {
                d = d.help(format!("did you mean `{near}`?"));
            }
            self.report(d);
        }
    }

    /// Reports a model in which nothing starts.
    fn something_runs(&mut self, model: &Model) {
        if self.symbols.proctypes.iter().any(|p| p.active > 0) || self.diagnostics.has_errors() {
            return;
        }
        let span = model.items.iter().find_map(|item| match item {
            Item::Proctype(p) => Some(p.name.at.0),
            _ => None,
        });
        self.report(
            Diagnostic::error(
                codes::NO_PROCESS,
                "nothing runs in this model",
                span.unwrap_or(Span::NONE),
            )
            .label("this never starts")
            .help("add an `init` process, or `active` before a proctype"),
        );
    }

    /// Adds a message: with the macro or the inline call that the place comes from.
    fn report(&mut self, diagnostic: Diagnostic) {
        let mut d = with_macro(self.uses, diagnostic);
        if let Some((name, span)) = self.calls.last()
            && *span != d.span
        {
            d = d.related(*span, format!("in this call of the inline `{name}`"));
        }
        self.diagnostics.push(d);
    }
}
