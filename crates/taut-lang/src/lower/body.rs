//! Statements to steps.
//!
//! Every statement is lowered between two program points that are already chosen: where control stands before
//! it and where it stands after it. Choosing the second means looking at what comes next: a `goto` there
//! gives the program point of its label, a `loop` the program point of its first statement, a `return` the end of
//! the process. So none of them costs a step where a step leads to them, and a block that ends leads
//! straight to what comes after it. One step a statement, two for a condition, and no others.

use std::collections::HashMap;

use taut_ir::granularity::{Most, TooLarge, split_def};
use taut_ir::{
    Control, Effect, Expr, Granularity, Mode, PointId, Procedure, ProcedureId, ProcessDef,
    ProgramPoint, RegId, Register, Step,
};
use taut_source::{Diagnostic, Span};

use super::atomic::{Piece, pieces};
use super::labels::{Group, Labels};
use super::scope::Scope;
use super::texts::Told;
use super::{Lowering, MOST_POINTS, MOST_STEPS, empty_def, tidy};
use crate::ast::{self, Block, If, Name, ProcedureHead, ProcessItem, Stmt, StmtKind};
use crate::codes;

/// Lowers a process.
pub(super) fn process(cx: &mut Lowering<'_>, index: usize, item: &ProcessItem) -> ProcessDef {
    let span = cx.definitions[index].span;
    let mut builder = Builder::new(cx, &item.name.text, span);
    builder.process(index, item);
    builder.procedures();
    tidy::tidy(builder.split(item.name.span))
}

/// Lowers a procedure that nothing calls, for the mistakes in it.
pub(super) fn uncalled(cx: &mut Lowering<'_>, index: usize) {
    let span = cx.procedures[index].item.name.span;
    let mut builder = Builder::new(cx, "", span);
    let threads = builder.cx.threads.clone();
    builder.add_registers(threads);
    builder.procedure_copy(index, false);
    builder.procedures();
}

/// The code of one process definition while it is built.
pub(super) struct Builder<'l, 'a> {
    pub cx: &'l mut Lowering<'a>,
    pub def: ProcessDef,
    /// The copies of procedures: plain ones, and ones for use inside of atomic sections.
    copies: HashMap<(usize, bool), ProcedureId>,
    /// Copies whose code is still to be lowered.
    todo: Vec<(usize, bool, ProcedureId)>,
    /// The body being lowered.
    pub frame: Frame,
    /// Program points in the middle of a statement, each with the one that the statement starts at.
    pub inner: Vec<(PointId, PointId)>,
    /// Registers for values inside of a statement, of all bodies, and for the values of procedures.
    pub hidden: Vec<RegId>,
    /// The register for the value of each procedure.
    pub results: HashMap<usize, RegId>,
    /// Where the current statement starts.
    pub head: PointId,
    /// Where it stands in the source.
    pub here_span: Span,
    /// Number of hidden registers that it uses.
    pub taken: usize,
    /// Whether it is a part of one step.
    pub in_one_step: bool,
    /// What the texts of steps say besides the source.
    pub told: Told,
}

/// What belongs to one body: of the process or of a procedure.
pub(super) struct Frame {
    pub scope: Scope,
    pub labels: Labels,
    /// Where `return` and the end of the body lead.
    leave: PointId,
    /// The procedure that the body is of: its number in the program and its copy here.
    pub index: Option<usize>,
    pub procedure: Option<ProcedureId>,
    /// Registers for values inside of a statement.
    pub hidden: Vec<RegId>,
    /// All of the body is in an atomic section of its callers.
    atomic: bool,
    /// The atomic sections around the current statement, by where they start.
    pub sections: Vec<u32>,
    /// The loops around the current statement.
    loops: Vec<Around>,
}

/// Where `continue` and `break` lead.
struct Around {
    /// Nothing for a `switch`, which `continue` passes over.
    again: Option<PointId>,
    out: PointId,
    labels: Vec<String>,
}

impl Frame {
    fn new(scope: Scope, leave: PointId) -> Frame {
        let (labels, sections, loops) = (Labels::default(), Vec::new(), Vec::new());
        let (index, procedure, hidden, atomic) = (None, None, Vec::new(), false);
        Frame { scope, labels, leave, index, procedure, hidden, atomic, sections, loops }
    }

