//! Expressions and references.

use taut_ir::{BinaryOp, ChannelQuery as Query, Expr, Lvalue, Poll, UnaryOp};
use taut_source::{Diagnostic, Span};

use super::Lowering;
use super::storage::{Home, Leaf};
use crate::ast::{
    self, Binary, ChannelQuery, ExprKind, MemoryOp, PREDEFINED, Part, ProcessQuery, Reference,
    Unary,
};
use crate::{Binding, VariableId, codes};

/// A place with everything known but its index.
pub(super) struct Access {
    leaf: Leaf,
    index: Option<Expr>,
}

impl Access {
    /// The value of the place.
    pub(super) fn read(self) -> Expr {
        match (self.leaf.home, self.index) {
            (Home::Var(v), None) => Expr::Var(v),
            (Home::Var(v), Some(i)) => Expr::VarElem(v, Box::new(i)),
            (Home::Reg(r), None) => Expr::Reg(r),
            (Home::Reg(r), Some(i)) => Expr::RegElem(r, Box::new(i)),
            (Home::Channel(first), None) => Expr::Const(first),
            (Home::Channel(first), Some(i)) => Expr::binary(BinaryOp::Add, first.into(), i),
        }
    }

    /// The place, to be assigned; none for a channel that never is another one, which no statement assigns.
    fn place(self) -> Option<Lvalue> {
        Some(match (self.leaf.home, self.index) {
            (Home::Var(v), None) => Lvalue::Var(v),
            (Home::Var(v), Some(i)) => Lvalue::VarElem(v, i),
            (Home::Reg(r), None) => Lvalue::Reg(r),
            (Home::Reg(r), Some(i)) => Lvalue::RegElem(r, i),
            (Home::Channel(_), _) => return None,
        })
    }

    /// What becomes of a field that is received into this.
    pub(super) fn pattern(self) -> taut_ir::Pattern {
        self.place().map_or(taut_ir::Pattern::Any, taut_ir::Pattern::Bind)
    }
}

