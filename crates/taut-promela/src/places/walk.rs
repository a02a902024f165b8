//! The walk over all statements of all processes, inlines in each of their calls.

use std::collections::{BTreeMap, HashMap, HashSet};

use taut_source::layout::shortened;
use taut_source::{EditSites, FileId, Point, SourceMap, Span, WritePoint};

use super::edit::{self, Shape};
use super::flow::{declares, has_else, leaves};
use super::write;
use super::{FENCE, STORE_FENCE};
use crate::Parsed;
use crate::ast::*;

pub(super) const MACRO: &str = "it comes out of a macro";
const NO_FILE: &str = "it is in a header that is built in";
const TWICE: &str = "its file is included more than once";
const GUARD: &str = "in some call of this inline it would stand before a guard or after a label";
const ATOMIC: &str = "in some call of this inline it would stand in `atomic`, `d_step` or `LOCKED`";
const CLAIM: &str = "in some call of this inline it would stand in a claim";
const NAME: &str = "the model gives `FENCE` or `SFENCE` a meaning of its own";
const WRITE_NAME: &str = "the model gives `ATOMIC_WRITE` a meaning of its own";

/// What stands around a sequence.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// Why no fence can stand in it, if none can.
    pub(super) closed: Option<&'static str>,
    /// What its first statement decides.
    pub(super) first: First,
    /// It is an option of `if` or `do`.
    option: bool,
    /// Its stores wait in buffers: it is not in `LOCKED`.
    pub(super) buffered: bool,
}

/// What the first statement of a sequence decides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    /// Nothing.
    Free,
    /// Whether control gets here, or it is what a label names.
    Guard,
    /// Whether control gets here, and if not, that it goes elsewhere.
    Deciding,
}

/// A place in the text.
type Place = (FileId, usize);