    /// The body of a procedure.
    fn of_procedure(self, index: usize, procedure: ProcedureId, atomic: bool) -> Frame {
        Frame { index: Some(index), procedure: Some(procedure), atomic, ..self }
    }

    /// Whether the current statement is in an atomic section.
    pub(super) fn is_atomic(&self) -> bool {
        self.atomic || !self.sections.is_empty()
    }
}

impl<'l, 'a> Builder<'l, 'a> {
    fn new(cx: &'l mut Lowering<'a>, name: &str, span: Span) -> Builder<'l, 'a> {
        let frame = Frame::new(Scope::constant(), PointId(0));
        Builder {
            cx,
            def: empty_def(name, span),
            copies: HashMap::new(),
            todo: Vec::new(),
            frame,
            inner: Vec::new(),
            hidden: Vec::new(),
            results: HashMap::new(),
            head: PointId(0),
            here_span: span,
            taken: 0,
            in_one_step: false,
            told: Told::default(),
        }
    }

    /// The definition, with one access per step if the options ask for that.
    fn split(self, span: Span) -> ProcessDef {
        let Builder { cx, mut def, inner, hidden, told, .. } = self;
        if cx.diagnostics.has_errors() {
            return def;
        }
        for (at, head) in inner {
            def.points[at.index()] = def.points[head.index()].clone();
        }
        if cx.options.granularity == Granularity::Statement {
            told.rewrite(cx.map, &mut cx.snippets, &mut def);
            return def;
        }
        let (points, steps) = (def.points.len(), def.steps.len());
        let most = Most {
            points: points + MOST_POINTS.saturating_sub(cx.points),
            steps: steps + MOST_STEPS.saturating_sub(cx.steps),
            ..Most::default()
        };
        match split_def(&cx.program.vars, def, &hidden, most) {
            Ok(def) => {
                cx.points += def.points.len() - points;
                cx.steps += def.steps.len().saturating_sub(steps);
                let mut def = def;
                told.rewrite(cx.map, &mut cx.snippets, &mut def);
                def
            }
            Err(what) => {
                let most = match what {
                    TooLarge::Points => MOST_POINTS,
                    TooLarge::Steps => MOST_STEPS,
                };
                cx.too_large(span, what.word(), most);
                ProcessDef { points: vec![ProgramPoint::end()], ..empty_def("", span) }
            }
        }
    }

    fn process(&mut self, index: usize, item: &ProcessItem) {
        let params = self.cx.definitions[index].params.clone();
        self.def.params = params.len() as u32;
        self.add_registers(params);
        let threads = self.cx.threads.clone();
        self.add_registers(threads);
        let locals = self.cx.definitions[index].locals.clone();
        self.add_registers(locals);
        let leave = self.add_point(ProgramPoint::end(), item.name.span);
        let scope = Scope::statements(numbered(&self.def.registers, 0));
        self.frame = Frame::new(scope, leave);
        self.def.entry = self.body(&item.body);
    }

    /// Lowers the copies of procedures that are still to be done, and those they call.
    fn procedures(&mut self) {
        while let Some((index, atomic, id)) = self.todo.pop() {
            if self.cx.hopeless() {
                return;
            }
            let item = self.cx.procedures[index].item;
            let own = self.def.procedures[id.index()].registers.clone();
            let threads =
                self.def.params as usize..self.def.params as usize + self.cx.threads.len();
            let visible = threads.map(RegId::from).chain(own);
            let registers = &self.def.registers;
            let scope = Scope::statements(visible.map(|id| (id, &registers[id.index()])));
            let back = ProgramPoint { atomic, ..ProgramPoint::new() };
            let leave = self.add_point(back, item.name.span);
            self.frame = Frame::new(scope, leave).of_procedure(index, id, atomic);
            let entry = self.body(&item.body);
            self.def.procedures[id.index()].entry = entry;
            self.step(leave, Expr::TRUE, Mode::Plain, vec![], Control::Return, item.body.end);
        }
    }

