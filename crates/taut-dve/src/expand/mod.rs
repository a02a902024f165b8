//! From the surface tree to the plain one: templates, loops and constants are worked out.
//!
//! What DiVinE 3 calls a macro is replaced by what it stands for. An instance `P(1, 2)` of the template
//! `process P(key i, n) { .. }` is a process of its own in which `i` is 1 and `n` is 2; `P(1).s` and
//! `P(1)->v` ask it by the values of its `key` parameters (of all, if none is a key). Its name in the plain
//! tree is `P_1`, a `-1` being `m1`. `f(2)` for `expression f(x) { e }` is e with 2 for x.
//!
//! All growth is paid for from a budget, so that neither a loop of a billion rounds nor expressions that
//! double again and again fill the memory.

mod constant;
mod declarations;
mod expr;
mod process;

use std::collections::HashMap;

use taut_source::{Diagnostic, Span, shown};

use crate::ast::{Definition, Model, Name, System};
use crate::codes;
use crate::found::Found;
use crate::surface::{Call, File, For, If, Instantiable, Item, Macro, Param, Process};
use constant::Values;

pub(crate) use constant::unknown;

/// The most nodes of the plain tree.
const MOST_NODES: u32 = 1 << 21;

/// The most locations, elements of variables and slots of channels: what a state is made of.
pub(crate) const MOST_CELLS: u64 = 1 << 16;

/// The values of parameters and loop variables.
type Params = HashMap<String, i64>;

/// Something was reported.
struct Refused;

type Expand<T> = Result<T, Refused>;

/// Expands a file. The tree is only of use if no error was reported.
pub(crate) fn expand(file: &File, diagnostics: &mut Found) -> Option<Model> {
    let mut expander = Expander::new(diagnostics, Values::default());
    expander.collect(file);
    expander.declare(file);
    for item in &file.items {
        // What is wrong with one item says nothing about the next.
        let _ = expander.item(item);
    }
    let mut model = expander.model;
    match (&file.system, &mut model.system.property) {
        (Some(system), None) => model.system = system.clone(),
        (Some(system), Some(own)) => {
            if let Some(other) = &system.property
                && other.text != own.text
            {
                diagnostics.push(two_properties(other, own));
            }
            let property = Some(own.clone());
            model.system = System { property, ..system.clone() };
        }
        // A mistake in it has been reported.
        (None, _) => return None,
    }
    Some(model)
}

/// Expands an expression that stands outside of a model.
pub(crate) fn expression(
    expr: &crate::surface::Expr,
    model: &Model,
    diagnostics: &mut Found,
) -> Option<crate::ast::Expr> {
    let mut expander = Expander::new(diagnostics, Values::of(&model.globals));
    expander.definitions =
        model.expressions.iter().map(|d| (d.name.text.clone(), d.expr.clone())).collect();
    expander.expr(expr, &Params::new()).ok()
}

struct Expander<'f, 'd> {
    templates: HashMap<&'f str, &'f Process>,
    macros: HashMap<&'f str, &'f Macro>,
    /// Expressions without parameters of a model that has been expanded.
    definitions: HashMap<String, crate::ast::Expr>,
    /// The initial values of global variables and constants declared so far.
    globals: Values,
    /// The same of the process at hand.
    locals: Values,
    nodes: u32,
    cells: u64,
    /// How many expressions stand around the one at hand.
    depth: u32,
    model: Model,
    diagnostics: &'d mut Found,
}

impl<'f, 'd> Expander<'f, 'd> {
    fn new(diagnostics: &'d mut Found, globals: Values) -> Expander<'f, 'd> {
        let system = System { synchronous: false, property: None, span: Span::NONE };
        let model = Model {
            globals: vec![],
            channels: vec![],
            processes: vec![],
            expressions: vec![],
            formulas: vec![],
            system,
        };
        Expander {
            templates: HashMap::new(),
            macros: HashMap::new(),
            definitions: HashMap::new(),
            globals,
            locals: Values::default(),
            nodes: 0,
            cells: 0,
            depth: 0,
            model,
            diagnostics,
        }
    }