impl<'m> Lowering<'m> {
    /// The value of an expression.
    pub(super) fn expr(&mut self, e: &'m ast::Expr) -> Expr {
        taut_budget::tick();
        match &e.kind {
            ExprKind::Number(v) => Expr::Const(i64::from(*v)),
            ExprKind::Char(code) => Expr::Const(i64::from(*code)),
            ExprKind::Bool(v) => Expr::Const(i64::from(*v)),
            ExprKind::Skip => Expr::TRUE,
            ExprKind::Reference(reference) => self.reference(reference),
            ExprKind::Unary(op, a) => Expr::unary(unary(*op), self.expr(a)),
            ExprKind::Binary(op, a, b) => Expr::binary(binary(*op), self.expr(a), self.expr(b)),
            ExprKind::Conditional(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|e| Box::new(self.expr(e)));
                Expr::Cond(c, a, b)
            }
            ExprKind::Channel(query, channel) => self.question(*query, channel),
            ExprKind::Poll { channel, random, patterns } => {
                let channel = self.reference(channel);
                let pattern = self.poll_pattern(patterns);
                Expr::Poll(Box::new(Poll { channel, pattern, anywhere: *random }))
            }
            ExprKind::Timeout if self.in_claim => {
                let text = "`timeout` cannot stand in a claim".into();
                self.unsupported(text, e.at.0, "`enabled(p)` asks whether a process can move")
            }
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::RemoteLabel { proctype, process, label } => {
                self.remote_label(&proctype.text, process.as_deref(), &label.text, e.at.0)
            }
            ExprKind::RemoteVariable { proctype, process, variable } => {
                self.remote_variable(&proctype.text, process.as_deref(), variable, e.at.0)
            }
            ExprKind::Memory(op, arguments) => self.memory(*op, arguments, e.at.0),
            ExprKind::Run { .. } => unreachable!("the front end allows `run` alone only"),
            ExprKind::NonProgress if self.in_claim => self.non_progress(),
            ExprKind::NonProgress => self.only_in_claims("np_", e.at.0),
            ExprKind::Process(ProcessQuery::GetPriority, process) => self.get_priority(process),
            ExprKind::Process(ProcessQuery::Enabled, process) if self.in_claim => {
                self.of_process(process, e.at.0, Expr::Enabled)
            }
            ExprKind::Process(ProcessQuery::Enabled, _) => self.only_in_claims("enabled", e.at.0),
            ExprKind::Process(query, _) => {
                let text = format!("`{}` is not read by Taut", query.text());
                self.unsupported(text, e.at.0, "say the condition itself")
            }
        }
    }

    /// An operation of a dialect that has a value.
    fn memory(&mut self, op: MemoryOp, arguments: &'m [ast::Expr], span: Span) -> Expr {
        match op {
            _ if self.in_claim => self.observed(op, arguments, span),
            MemoryOp::Read => self.mm_read(&arguments[0]),
            _ if op.observes() => self.only_in_claims(op.text(), span),
            _ => {
                let text = format!("`{}` cannot stand inside of an expression", op.text());
                self.unsupported(text, span, "store its value first: `x = …`")
            }
        }
    }

    /// Reports something in a process that only an observer can ask.
    pub(super) fn only_in_claims(&mut self, word: &str, span: Span) -> Expr {
        let text = format!("`{word}` can stand in claims only");
        self.unsupported(text, span, "a process sees its own view of memory, and nothing else")
    }

    pub(super) fn unsupported(&mut self, text: String, span: Span, help: &str) -> Expr {
        let d = Diagnostic::error(codes::UNSUPPORTED, text, span).label("here").help(help);
        self.diagnostics.push(d);
        Expr::Const(0)
    }

    /// The value of a variable, a symbolic name or one of the names that are built in.
    pub(super) fn reference(&mut self, reference: &'m Reference) -> Expr {
        taut_budget::tick();
        match self.symbols().binding(reference) {
            Binding::Mtype { value, .. } => Expr::Const(i64::from(value)),
            Binding::Predefined(which) => self.predefined(PREDEFINED[which as usize]),
            Binding::Variable(_) => match self.access(reference) {
                Some(access) => access.read(),
                None => Expr::Const(0),
            },
            Binding::Unknown | Binding::Proctype(_) => {
                unreachable!("the front end has found all names")
            }
        }
    }

    fn predefined(&self, name: &str) -> Expr {
        match name {
            // The number of a claim, in SPIN.
            "_pid" if self.in_claim => Expr::Const(0),
            "_pid" => Expr::Pid,
            // DIVERGENCE: SPIN counts the claim that is being checked, in claims and in processes alike.
            "_nr_pr" => Expr::Processes,
            "_last" => self.last.map_or(Expr::Const(0), Expr::Var),
            "_priority" => self.own_priority(),
            // What is written to `_` is gone.
            _ => Expr::Const(0),
        }
    }

    /// The place that a plain reference names. None (and a message) if it is no plain one.
    pub(super) fn access(&mut self, reference: &'m Reference) -> Option<Access> {
        let Binding::Variable(id) = self.symbols().binding(reference) else { return None };
        let path: Vec<&str> = reference.parts[1..].iter().map(|p| p.name.text.as_str()).collect();
        let leaf = self.storage.of(id).iter().find(|leaf| leaf.path == path)?.clone();
        let indices = self.indices(id, &reference.parts);
        let index = flat_index(&leaf.sizes, indices);
        Some(Access { leaf, index })
    }

    /// The indices along a reference, one for each array on the way; the first element where none is given,
    /// as in SPIN.
    fn indices(&mut self, id: VariableId, parts: &'m [Part]) -> Vec<Expr> {
        let mut variable = self.symbols().variable(id).clone();
        let mut indices = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            if variable.size.is_some() {
                indices.push(part.index.as_ref().map_or(Expr::Const(0), |e| self.expr(e)));
            }
            let Some(next) = parts.get(i + 1) else { break };
            let ast::Type::User(name) = &variable.ty else { break };
            let fields = self.symbols().typedef(&name.text).map_or(&[][..], |t| &t.fields);
            let Some(field) = fields.iter().find(|f| f.name == next.name.text) else { break };
            variable = field.clone();
        }
        indices
    }

    /// The place that a reference names, to be assigned; none for `_`.
    pub(super) fn place(&mut self, reference: &'m Reference) -> Option<Lvalue> {
        if let Some(place) = self.priority_place(reference) {
            return Some(place);
        }
        self.access(reference).and_then(Access::place)
    }

    /// All plain parts of a reference, which may be a whole structure.
    pub(super) fn parts(&mut self, reference: &'m Reference) -> Vec<Access> {
        let Binding::Variable(id) = self.symbols().binding(reference) else { return Vec::new() };
        let path: Vec<&str> = reference.parts[1..].iter().map(|p| p.name.text.as_str()).collect();
        let begins = |leaf: &&Leaf| {
            leaf.path.len() >= path.len() && leaf.path.iter().zip(&path).all(|(a, b)| a == b)
        };
        let leaves: Vec<Leaf> = self.storage.of(id).iter().filter(begins).cloned().collect();
        let given = self.indices(id, &reference.parts);
        let mut all = Vec::new();
        for leaf in leaves {
            let free = &leaf.sizes[given.len().min(leaf.sizes.len())..];
            let combinations: u32 = free.iter().product();
            for mut number in 0..combinations {
                let mut rest = Vec::new();
                for size in free.iter().rev() {
                    rest.insert(0, Expr::Const(i64::from(number % size)));
                    number /= size;
                }
                let indices = given.iter().cloned().chain(rest).collect();
                all.push(Access { index: flat_index(&leaf.sizes, indices), leaf: leaf.clone() });
            }
        }
        all
    }

    /// The values of the fields of a message.
    pub(super) fn message(&mut self, values: &'m [ast::Expr]) -> Vec<Expr> {
        let mut message = Vec::new();
        for value in values {
            match &value.kind {
                ExprKind::Reference(reference)
                    if matches!(self.symbols().binding(reference), Binding::Variable(_)) =>
                {
                    let parts = self.parts(reference);
                    message.extend(parts.into_iter().map(Access::read));
                }
                _ => message.push(self.expr(value)),
            }
        }
        message
    }

    /// What a receive does with the fields.
    pub(super) fn pattern(&mut self, patterns: &'m [ast::Pattern]) -> Vec<taut_ir::Pattern> {
        let mut all = Vec::new();
        for pattern in patterns {
            match pattern {
                ast::Pattern::Constant(e) | ast::Pattern::Eval(e) => {
                    all.push(taut_ir::Pattern::Match(self.expr(e)));
                }
                ast::Pattern::Reference(r) => match self.symbols().binding(r) {
                    Binding::Mtype { value, .. } => {
                        all.push(taut_ir::Pattern::Match(Expr::Const(i64::from(value))));
                    }
                    Binding::Variable(_) => {
                        let parts = self.parts(r);
                        all.extend(parts.into_iter().map(Access::pattern));
                    }
                    _ => all.push(match self.receive_priority(r) {
                        Some((place, _)) => taut_ir::Pattern::Bind(place),
                        None => taut_ir::Pattern::Any,
                    }),
                },
            }
        }
        all
    }

    fn poll_pattern(&mut self, patterns: &'m [ast::Pattern]) -> Vec<Option<Expr>> {
        let mut all = Vec::new();
        for field in self.pattern(patterns) {
            all.push(match field {
                taut_ir::Pattern::Match(value) => Some(value),
                taut_ir::Pattern::Bind(_) | taut_ir::Pattern::Any => None,
            });
        }
        all
    }

    fn question(&mut self, query: ChannelQuery, channel: &'m Reference) -> Expr {
        let channel = Box::new(self.reference(channel));
        match query {
            ChannelQuery::Len => Expr::Channel(Query::Length, channel),
            ChannelQuery::Full => Expr::Channel(Query::Full, channel),
            ChannelQuery::Empty => Expr::Channel(Query::Empty, channel),
            ChannelQuery::Nfull => Expr::Channel(Query::Full, channel).not(),
            ChannelQuery::Nempty => Expr::Channel(Query::Empty, channel).not(),
        }
    }
}