/// The walk.
pub(super) struct Walk<'p> {
    pub(super) map: &'p SourceMap,
    pub(super) parsed: &'p Parsed,
    points: BTreeMap<Place, Point>,
    /// Points that some call of an inline cannot have.
    closed: HashMap<Place, &'static str>,
    pub(super) writes: BTreeMap<Place, WritePoint>,
    /// Stores that some call of an inline cannot have atomic.
    pub(super) refused: HashMap<Place, &'static str>,
    pub(super) unpatchable: Vec<(Span, &'static str)>,
    /// Stores that no edit makes atomic.
    pub(super) unwritable: Vec<(Span, &'static str)>,
    /// Files that cannot be edited.
    pub(super) fixed: HashMap<FileId, &'static str>,
}

impl<'p> Walk<'p> {
    pub(super) fn new(map: &'p SourceMap, parsed: &'p Parsed) -> Walk<'p> {
        Walk {
            map,
            parsed,
            points: BTreeMap::new(),
            closed: HashMap::new(),
            writes: BTreeMap::new(),
            refused: HashMap::new(),
            unpatchable: Vec::new(),
            unwritable: Vec::new(),
            fixed: fixed(map, parsed),
        }
    }

    pub(super) fn run(mut self) -> EditSites {
        let free = Context { closed: None, first: First::Free, option: false, buffered: true };
        for item in &self.parsed.model.items {
            match item {
                Item::Proctype(process) => self.sequence(&process.body, free),
                Item::Init(init) => self.sequence(&init.body, free),
                Item::Never(never) => {
                    let claim = Context { closed: Some(CLAIM), buffered: false, ..free };
                    self.sequence(&never.body, claim);
                }
                _ => {}
            }
        }
        self.finish()
    }

    /// What was found, without what some call of an inline cannot have.
    fn finish(mut self) -> EditSites {
        for (place, reason) in std::mem::take(&mut self.closed) {
            if let Some(point) = self.points.remove(&place) {
                self.unpatchable.push((point.span, reason));
            }
        }
        for (place, reason) in std::mem::take(&mut self.refused) {
            if let Some(write) = self.writes.remove(&place) {
                self.unwritable.push((write.span, reason));
            }
        }
        if let Some(span) = self.redefined(&[FENCE, STORE_FENCE]) {
            self.points.clear();
            self.unpatchable.push((span, NAME));
        }
        if let Some(span) = self.redefined(&["ATOMIC_WRITE"]) {
            self.writes.clear();
            self.unwritable.push((span, WRITE_NAME));
        }
        for list in [&mut self.unpatchable, &mut self.unwritable] {
            list.sort_unstable();
            list.dedup();
        }
        EditSites {
            points: self.points.into_values().collect(),
            writes: self.writes.into_values().collect(),
            unpatchable: self.unpatchable,
            unwritable: self.unwritable,
        }
    }

    /// Where the model gives one of these statements a meaning of its own.
    fn redefined(&self, statements: &[&str]) -> Option<Span> {
        let is = |name: &str| statements.iter().any(|s| s.trim_end_matches("()") == name);
        let macros = self.parsed.definitions.iter().map(|d| (d.name.as_str(), d.span));
        let symbols = &self.parsed.symbols;
        let variables = symbols.variables.iter().map(|v| (v.name.as_str(), v.span));
        let processes = symbols.proctypes.iter().map(|p| (p.name.as_str(), p.span));
        let inlines = self.parsed.model.items.iter().filter_map(|item| match item {
            Item::Inline(inline) => Some((inline.name.text.as_str(), inline.name.at.0)),
            _ => None,
        });
        let mut all = macros.chain(variables).chain(processes).chain(inlines);
        all.find(|(name, _)| is(name)).map(|(_, span)| span)
    }

    fn sequence(&mut self, sequence: &'p Sequence, context: Context) {
        let gaps = &sequence.layout.gaps;
        let steps = &sequence.steps;
        let declared = steps.iter().take_while(|s| declares(s)).count();
        let semicolons = has_semicolons(sequence);
        for (index, gap) in gaps.iter().enumerate().take(steps.len() + 1).skip(declared) {
            let shape = Shape {
                start: index == 0,
                end: index == steps.len(),
                guard: context.option && index == 1,
                otherwise: index > 0 && matches!(steps[index - 1].kind, StatementKind::Else),
                semicolons,
            };
            let before = index.checked_sub(1).map(|i| &steps[i]);
            let open = gaps[index.saturating_sub(1)];
            let start = if index == 0 { gap.last } else { open.next };
            if index == declared {
                self.start(gap, start, shape, context);
            } else if before.is_some_and(|s| !declares(s) && !leaves(s)) {
                self.point(gap, start, shape, context.closed, false);
            }
            let Some((step, after)) = steps.get(index).zip(gaps.get(index + 1)) else { continue };
            let around = write::Around { before: gap, after, step: step.at.0, labelled: false };
            let first = if index == declared { context.first } else { First::Free };
            self.statement(step, around, Context { first, ..context });
        }
    }

    /// The point at the start of a block, after its declarations.
    fn start(&mut self, gap: &Gap, start: Span, shape: Shape, context: Context) {
        // An option begins with its guard in every call of an inline.
        if context.option {
            return;
        }
        let guarded = (context.first != First::Free).then_some(GUARD);
        self.point(gap, start, shape, context.closed.or(guarded), true);
    }

    /// A point in a gap, or why there is none.
    fn point(
        &mut self,
        gap: &Gap,
        start: Span,
        shape: Shape,
        closed: Option<&'static str>,
        at_start: bool,
    ) {
        let span = match start.file == gap.last.file && start.start <= gap.last.end {
            true => start.to(gap.last),
            false => gap.last,
        };
        let Some(edit) = edit::edit(self.map, gap, start, shape) else {
            if closed.is_none() {
                self.unpatchable.push((span, MACRO));
            }
            return;
        };
        let place = (edit.file, edit.at);
        if let Some(reason) = closed {
            self.closed.insert(place, reason);
            return;
        }
        if let Some(&reason) = self.fixed.get(&edit.file) {
            self.unpatchable.push((span, reason));
            return;
        }
        let words = match at_start {
            true => "at the start of the block".into(),
            false => format!("after `{}`", shortened(self.map.text(span))),
        };
        let edit::Edit { file, at, before, after } = edit;
        self.points.entry(place).or_insert(Point {
            file,
            at,
            before,
            after,
            opening: None,
            span,
            words,
        });
    }

    /// What stands in a statement.
    fn statement(&mut self, statement: &'p Statement, around: write::Around<'p>, context: Context) {
        let block = Context { option: false, ..context };
        match &statement.kind {
            StatementKind::Label(_, Some(inner)) => {
                let first = if block.first == First::Free { First::Guard } else { block.first };
                let around = write::Around { step: inner.at.0, labelled: true, ..around };
                self.statement(inner, around, Context { first, ..block });
            }
            StatementKind::Unless(main, escape) => {
                self.part(main, block);
                self.part(escape, Context { first: First::Deciding, ..block });
            }
            StatementKind::Block(body) => self.sequence(body, block),
            StatementKind::Call(call) => {
                self.assigned(call.result.as_ref(), statement.at.0, context);
                self.sequence(&call.body, block);
            }
            StatementKind::If(options) | StatementKind::Do(options) => {
                let decides = has_else(options) || context.first == First::Deciding;
                let first = if decides { First::Deciding } else { First::Guard };
                let option = Context { first, option: true, ..context };
                options.iter().for_each(|o| self.sequence(o, option));
            }
            StatementKind::ForRange(variable, _, _, body)
            | StatementKind::ForIn(variable, _, body) => {
                self.assigned(Some(variable), statement.at.0, context);
                self.sequence(body, Context { first: First::Free, ..block });
            }
            StatementKind::Atomic(body) | StatementKind::DStep(body) => {
                self.sequence(body, Context { closed: context.closed.or(Some(ATOMIC)), ..block });
            }
            StatementKind::Locked(body) => {
                let closed = context.closed.or(Some(ATOMIC));
                self.sequence(body, Context { closed, buffered: false, ..block });
            }
            _ => self.simple(statement, around, context),
        }
    }

    /// One side of `unless`. Its end has no gap of its own, so its text is known only if it is a block.
    fn part(&mut self, statement: &'p Statement, context: Context) {
        const NOWHERE: Gap =
            Gap { last: Span::NONE, can_end: false, separator: None, next: Span::NONE };
        let step = statement.at.0;
        let around = write::Around { before: &NOWHERE, after: &NOWHERE, step, labelled: false };
        self.statement(statement, around, context);
    }
}

/// Whether the statements of a sequence end with `;`, not only with their lines; one alone may.
fn has_semicolons(sequence: &Sequence) -> bool {
    let gaps = &sequence.layout.gaps;
    let between = gaps.get(1..sequence.steps.len()).unwrap_or_default();
    let semicolon = |gap: &Gap| gap.separator.is_some_and(|s| !s.arrow);
    gaps.iter().skip(1).any(semicolon) || between.iter().all(|gap| gap.separator.is_some())
}

/// The files that cannot be edited, with the reason.
fn fixed(map: &SourceMap, parsed: &Parsed) -> HashMap<FileId, &'static str> {
    let mut seen = HashSet::new();
    let mut twice = HashSet::new();
    let name = |file: FileId| map.file(file).name();
    for include in &parsed.includes {
        if !seen.insert(name(include.file)) {
            twice.insert(name(include.file));
        }
    }
    let reason = |include: &crate::Include| match include.built_in {
        true => Some(NO_FILE),
        false => twice.contains(name(include.file)).then_some(TWICE),
    };
    parsed.includes.iter().filter_map(|i| Some((i.file, reason(i)?))).collect()
}
