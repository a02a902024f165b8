//! Expressions and references.

use taut_diag::{Diagnostic, Span};
use taut_ir::{BinaryOp, ChannelQuery as Query, Expr, Place, Poll, ProcId, RegId, UnaryOp};

use super::Lowering;
use super::storage::{Home, Leaf};
use crate::ast::{
    self, Binary, ChannelQuery, ExprKind, MemoryOp, PREDEFINED, Part, Reference, Unary,
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
    fn place(self) -> Option<Place> {
        Some(match (self.leaf.home, self.index) {
            (Home::Var(v), None) => Place::Var(v),
            (Home::Var(v), Some(i)) => Place::VarElem(v, i),
            (Home::Reg(r), None) => Place::Reg(r),
            (Home::Reg(r), Some(i)) => Place::RegElem(r, i),
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
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::RemoteLabel { proctype, process, label } => {
                self.remote_label(&proctype.text, process.as_deref(), &label.text)
            }
            ExprKind::RemoteVariable { proctype, process, variable } => {
                self.remote_variable(&proctype.text, process.as_deref(), variable)
            }
            ExprKind::Memory(MemoryOp::Read, arguments) => self.mm_read(&arguments[0]),
            ExprKind::Memory(op @ (MemoryOp::Svar | MemoryOp::Gsvar), _) => {
                let text = format!("`{}` can stand in claims only", op.text());
                self.unsupported(text, e.at.0, "a process reads with READ")
            }
            ExprKind::Memory(op, _) => {
                let text = format!("`{}` cannot stand inside of an expression", op.text());
                self.unsupported(text, e.at.0, "store its value first: `x = …`")
            }
            ExprKind::Run { .. } => unreachable!("the front end allows `run` alone only"),
            ExprKind::NonProgress => {
                let text = "`np_` can stand in claims only";
                self.unsupported(text.into(), e.at.0, "claims are not checked yet")
            }
            ExprKind::Process(query, _) => {
                let text = format!("`{}` is not read by Taut", query.text());
                self.unsupported(text, e.at.0, "say the condition itself")
            }
        }
    }

    pub(super) fn unsupported(&mut self, text: String, span: Span, help: &str) -> Expr {
        let d = Diagnostic::error(codes::UNSUPPORTED, text, span).label("here").help(help);
        self.diagnostics.push(d);
        Expr::Const(0)
    }

    /// The value of a variable, a symbolic name or one of the names that are built in.
    pub(super) fn reference(&mut self, reference: &'m Reference) -> Expr {
        match self.symbols().binding(reference) {
            Binding::Mtype { value, .. } => Expr::Const(i64::from(value)),
            Binding::Predefined(which) => {
                self.predefined(PREDEFINED[which as usize], reference.at.0)
            }
            Binding::Variable(_) => match self.access(reference) {
                Some(access) => access.read(),
                None => Expr::Const(0),
            },
            Binding::Unknown | Binding::Proctype(_) => {
                unreachable!("the front end has found all names")
            }
        }
    }

    fn predefined(&mut self, name: &str, span: Span) -> Expr {
        match name {
            "_pid" => Expr::Pid,
            "_nr_pr" => Expr::Processes,
            "_last" => self.last.map_or(Expr::Const(0), Expr::Var),
            "_priority" => {
                let text = "`_priority` is not read by Taut".into();
                self.unsupported(text, span, "priorities are accepted and do not matter")
            }
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
    pub(super) fn place(&mut self, reference: &'m Reference) -> Option<Place> {
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
                    _ => all.push(taut_ir::Pattern::Any),
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

    /// `P[e]@label`: whether the process of P with that number is there. Without a number, the oldest.
    fn remote_label(&mut self, name: &str, process: Option<&'m ast::Expr>, label: &str) -> Expr {
        let pid = process.map(|e| self.expr(e));
        let Some(number) = self.symbols().proctype(name) else { return Expr::Const(0) };
        let Some(location) = self.label_location(number, label) else { return Expr::Const(0) };
        self.choose(number, pid, |p| Expr::At(p, vec![location]))
    }

    fn remote_variable(
        &mut self,
        name: &str,
        process: Option<&'m ast::Expr>,
        variable: &'m Part,
    ) -> Expr {
        let pid = process.map(|e| self.expr(e));
        let Some(number) = self.symbols().proctype(name) else { return Expr::Const(0) };
        let owned = |v: &crate::Variable| v.owner == Some(number) && v.name == variable.name.text;
        let Some(id) = self.symbols().variables.iter().position(owned) else {
            return Expr::Const(0);
        };
        let Some(leaf) = self.storage.of(VariableId(id as u32)).first().cloned() else {
            return Expr::Const(0);
        };
        let index = variable.index.as_ref().map_or(Expr::Const(0), |e| self.expr(e));
        let Home::Reg(register) = leaf.home else { return Expr::Const(0) };
        let Some(len) = leaf.len() else {
            return self.choose(number, pid, |p| Expr::In(p, Box::new(Expr::Reg(register))));
        };
        self.choose(number, pid, |p| remote_element(p, register, len, &index))
    }

    /// What is asked of the process with a number, among those of a proctype; of the oldest if none is given.
    fn choose(&mut self, proctype: u32, pid: Option<Expr>, ask: impl Fn(ProcId) -> Expr) -> Expr {
        let processes = self.processes_of(proctype);
        let Some(pid) = pid else {
            // The living ones of a proctype are always the first.
            return processes.first().map_or(Expr::Const(0), |p| ask(*p));
        };
        let name = &self.symbols().proctypes[proctype as usize].name;
        if let (Expr::Const(number), false) = (&pid, self.used.run.contains(name)) {
            // Those that run from the start and are never run again keep their numbers.
            let it = processes.into_iter().find(|p| i64::from(p.0) == *number);
            return it.map_or(Expr::Const(0), ask);
        }
        processes.into_iter().rev().fold(Expr::Const(0), |otherwise, p| {
            let its = Expr::In(p, Box::new(Expr::Pid)).equals(pid.clone());
            let is_it = Expr::Alive(p).and(its);
            Expr::Cond(Box::new(is_it), Box::new(ask(p)), Box::new(otherwise))
        })
    }
}

/// An element of an array of another process. The index is computed by who asks, so each element is asked for
/// by its number.
fn remote_element(process: ProcId, register: RegId, len: u32, index: &Expr) -> Expr {
    let element =
        |i: i64| Expr::In(process, Box::new(Expr::RegElem(register, Box::new(Expr::Const(i)))));
    match index {
        Expr::Const(i) if (0..i64::from(len)).contains(i) => element(*i),
        _ => (0..i64::from(len)).rev().fold(Expr::Const(0), |otherwise, i| {
            let is_it = Box::new(index.clone().equals(Expr::Const(i)));
            Expr::Cond(is_it, Box::new(element(i)), Box::new(otherwise))
        }),
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