/// The index into the one array that holds all elements; none if there is no array. An index that leaves its
/// own array leaves the whole, too.
fn flat_index(sizes: &[u32], indices: Vec<Expr>) -> Option<Expr> {
    let mut flat: Option<Expr> = None;
    for (&size, index) in sizes.iter().zip(indices) {
        flat = Some(match flat {
            None => index,
            Some(outer) => {
                let scaled = Expr::binary(BinaryOp::Mul, outer, i64::from(size).into());
                let sum = Expr::binary(BinaryOp::Add, scaled, index.clone());
                match index {
                    Expr::Const(i) if (0..i64::from(size)).contains(&i) => sum,
                    index => {
                        let low = Expr::binary(BinaryOp::Ge, index.clone(), 0.into());
                        let high = Expr::binary(BinaryOp::Lt, index, i64::from(size).into());
                        let inside = Box::new(low.and(high));
                        Expr::Cond(inside, Box::new(sum), Box::new(Expr::Const(-1)))
                    }
                }
            }
        });
    }
    flat
}

fn unary(op: Unary) -> UnaryOp {
    match op {
        Unary::Negate => UnaryOp::Neg,
        Unary::Not => UnaryOp::Not,
        Unary::Complement => UnaryOp::BitNot,
    }
}

fn binary(op: Binary) -> BinaryOp {
    match op {
        Binary::Or => BinaryOp::Or,
        Binary::And => BinaryOp::And,
        Binary::BitOr => BinaryOp::BitOr,
        Binary::BitXor => BinaryOp::BitXor,
        Binary::BitAnd => BinaryOp::BitAnd,
        Binary::Equal => BinaryOp::Eq,
        Binary::NotEqual => BinaryOp::Ne,
        Binary::Less => BinaryOp::Lt,
        Binary::LessEqual => BinaryOp::Le,
        Binary::Greater => BinaryOp::Gt,
        Binary::GreaterEqual => BinaryOp::Ge,
        Binary::ShiftLeft => BinaryOp::Shl,
        Binary::ShiftRight => BinaryOp::Shr,
        Binary::Add => BinaryOp::Add,
        Binary::Subtract => BinaryOp::Sub,
        Binary::Multiply => BinaryOp::Mul,
        Binary::Divide => BinaryOp::Div,
        Binary::Remainder => BinaryOp::Rem,
    }
}
