//! The walk over all statements, which knows what stands around each.

use std::collections::HashSet;

use taut_source::layout::{begins_line, indentation, line_end, shortened};
use taut_source::{EditSites, FileId, Point, Replacement, Span, WritePoint};

use crate::ast::{
    Assign, Base, Block, File, ItemKind, Param, Reference, Selector, Stmt, StmtKind, TypeExpr,
    VarDecl, VarWord,
};
use crate::lower::{leaves, visit};

const GRAPH: &str = "a process in graph form has no statements";
const LABELLED: &str = "a label names this point";
const CHOSEN: &str = "`choose` has no atomic form";

/// Whether a fence can stand at the start of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Yes.
    Free,
    /// No: the first statement decides whether control gets here.
    Guard,
    /// No: a label from outside names the first statement.
    Labelled,
}

/// The walk.
pub(super) struct Walk<'t> {
    text: &'t str,
    file: FileId,
    /// The variables whose stores wait in buffers. No local hides one: that would be an error.
    shared: HashSet<&'t str>,
    /// The variables that refer to records of pools, which are in shared memory.
    references: HashSet<&'t str>,
    found: EditSites,
}

impl<'t> Walk<'t> {
    pub(super) fn new(text: &'t str, file: FileId) -> Walk<'t> {
        let (shared, references) = (HashSet::new(), HashSet::new());
        Walk { text, file, shared, references, found: EditSites::default() }
    }

    pub(super) fn run(mut self, tree: &'t File) -> EditSites {
        self.shared = shared(tree);
        self.references = references(tree);
        for item in &tree.items {
            match &item.kind {
                ItemKind::Process(process) => self.block(&process.body, Start::Free),
                ItemKind::Procedure(procedure) => self.block(&procedure.body, Start::Free),
                ItemKind::Graph(graph) => self.found.unpatchable.push((graph.name.span, GRAPH)),
                _ => {}
            }
        }
        self.found.points.sort_by_key(|point| point.at);
        self.found
    }

    fn block(&mut self, block: &'t Block, start: Start) {
        let declared = block.stmts.iter().take_while(|s| is_declaration(s)).count();
        let (declarations, stmts) = block.stmts.split_at(declared);
        match start {
            Start::Free => match declarations.last() {
                Some(last) => self.after(last, stmts.first(), block.open, START_WORDS.into()),
                None => self.at_start(block, stmts.first()),
            },
            Start::Guard => {}
            Start::Labelled => self.found.unpatchable.push((block.open, LABELLED)),
        }
        self.list(stmts, start);
    }

    /// The statements of a block. Atomic sections between `atomic_begin` and `atomic_end` are passed over.
    fn list(&mut self, stmts: &'t [Stmt], start: Start) {
        let mut sections = 0usize;
        // Whether a label without a statement of its own names the next one.
        let mut named = start == Start::Labelled;
        for (index, stmt) in stmts.iter().enumerate() {
            match stmt.kind {
                StmtKind::AtomicBegin => sections += 1,
                StmtKind::AtomicEnd => sections = sections.saturating_sub(1),
                _ => {}
            }
            if sections > 0 || is_declaration(stmt) {
                continue;
            }
            named |= !stmt.labels.is_empty() || stmt.may_end;
            if matches!(stmt.kind, StmtKind::Nothing) {
                self.found.unpatchable.push((stmt.span, LABELLED));
                continue;
            }
            self.inside(stmt, std::mem::take(&mut named));
            if !leaves(stmt) {
                let words = format!("after `{}`", self.said(stmt));
                self.after(stmt, stmts.get(index + 1), stmt.span, words);
            }
        }
    }

    /// What stands in a statement.
    fn inside(&mut self, stmt: &'t Stmt, labelled: bool) {
        match &stmt.kind {
            StmtKind::While(_, block, _) => self.block(block, Start::Free),
            StmtKind::Loop(block) => {
                self.block(block, if labelled { Start::Labelled } else { Start::Free });
            }
            StmtKind::DoWhile(block, ..) => {
                self.block(block, if labelled { Start::Labelled } else { Start::Free });
            }
            StmtKind::If(_) | StmtKind::For(_) | StmtKind::Switch(_) => {
                stmt.blocks().into_iter().for_each(|block| self.block(block, Start::Free));
            }
            StmtKind::Choose(blocks) => {
                for block in blocks {
                    let start = if labelled { Start::Labelled } else { branch_start(block) };
                    self.block(block, start);
                }
            }
            StmtKind::Assign(assign) => self.assign(stmt, assign),
            StmtKind::ChooseValue(place, _) if self.is_shared(place) => {
                self.found.unpatchable.push((stmt.span, CHOSEN));
            }
            _ => {}
        }
    }

    /// Whether a place is in shared memory.
    fn is_shared(&self, place: &Reference) -> bool {
        match &place.base {
            Base::Name(name) | Base::Variable(name) | Base::Member(name, _) => {
                let field = matches!(place.base, Base::Member(..))
                    || place.more.iter().any(|part| matches!(part, Selector::Field(_)));
                let name = name.text.as_str();
                self.shared.contains(name) || field && self.references.contains(name)
            }
            Base::Register(_) => false,
        }
    }

    fn assign(&mut self, stmt: &Stmt, assign: &Assign) {
        if assign.atomic || !assign.places.iter().any(|p| self.is_shared(p)) {
            return;
        }
        let first = assign.places[0].span.start as usize;
        let word = Span::new(self.file, first..first);
        let edit = Replacement { span: word, text: "atomic ".into() };
        let said = |place: &Reference| &self.text[range(place.span)];
        let variable = assign.places.iter().map(said).collect::<Vec<_>>().join(", ");
        let steps = vec![stmt.span];
        self.found.writes.push(WritePoint { span: stmt.span, steps, variable, edits: vec![edit] });
    }

    /// A statement without its labels and its `;`, in short.
    fn said(&self, stmt: &Stmt) -> String {
        let text = &self.text[range(stmt.span)];
        shortened(text.trim_end().trim_end_matches(';').trim_end())
    }

    /// The point at the start of a block without declarations.
    fn at_start(&mut self, block: &Block, first: Option<&Stmt>) {
        let open = block.open.end as usize;
        let indent = match first.map(|stmt| stmt.span.start as usize) {
            Some(next) if begins_line(self.text, next) => indentation(self.text, next).to_owned(),
            _ => format!("{}  ", indentation(self.text, block.open.start as usize)),
        };
        self.put(open, false, &indent, block.open, START_WORDS.into());
    }

    /// The point after a statement or declaration.
    fn after(&mut self, stmt: &Stmt, next: Option<&Stmt>, span: Span, words: String) {
        let end = stmt.span.end as usize;
        let open = !self.text[..end].ends_with(';') && needs_semicolon(&stmt.kind);
        let line = match next.map(|stmt| stmt.span.start as usize) {
            Some(next) if begins_line(self.text, next) => next,
            _ => stmt.span.start as usize,
        };
        let indent = indentation(self.text, line).to_owned();
        self.put(end, open, &indent, span, words);
    }

    /// A point at a byte: on a line of its own if nothing but a comment follows on this one. `open` says that
    /// the statement before it still needs its `;`.
    fn put(&mut self, end: usize, open: bool, indent: &str, span: Span, words: String) {
        let semicolon = if open { ";" } else { "" };
        let (at, before) = match line_end(self.text, end) {
            Some(line) if !open => (line.at, format!("{}{indent}", line.newline)),
            Some(line) if !line.comment => (end, format!(";{}{indent}", line.newline)),
            _ => (end, format!("{semicolon} ")),
        };
        let tight = self.text[at..].starts_with(|c: char| !c.is_whitespace());
        let after = if tight { " " } else { "" };
        let (file, after) = (self.file, after.to_owned());
        self.found.points.push(Point { file, at, before, after, opening: None, span, words });
    }
}

const START_WORDS: &str = "at the start of the block";

/// The names of the variables whose stores wait in buffers.
fn shared(tree: &File) -> HashSet<&str> {
    let declared = tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Vars(declared) => Some(declared),
        _ => None,
    });
    let buffered = |d: &&VarDecl| matches!(d.word, VarWord::Shared | VarWord::Svar);
    declared.filter(buffered).flat_map(|d| &d.list).map(|d| d.name.text.as_str()).collect()
}

