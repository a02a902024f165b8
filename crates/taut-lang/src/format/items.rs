//! Declarations and graphs as text.

use taut_ir::Mode;

use super::Writer;
use super::exprs::{
    arguments, base, declarator, expression, fields, list, params, process, reference, type_expr,
    variables, which,
};
use super::formulas::formula;
use super::stmts::title;
use crate::ast::{
    Asked, Block, Count, EnumItem, GraphEffect, GraphItem, GraphProcedure, GraphStep, InstanceItem,
    Item, ItemKind, ProcedureHead, ProcessItem, PropertyItem, Section, StructItem, Target,
};
use crate::names;

impl Writer<'_> {
    /// The declarations of a file.
    pub(super) fn items(&mut self, items: &[Item]) {
        let mut previous: Option<&Item> = None;
        for item in items {
            if self.source.is_none() && previous.is_some_and(|p| stands_apart(p, item)) {
                self.blank();
            }
            self.item(item);
            previous = Some(item);
        }
    }

    fn item(&mut self, item: &Item) {
        if let Some(text) = simple(&item.kind) {
            return self.line(item.span.start, &format!("{text};"), item.span.end);
        }
        if matches!(item.kind, ItemKind::Graph(_))
            || !self.joined(item.span, |writer| writer.compound_item(item))
        {
            self.compound_item(item);
        }
    }

    fn compound_item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Process(p) => self.body(item, &process_head(p), &p.body),
            ItemKind::Procedure(p) => {
                let list = match (&p.head, &*p.params) {
                    (ProcedureHead::Word, _) | (_, [_, ..]) => params(&p.params),
                    // C's parentheses stay, even around nothing.
                    (_, []) => "()".into(),
                };
                let word = match &p.head {
                    ProcedureHead::Word => "procedure".into(),
                    ProcedureHead::Void => "void".into(),
                    ProcedureHead::Type(ty) => type_expr(ty),
                };
                let head = format!("{word} {}{list}", names::quoted(&p.name.text));
                self.body(item, &head, &p.body);
            }
            ItemKind::Struct(record) => self.record(item, record),
            ItemKind::Graph(graph) => self.graph(item, graph),
            _ => {}
        }
    }

    fn body(&mut self, item: &Item, head: &str, body: &Block) {
        let (open, close) = if body.braces { ("{", "}") } else { ("begin", "end") };
        self.line(item.span.start, &format!("{head} {open}"), body.open.end);
        self.indented(|w| w.statements(&body.stmts));
        self.inner_comments(body);
        self.closing(body.end.start, close, item.span.end);
    }

    fn record(&mut self, item: &Item, record: &StructItem) {
        let head = format!("struct {} {{", names::quoted(&record.name.text));
        self.line(item.span.start, &head, record.open.end);
        self.indented(|w| {
            for (declared, span) in &record.fields {
                w.line(span.start, &format!("{};", fields(declared)), span.end);
            }
            w.comments_before(record.end.start);
        });
        self.closing(record.end.start, "};", item.span.end);
    }

    fn graph(&mut self, item: &Item, graph: &GraphItem) {
        let name = names::quoted(&graph.name.text);
        let head = format!("process {name}{} graph", params(&graph.params));
        self.line(item.span.start, &head, graph.word.end);
        self.indented(|w| {
            for (declared, span) in &graph.locals {
                w.line(span.start, &format!("{};", variables(declared)), span.end);
            }
            for procedure in &graph.procedures {
                w.line(procedure.span.start, &graph_procedure(procedure), procedure.span.end);
            }
            if let Some(entry) = &graph.entry {
                let text = format!("entry #{};", entry.value);
                w.line(entry.span.start, &text, entry.span.end);
            }
            for section in &graph.sections {
                w.section(section);
            }
            w.comments_before(graph.end.start);
        });
        self.closing(graph.end.start, "end", item.span.end);
    }

    fn section(&mut self, section: &Section) {
        self.line(section.head.start, &section_head(section), section.head.end);
        self.indented(|w| {
            for step in &section.steps {
                w.line(step.span.start, &graph_step(step), step.span.end);
            }
        });
    }
}

/// Whether a blank line belongs between two declarations that come from no source.
fn stands_apart(previous: &Item, item: &Item) -> bool {
    let group = |item: &Item| match &item.kind {
        ItemKind::Program(_) | ItemKind::Include(_) | ItemKind::CallDepth(_) => 0,
        ItemKind::Const(..)
        | ItemKind::Enum(_)
        | ItemKind::Struct(_)
        | ItemKind::Pool(_)
        | ItemKind::Vars(_) => 1,
        ItemKind::Instance(_) | ItemKind::Any(_) => 2,
        ItemKind::Property(_) => 3,
        ItemKind::Process(_) | ItemKind::Procedure(_) | ItemKind::Graph(_) => 4,
    };
    group(previous) != group(item) || group(item) == 4
}

