//! The fences and atomic writes of a program, with the edits that make them weaker: see [`taut_source::Weakenings`].
//!
//! A fence that is taken out leaves nothing, except where its step is more than a fence: a label names it, `choose` chooses
//! by it, or it is all that its block has. There it becomes `skip`. Atomic sections and locked blocks are passed over, as
//! their stores reach memory at once anyway.

use taut_source::layout::{removal, shortened};
use taut_source::{FileId, Replacement, Span, Weakening, Weakenings, Weaker};

use crate::ast::{Assign, Block, File, ItemKind, Stmt, StmtKind};

/// The walk over all statements.
pub(super) struct Walk<'t> {
    text: &'t str,
    file: FileId,
    found: Weakenings,
}

/// What the first step of a block is for besides itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// Nothing.
    Step,
    /// A label from outside names it, or `choose` chooses by it.
    Named,
}

impl<'t> Walk<'t> {
    pub(super) fn new(text: &'t str, file: FileId) -> Walk<'t> {
        Walk { text, file, found: Weakenings::default() }
    }

    pub(super) fn run(mut self, tree: &File) -> Weakenings {
        for item in &tree.items {
            match &item.kind {
                ItemKind::Process(process) => self.block(&process.body, First::Step),
                ItemKind::Procedure(procedure) => self.block(&procedure.body, First::Step),
                _ => {}
            }
        }
        self.found.list.sort_by_key(|weakening| weakening.span.start);
        self.found
    }

    fn block(&mut self, block: &Block, first: First) {
        let is_step = |stmt: &&Stmt| !stmt.is_declaration();
        let is_alone = block.stmts.iter().filter(is_step).count() == 1;
        let mut sections = 0usize;
        let mut named = first == First::Named;
        for stmt in block.stmts.iter().filter(is_step) {
            match stmt.kind {
                StmtKind::AtomicBegin => sections += 1,
                StmtKind::AtomicEnd => sections = sections.saturating_sub(1),
                _ => {}
            }
            named |= !stmt.labels.is_empty() || stmt.may_end;
            // A label without a statement names the next one.
            if sections > 0 || matches!(stmt.kind, StmtKind::Nothing) {
                continue;
            }
            self.statement(stmt, std::mem::take(&mut named), is_alone);
        }
    }

    fn statement(&mut self, stmt: &Stmt, named: bool, is_alone: bool) {
        let first = if named { First::Named } else { First::Step };
        match &stmt.kind {
            StmtKind::Fence => {
                let word = self.word(stmt, "fence");
                let store_fence = Replacement { span: word, text: "sfence".into() };
                let store_fence = Some(("`sfence`".to_owned(), vec![store_fence]));
                let without = self.without(stmt, word, named || is_alone);
                self.push(stmt, Weaker::Fence { without, store_fence });
            }
            StmtKind::Sfence => {
                let word = self.word(stmt, "sfence");
                let without = self.without(stmt, word, named || is_alone);
                self.push(stmt, Weaker::StoreFence { without });
            }
            StmtKind::Assign(assign) if assign.atomic => self.write(stmt, assign),
            StmtKind::While(_, block, _) => self.block(block, First::Step),
            StmtKind::Loop(block) | StmtKind::DoWhile(block, ..) => self.block(block, first),
            StmtKind::If(_) | StmtKind::For(_) | StmtKind::Switch(_) => {
                stmt.blocks().into_iter().for_each(|block| self.block(block, First::Step));
            }
            StmtKind::Choose(blocks) => {
                blocks.iter().for_each(|block| self.block(block, First::Named));
            }
            _ => {}
        }
    }

    /// The place of a statement's first word.
    fn word(&self, stmt: &Stmt, word: &str) -> Span {
        let start = stmt.span.start as usize;
        debug_assert!(self.text[start..].starts_with(word), "a statement begins with its word");
        Span::new(self.file, start..start + word.len())
    }

    /// The edit that takes a fence out.
    fn without(&self, stmt: &Stmt, word: Span, must_stay: bool) -> Vec<Replacement> {
        if must_stay {
            return vec![Replacement { span: word, text: "skip".into() }];
        }
        let gone = removal(self.text, stmt.span.start as usize..stmt.span.end as usize);
        vec![Replacement { span: Span::new(self.file, gone), text: String::new() }]
    }

    fn write(&mut self, stmt: &Stmt, assign: &Assign) {
        let start = stmt.span.start as usize;
        let (Some(first), Some(last)) = (assign.places.first(), assign.places.last()) else {
            return;
        };
        let target = first.span.start as usize;
        let word = Span::new(self.file, start..target);
        let variable = self.text[target..last.span.end as usize].to_owned();
        let edits = vec![Replacement { span: word, text: String::new() }];
        self.push(stmt, Weaker::Write { variable, becomes: "a plain store".into(), edits });
    }

    fn push(&mut self, stmt: &Stmt, weaker: Weaker) {
        let text = &self.text[stmt.span.start as usize..stmt.span.end as usize];
        let was = shortened(text.trim_end().trim_end_matches(';').trim_end());
        self.found.list.push(Weakening { span: stmt.span, was, weaker });
    }
}