    fn refuse<T>(&mut self, diagnostic: Diagnostic) -> Expand<T> {
        self.diagnostics.push(diagnostic);
        Err(Refused)
    }

    /// Pays for one more node of the tree.
    fn spend(&mut self, span: Span) -> Expand<()> {
        taut_budget::tick();
        self.nodes = self.nodes.saturating_add(1);
        if self.nodes < MOST_NODES {
            return Ok(());
        }
        let message = "the templates of this model expand to something too large";
        let found = Diagnostic::error(codes::TOO_LARGE, message, span);
        self.refuse(found.label(format!("more than {MOST_NODES} words after this")))
    }

    /// Pays for parts of the state.
    fn spend_cells(&mut self, cells: u64, span: Span) -> Expand<()> {
        self.cells = self.cells.saturating_add(cells);
        if self.cells <= MOST_CELLS {
            return Ok(());
        }
        let message = "the states of this model are too large";
        let found = Diagnostic::error(codes::TOO_LARGE, message, span);
        let found = found.label("too much with this");
        self.refuse(found.help(format!(
            "processes, elements of variables and slots of channels are at most {MOST_CELLS} together"
        )))
    }

    /// Finds the templates, which may be used before they are declared.
    fn collect(&mut self, file: &'f File) {
        for item in &file.items {
            let (name, params, first) = match item {
                Item::Process(process) => {
                    let Some(params) = &process.params else { continue };
                    let old = self.templates.insert(&process.name.text, process);
                    (&process.name, params, old.map(|o| o.name.span))
                }
                Item::Expression(one) => {
                    let old = self.macros.insert(&one.name.text, one);
                    (&one.name, &one.params, old.map(|o| o.name.span))
                }
                _ => continue,
            };
            if let Some(first) = first {
                self.diagnostics.push(declared_twice(name, first));
            }
            self.distinct(params);
        }
    }