    /// The copy of a procedure in this definition, made when it is first called.
    pub(super) fn procedure_copy(&mut self, index: usize, atomic: bool) -> ProcedureId {
        if let Some(&id) = self.copies.get(&(index, atomic)) {
            return id;
        }
        self.cx.procedure_used[index] = true;
        let id = ProcedureId::from(self.def.procedures.len());
        self.copies.insert((index, atomic), id);
        let info = &self.cx.procedures[index];
        let params = info.item.params.len() as u32;
        let name = match atomic {
            false => info.item.name.text.clone(),
            true => format!("{} (atomic)", info.item.name.text),
        };
        let registers = self.add_registers(info.registers.clone());
        self.def.procedures.push(Procedure { name, entry: PointId(0), registers, params });
        self.todo.push((index, atomic, id));
        id
    }

    pub(super) fn add_registers(&mut self, registers: Vec<Register>) -> Vec<RegId> {
        let first = self.def.registers.len();
        for register in registers {
            if !self.cx.take_cells(register.init.len(), register.span) {
                break;
            }
            self.def.registers.push(register);
        }
        (first..self.def.registers.len()).map(RegId::from).collect()
    }

    fn add_point(&mut self, point: ProgramPoint, span: Span) -> PointId {
        taut_budget::tick();
        self.cx.points += 1;
        if self.cx.points > MOST_POINTS {
            self.cx.too_large(span, "program points", MOST_POINTS);
        }
        self.def.points.push(point);
        PointId::from(self.def.points.len() - 1)
    }

    /// A new program point in the current section.
    pub(super) fn fresh(&mut self, span: Span) -> PointId {
        let atomic = self.frame.is_atomic();
        self.add_point(ProgramPoint { atomic, ..ProgramPoint::new() }, span)
    }

    /// Adds a step. Inside of atomic sections all steps are locked: the process's own buffer is empty,
    /// and stores go to memory at once.
    pub(super) fn step(
        &mut self,
        source: PointId,
        guard: Expr,
        mode: Mode,
        effects: Vec<Effect>,
        target: Control,
        span: Span,
    ) {
        taut_budget::tick();
        self.cx.steps += 1;
        if self.cx.steps > MOST_STEPS {
            return self.cx.too_large(span, "steps", MOST_STEPS);
        }
        let mode = if self.frame.is_atomic() { Mode::Locked } else { mode };
        let step = Step::skip(source, source, span);
        self.def.steps.push(Step { guard, mode, effects, target, ..step });
    }

    pub(super) fn skip(&mut self, from: PointId, to: PointId, span: Span) {
        self.step(from, Expr::TRUE, Mode::Plain, vec![], Control::Goto(to), span);
    }

    /// Lowers a body and returns where it starts.
    fn body(&mut self, body: &Block) -> PointId {
        self.frame.labels = Labels::of(body, self.cx);
        let leave = self.frame.leave;
        let pieces = self.open(body, leave);
        let entry = self.entry(&pieces, leave);
        self.list(&pieces, entry, leave);
        entry
    }