/// The names of all variables, parameters and locals that refer to records of pools.
fn references(tree: &File) -> HashSet<&str> {
    let mut all = HashSet::new();
    for item in &tree.items {
        let (params, body): (&[Param], _) = match &item.kind {
            ItemKind::Vars(declared) => {
                add_references(declared, &mut all);
                continue;
            }
            ItemKind::Process(process) => (&process.params, &process.body),
            ItemKind::Procedure(procedure) => (&procedure.params, &procedure.body),
            _ => continue,
        };
        let referring = params.iter().filter(|p| matches!(p.ty, Some(TypeExpr::Ref(_))));
        all.extend(referring.map(|param| param.name.text.as_str()));
        visit(&body.stmts, &mut |stmt| {
            if let StmtKind::Local(declared) = &stmt.kind {
                add_references(declared, &mut all);
            }
        });
    }
    all
}

fn add_references<'t>(declared: &'t VarDecl, all: &mut HashSet<&'t str>) {
    if matches!(declared.ty, Some(TypeExpr::Ref(_))) {
        all.extend(declared.list.iter().map(|one| one.name.text.as_str()));
    }
}

/// Whether a fence can stand at the start of a branch of `choose`: not if the branch may have to wait there.
fn branch_start(block: &Block) -> Start {
    let first = block.stmts.iter().find(|s| !is_declaration(s));
    match first {
        Some(stmt) if !stmt.labels.is_empty() || stmt.may_end => Start::Free,
        Some(Stmt { kind, .. }) if waits(kind) => Start::Guard,
        _ => Start::Free,
    }
}

/// Whether a statement may have to wait for something other than its own buffer.
fn waits(kind: &StmtKind) -> bool {
    use StmtKind::{Assume, Atomic, Choose, Locked, Sync};
    matches!(kind, Assume(..) | Atomic(_) | Locked(_) | Choose(_) | Sync)
}

fn is_declaration(stmt: &Stmt) -> bool {
    stmt.is_declaration()
}

/// Whether a `;` must stand between a statement and the next.
fn needs_semicolon(kind: &StmtKind) -> bool {
    use StmtKind::{Atomic, Choose, For, If, Locked, Loop, Switch, While};
    !matches!(
        kind,
        If(_) | While(..) | For(_) | Switch(_) | Loop(_) | Choose(_) | Atomic(_) | Locked(_)
    )
}

fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}