    fn distinct(&mut self, params: &[Param]) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for param in params {
            if let Some(first) = seen.insert(&param.name.text, param.name.span) {
                self.diagnostics.push(declared_twice(&param.name, first));
            }
        }
    }

    /// Global variables and channels, so that everything after may use them.
    fn declare(&mut self, file: &File) {
        for item in &file.items {
            match item {
                Item::Variables(all) => {
                    for one in all {
                        if let Ok(variable) = self.variable(one, &Params::new()) {
                            self.globals.add(&variable);
                            self.model.globals.push(variable);
                        }
                    }
                }
                Item::Channels(all) => {
                    for one in all {
                        if let Ok(channel) = self.channel(one, &Params::new()) {
                            self.model.channels.push(channel);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn item(&mut self, item: &Item) -> Expand<()> {
        match item {
            Item::Variables(_) | Item::Channels(_) => {}
            Item::Process(process) if process.params.is_some() => {}
            Item::Process(process) => {
                self.process(process, process.name.clone(), process.span, &Params::new())?;
            }
            Item::PropertyProcess(process) => {
                self.process(process, process.name.clone(), process.span, &Params::new())?;
                if let Some(first) = &self.model.system.property {
                    return self.refuse(two_properties(&process.name, &first.clone()));
                }
                self.model.system.property = Some(process.name.clone());
            }
            Item::Expression(one) if one.params.is_empty() => {
                let expr = self.expr(&one.body, &Params::new())?;
                let name = one.name.clone();
                self.model.expressions.push(Definition { name, expr, span: one.span });
            }
            Item::Expression(_) => {}
            Item::Formula(formula) => self.model.formulas.push(formula.clone()),
            Item::Instantiable(one) => self.instantiable(one, &Params::new())?,
        }
        Ok(())
    }

    fn instantiable(&mut self, one: &Instantiable, params: &Params) -> Expand<()> {
        match one {
            Instantiable::Instance(call) => self.instance(call, params),
            Instantiable::For(one) => self.for_(one, params),
            Instantiable::If(one) => self.if_(one, params),
        }
    }

    fn for_(&mut self, one: &For, params: &Params) -> Expand<()> {
        let first = self.constant(&one.first, params)?;
        let last = self.constant(&one.last, params)?;
        if first > last {
            let message = format!("there is no number from {first} to {last}");
            let found = Diagnostic::error(codes::EMPTY_RANGE, message, one.span);
            return self.refuse(found.label("this range is empty"));
        }
        for value in first..=last {
            self.spend(one.span)?;
            let mut inner = params.clone();
            inner.insert(one.variable.text.clone(), value);
            one.body.iter().try_for_each(|b| self.instantiable(b, &inner))?;
        }
        Ok(())
    }

    fn if_(&mut self, one: &If, params: &Params) -> Expand<()> {
        for (condition, body) in &one.branches {
            if self.constant(condition, params)? != 0 {
                return body.iter().try_for_each(|b| self.instantiable(b, params));
            }
        }
        one.otherwise.iter().try_for_each(|b| self.instantiable(b, params))
    }

    fn instance(&mut self, call: &Call, params: &Params) -> Expand<()> {
        let Some(&template) = self.templates.get(call.name.text.as_str()) else {
            let known = self.templates.keys().copied();
            let found = unknown_template(&call.name, "template of processes", known);
            return self.refuse(found);
        };
        let names = template.params.as_deref().unwrap_or(&[]);
        let values = self.arguments(call, names.len(), template.name.span, params)?;
        let keyed = names.iter().any(|p| p.key);
        let keys = names.iter().zip(&values).filter(|(p, _)| p.key || !keyed).map(|(_, &v)| v);
        let text = instance_name(&template.name.text, keys);
        let inner = names.iter().map(|p| p.name.text.clone()).zip(values).collect();
        self.process(template, Name { text, span: call.name.span }, call.span, &inner)
    }

    /// The values of arguments, if there are as many as there should be.
    fn arguments(
        &mut self,
        call: &Call,
        wanted: usize,
        declared: Span,
        params: &Params,
    ) -> Expand<Vec<i64>> {
        if call.args.len() != wanted {
            let name = shown(&call.name.text);
            let plural = if wanted == 1 { "" } else { "s" };
            let message =
                format!("{name} takes {wanted} argument{plural}, not {}", call.args.len());
            let found = Diagnostic::error(codes::ARGUMENTS, message, call.span);
            return self.refuse(found.related(declared, "declared here"));
        }
        call.args.iter().map(|a| self.constant(a, params)).collect()
    }
}

/// The name of an instance in the plain tree.
fn instance_name(template: &str, keys: impl Iterator<Item = i64>) -> String {
    keys.fold(template.to_string(), |name, key| match key {
        0.. => format!("{name}_{key}"),
        _ => format!("{name}_m{}", key.unsigned_abs()),
    })
}

fn unknown_template<'n>(
    name: &Name,
    what: &str,
    known: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    let message = format!("there is no {what} {}", shown(&name.text));
    let found = Diagnostic::error(codes::UNKNOWN_TEMPLATE, message, name.span).label("unknown");
    match taut_source::nearest(&name.text, known) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found,
    }
}

pub(crate) fn declared_twice(name: &Name, first: Span) -> Diagnostic {
    let message = format!("{} is declared twice", shown(&name.text));
    let found = Diagnostic::error(codes::DECLARED_TWICE, message, name.span);
    found.label("the second time").related(first, "first declared here")
}

fn two_properties(second: &Name, first: &Name) -> Diagnostic {
    let message = "a model has one property process";
    let found = Diagnostic::error(codes::TWO_PROPERTIES, message, second.span);
    found.label("a second one").related(first.span, "the first one")
}