    /// The pieces of a block; a label at its end names what comes after it.
    pub(super) fn open<'s>(&mut self, block: &'s Block, to: PointId) -> Vec<Piece<'s>> {
        if let Some(group) = self.frame.labels.at_end(block) {
            self.bind(group, to, block.end);
        }
        pieces(self.cx, &block.stmts)
    }

    /// Lets a group of labels name a program point. If a jump has already given it another one, a step
    /// connects them.
    fn bind(&mut self, group: Group, to: PointId, span: Span) {
        let point = self.frame.labels.point(group);
        match point.point {
            Some(point) if point != to => self.skip(point, to, span),
            Some(_) => {}
            None => {
                point.point = Some(to);
                let (labels, end) = (point.labels.clone(), point.may_end);
                let point = &mut self.def.points[to.index()];
                point.labels.extend(labels);
                point.end |= end;
            }
        }
    }

    /// The program point of a group of labels.
    fn point_of(&mut self, group: Group, span: Span) -> PointId {
        let point = self.frame.labels.point(group);
        if let Some(point) = point.point {
            return point;
        }
        let atomic = self.frame.atomic || !point.sections.is_empty();
        let point = self.add_point(ProgramPoint { atomic, ..ProgramPoint::new() }, span);
        self.bind(group, point, span);
        point
    }

    /// Where control stands before some pieces that `to` comes after.
    pub(super) fn entry(&mut self, pieces: &[Piece<'_>], to: PointId) -> PointId {
        pieces.first().map_or(to, |piece| self.entry_of(piece))
    }

    /// Where control stands before a piece.
    pub(super) fn entry_of(&mut self, piece: &Piece<'_>) -> PointId {
        let stmt = piece.stmt;
        if let Some(group) = self.frame.labels.of_statement(stmt) {
            return self.point_of(group, stmt.span);
        }
        if let Some(target) = self.jump_target(stmt) {
            return target;
        }
        match &stmt.kind {
            StmtKind::Loop(body) | StmtKind::DoWhile(body, ..) => {
                match pieces(self.cx, &body.stmts).first() {
                    Some(first) if !first.stmt.kind.is_jump() => self.entry_of(first),
                    _ => self.fresh(stmt.span),
                }
            }
            _ => self.fresh(stmt.span),
        }
    }

    /// Where a statement that is a jump leads.
    fn jump_target(&mut self, stmt: &Stmt) -> Option<PointId> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Goto(label) => Some(self.label(label).unwrap_or_else(|| self.fresh(span))),
            StmtKind::Return(None) => Some(self.frame.leave),
            StmtKind::Break(label) | StmtKind::Continue(label) => {
                let again = matches!(stmt.kind, StmtKind::Continue(_));
                let found = match self.around(label.as_ref(), again) {
                    Some(around) if again => around.again,
                    Some(around) => Some(around.out),
                    None => None,
                };
                Some(found.unwrap_or_else(|| {
                    self.outside_loop(label.as_ref(), again, span);
                    self.fresh(span)
                }))
            }
            _ => None,
        }
    }

    /// The loop or `switch` that a `break` or `continue` is about.
    fn around(&self, label: Option<&Name>, again: bool) -> Option<&Around> {
        self.frame.loops.iter().rev().find(|around| match label {
            Some(label) => around.labels.contains(&label.text),
            None => !again || around.again.is_some(),
        })
    }

    fn outside_loop(&mut self, label: Option<&Name>, again: bool, span: Span) {
        if let Some(label) = label {
            let labels = self.frame.loops.iter().flat_map(|around| around.labels.clone());
            let labels: Vec<String> = labels.collect();
            let candidates = labels.iter().map(String::as_str);
            let what = "loop around this with the label";
            return self.cx.unknown(codes::UNKNOWN_LABEL, what, label, candidates);
        }
        let found = Diagnostic::error(codes::OUTSIDE_LOOP, "there is no loop around this", span);
        self.cx.report(found.label(match again {
            true => "`continue` belongs into `while`, `do`, `for` or `loop`",
            false => "`break` belongs into `while`, `do`, `for`, `loop` or `switch`",
        }));
    }

    /// Begins a loop: where `continue` and `break` lead.
    pub(super) fn enter_loop(&mut self, stmt: &Stmt, again: Option<PointId>, out: PointId) {
        let labels = stmt.labels.iter().map(|label| label.text.clone()).collect();
        self.frame.loops.push(Around { again, out, labels });
    }

    /// Begins a `switch`.
    pub(super) fn enter_switch(&mut self, stmt: &Stmt, out: PointId) {
        self.enter_loop(stmt, None, out);
    }

    /// Ends a loop or a `switch`.
    pub(super) fn leave_loop(&mut self) {
        self.frame.loops.pop();
    }

    /// The program point of a label that a jump names.
    fn label(&mut self, label: &Name) -> Option<PointId> {
        let Some(group) = self.frame.labels.find(&label.text) else {
            let names = self.frame.labels.names();
            let candidates = names.iter().map(String::as_str);
            self.cx.unknown(codes::UNKNOWN_LABEL, "label in this body called", label, candidates);
            return None;
        };
        let target = &self.frame.labels.point(group).sections;
        if !self.frame.sections.starts_with(target) {
            let message = format!("`{}` is inside of an atomic section", label.text);
            let found = Diagnostic::error(codes::INTO_ATOMIC, message, label.span);
            self.cx.report(found.label("a jump from outside would enter it in the middle"));
            return None;
        }
        Some(self.point_of(group, label.span))
    }

    /// Lowers pieces one after the other.
    pub(super) fn list(&mut self, pieces: &[Piece<'_>], from: PointId, to: PointId) {
        taut_budget::tick();
        let mut here = from;
        for (index, piece) in pieces.iter().enumerate() {
            if self.cx.hopeless() {
                return;
            }
            let rest = &pieces[index + 1..];
            let next = self.entry(rest, to);
            self.piece(piece, here, next);
            here = next;
            if let Some(after) = rest.first()
                && leaves(piece.stmt)
            {
                self.check_reachable(after.stmt, piece.stmt);
            }
        }
    }

    fn check_reachable(&mut self, stmt: &Stmt, before: &Stmt) {
        if self.frame.labels.of_statement(stmt).is_some() {
            return;
        }
        let message = "this statement can never run";
        self.cx.report(
            Diagnostic::error(codes::UNREACHABLE, message, stmt.span)
                .label("unreachable")
                .related(before.span, "control never goes on after this")
                .help("give it a label that something jumps to, or remove it"),
        );
    }

    fn piece(&mut self, piece: &Piece<'_>, from: PointId, to: PointId) {
        taut_budget::tick();
        let stmt = piece.stmt;
        self.here_span = stmt.span;
        match &stmt.kind {
            kind if kind.is_jump() => self.jump(stmt, from),
            StmtKind::If(all) => self.branches(all, from, to),
            StmtKind::While(condition, body, head) => {
                self.while_loop(stmt, (condition, body, *head), from, to);
            }
            StmtKind::DoWhile(body, condition, tail) => {
                self.do_while(stmt, (body, condition, *tail), from, to);
            }
            StmtKind::For(all) => self.for_loop(stmt, all, from, to),
            StmtKind::Switch(all) => self.switch(stmt, all, from, to),
            StmtKind::Loop(body) => self.endless_loop(stmt, body, from, to),
            StmtKind::Choose(blocks) => {
                for block in blocks {
                    self.choice(stmt, block, from, to);
                }
            }
            StmtKind::AtomicBegin => self.section(piece, from, to),
            StmtKind::Atomic(block) => self.atomic_block(stmt, block, from, to),
            StmtKind::Locked(block) => self.locked_block(stmt, block, from, to),
            _ => self.simple(stmt, from, to),
        }
    }

    /// A jump costs a step only if control can stand before it.
    fn jump(&mut self, stmt: &Stmt, from: PointId) {
        let labelled = self.frame.labels.of_statement(stmt).is_some();
        if matches!(stmt.kind, StmtKind::Return(None)) && self.frame.procedure.is_some() {
            self.check_return(stmt.span);
            if from != self.frame.leave {
                self.step(from, Expr::TRUE, Mode::Plain, vec![], Control::Return, stmt.span);
            }
            return;
        }
        let Some(target) = self.jump_target(stmt) else { return };
        if labelled || from != target {
            self.skip(from, target, stmt.span);
        }
    }

    /// Reports a `return` without a value where the type of the procedure asks for one.
    fn check_return(&mut self, span: Span) {
        let Some(index) = self.frame.index else { return };
        let item = self.cx.procedures[index].item;
        if matches!(item.head, ProcedureHead::Type(_)) {
            let message = format!("`{}` has to return a value", item.name.text);
            let found = Diagnostic::error(codes::NO_VALUE, message, span);
            let found = found.label("expected `return` and a value");
            self.cx.report(found.related(item.name.span, "declared with a type here"));
        }
    }

    /// An `elif` is an `if` after `else`: its condition is computed in a step of its own.
    fn branches(&mut self, all: &If, from: PointId, to: PointId) {
        let mut here = from;
        for (index, (condition, head, block)) in all.branches.iter().enumerate() {
            let yes = self.open(block, to);
            let entry = self.entry(&yes, to);
            let last = index + 1 == all.branches.len();
            let no = all.otherwise.as_ref().filter(|_| last).map(|block| self.open(block, to));
            let other = match &no {
                Some(no) => self.entry(no, to),
                None if last => to,
                None => self.fresh(*head),
            };
            self.here_span = *head;
            self.decide(condition, here, (entry, other), *head);
            self.list(&yes, entry, to);
            self.list(&no.unwrap_or_default(), other, to);
            here = other;
        }
    }

    fn while_loop(
        &mut self,
        stmt: &Stmt,
        (condition, body, head): (&ast::Expr, &Block, Span),
        from: PointId,
        to: PointId,
    ) {
        self.enter_loop(stmt, Some(from), to);
        let pieces = self.open(body, from);
        let entry = self.entry(&pieces, from);
        self.here_span = head;
        self.decide(condition, from, (entry, to), head);
        self.list(&pieces, entry, from);
        self.leave_loop();
    }

    /// A loop starts where its first statement starts, and so does every further round.
    fn endless_loop(&mut self, stmt: &Stmt, body: &Block, from: PointId, to: PointId) {
        self.enter_loop(stmt, Some(from), to);
        let pieces = self.open(body, from);
        match pieces.is_empty() {
            true => self.skip(from, from, stmt.span),
            false => self.first_round(&pieces, from, from),
        }
        self.leave_loop();
    }

    /// The statements of a loop that starts where its first statement starts.
    pub(super) fn first_round(&mut self, pieces: &[Piece<'_>], from: PointId, to: PointId) {
        match pieces.first() {
            Some(first) if first.stmt.kind.is_jump() => {
                let target = self.jump_target(first.stmt).unwrap_or(from);
                self.skip(from, target, first.stmt.span);
                let rest = &pieces[1..];
                if let Some(after) = rest.first() {
                    self.check_reachable(after.stmt, first.stmt);
                }
                let entry = self.entry(rest, to);
                self.list(rest, entry, to);
            }
            Some(_) => self.list(pieces, from, to),
            None => {}
        }
    }

    /// One branch of a choice: its first steps leave the program point of the choice, unless something else
    /// can lead to its start, too.
    fn choice(&mut self, stmt: &Stmt, block: &Block, from: PointId, to: PointId) {
        let pieces = self.open(block, to);
        let shared = pieces.first().is_none_or(|first| {
            use StmtKind::{DoWhile, For, Loop, While};
            let looping = matches!(first.stmt.kind, While(..) | Loop(_) | DoWhile(..) | For(_));
            looping
                || first.stmt.kind.is_jump()
                || self.frame.labels.of_statement(first.stmt).is_some()
        });
        if !shared {
            return self.list(&pieces, from, to);
        }
        let entry = self.entry(&pieces, to);
        self.skip(from, entry, pieces.first().map_or(stmt.span, |p| p.stmt.span));
        self.list(&pieces, entry, to);
    }

    /// An expression in the current scope.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        self.cx.expr(&self.frame.scope, expr)
    }
}