/// A declaration that stands on one line, without its `;`.
fn simple(kind: &ItemKind) -> Option<String> {
    Some(match kind {
        ItemKind::Program(name) => format!("program {}", title(name)),
        ItemKind::Include(path) => format!("include {}", crate::names::enclose(&path.text, '"')),
        ItemKind::CallDepth(depth) => format!("call_depth {}", expression(depth)),
        ItemKind::Const(ty, all) => {
            let ty = ty.as_ref().map_or(String::new(), |ty| format!("{} ", type_expr(ty)));
            format!("const {ty}{}", all.iter().map(declarator).collect::<Vec<_>>().join(", "))
        }
        ItemKind::Enum(item) => enumeration(item),
        ItemKind::Pool(pool) => format!("pool {}", declarator(pool)),
        ItemKind::Vars(declared) => variables(declared),
        ItemKind::Instance(instance) => instance_item(instance),
        ItemKind::Any(def) => format!("any {}", which(def)),
        ItemKind::Property(property) => property_item(property),
        _ => return None,
    })
}

fn enumeration(item: &EnumItem) -> String {
    let one = |(name, value): &(crate::ast::Name, Option<crate::ast::Expr>)| {
        let value = value.as_ref().map_or(String::new(), |v| format!(" = {}", expression(v)));
        format!("{}{value}", names::quoted(&name.text))
    };
    let name = item.name.as_ref().map_or(String::new(), |n| names::quoted(&n.text) + " ");
    format!("enum {name}{{ {} }}", item.members.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn process_head(item: &ProcessItem) -> String {
    let word = if item.main { "main" } else { "process" };
    let count = match &item.count {
        Some(Count::Number(count)) => format!("[{}]", expression(count)),
        Some(Count::Any(_)) => "[*]".into(),
        None => String::new(),
    };
    format!("{word} {}{count}{}", names::quoted(&item.name.text), params(&item.params))
}

fn instance_item(item: &InstanceItem) -> String {
    let word = if item.slot { "slot" } else { "instance" };
    format!("{word} {} = {}{}", process(&item.name), which(&item.def), arguments(&item.args))
}

fn property_item(item: &PropertyItem) -> String {
    let name = title(&item.name);
    match &item.asked {
        Asked::Cover(e) => format!("cover {name}: {}", expression(e)),
        Asked::Forbid(e) => format!("forbid {name}: {}", expression(e)),
        Asked::Invariant(e) => format!("invariant {name}: {}", expression(e)),
        Asked::Ltl(f) => format!("ltl {name}: {}", formula(f)),
        Asked::Assertion => format!("assertion {name}"),
    }
}

fn graph_procedure(item: &GraphProcedure) -> String {
    let join = |all: &[crate::ast::Base]| all.iter().map(base).collect::<Vec<_>>().join(", ");
    let own = if item.registers.is_empty() { "" } else { "; " };
    let registers = format!("{}{own}{}", join(&item.params), join(&item.registers));
    format!("procedure {}({registers}) at #{};", names::quoted(&item.name.text), item.entry.value)
}

fn section_head(section: &Section) -> String {
    let mut text = format!("#{}", section.point.value);
    if section.end {
        text.push_str(" end");
    }
    if section.atomic {
        text.push_str(" atomic");
    }
    if !section.labels.is_empty() {
        let labels: Vec<_> = section.labels.iter().map(|l| names::quoted(&l.text)).collect();
        text.push_str(&format!(" [{}]", labels.join(", ")));
    }
    text + ":"
}

fn graph_step(step: &GraphStep) -> String {
    let mut parts = Vec::new();
    if let Some(guard) = &step.guard {
        parts.push(format!("when {}", expression(guard)));
    }
    match step.mode {
        Mode::Plain => {}
        Mode::Fence => parts.push("fence".into()),
        Mode::Sync => parts.push("sync".into()),
        Mode::Locked => parts.push("locked".into()),
    }
    if !step.effects.is_empty() {
        parts.push("do".into());
    }
    parts.extend(step.effects.iter().map(|e| format!("{};", effect(e))));
    parts.push(match &step.target {
        Target::Goto(to) => format!("goto #{};", to.value),
        Target::Call(f, args, then) => {
            format!("call {}{} then #{};", which(f), arguments(args), then.value)
        }
        Target::Return => "return;".into(),
    });
    parts.join(" ")
}

fn effect(effect: &GraphEffect) -> String {
    match effect {
        GraphEffect::Sfence => "sfence".into(),
        GraphEffect::Assert(e, name) => format!("assert({}) as {}", expression(e), title(name)),
        GraphEffect::Spawn(def, args) => format!("spawn {}{}", which(def), arguments(args)),
        GraphEffect::Assign(places, values) => {
            let place = |(atomic, place): &(bool, crate::ast::Reference)| {
                format!("{}{}", if *atomic { "atomic " } else { "" }, reference(place))
            };
            let places: Vec<_> = places.iter().map(place).collect();
            format!("{} := {}", places.join(", "), list(values))
        }
    }
}