/// Registers with their numbers.
fn numbered(registers: &[Register], first: usize) -> impl Iterator<Item = (RegId, &Register)> {
    registers.iter().enumerate().map(move |(i, r)| (RegId::from(first + i), r))
}

/// Whether control never goes on after a statement, as far as its form shows.
pub(crate) fn leaves(stmt: &Stmt) -> bool {
    let ends = |block: &Block| block.stmts.last().is_some_and(leaves);
    match &stmt.kind {
        StmtKind::Loop(_) => !breaks(stmt),
        StmtKind::For(all) => all.condition.is_none() && !breaks(stmt),
        StmtKind::Choose(blocks) => blocks.iter().all(ends),
        StmtKind::Switch(all) => {
            let last = all.cases.last().is_some_and(|case| ends(&case.block));
            last && all.has_default() && !breaks(stmt)
        }
        StmtKind::If(all) => {
            all.branches.iter().all(|(_, _, b)| ends(b)) && all.otherwise.as_ref().is_some_and(ends)
        }
        kind => kind.leaves(),
    }
}

/// Whether a `break` in a loop or `switch` leaves it.
pub(crate) fn breaks(stmt: &Stmt) -> bool {
    fn inside(stmt: &Stmt, around: &Stmt, nested: bool) -> bool {
        use StmtKind::{DoWhile, For, Loop, Switch, While};
        match &stmt.kind {
            StmtKind::Break(None) => !nested,
            StmtKind::Break(Some(label)) => around.labels.iter().any(|l| l.text == label.text),
            kind => {
                let catches =
                    matches!(kind, While(..) | DoWhile(..) | For(_) | Loop(_) | Switch(_));
                let blocks = stmt.blocks().into_iter();
                blocks.flat_map(|b| &b.stmts).any(|s| inside(s, around, nested || catches))
            }
        }
    }
    stmt.blocks().into_iter().flat_map(|b| &b.stmts).any(|s| inside(s, stmt, false))
}
