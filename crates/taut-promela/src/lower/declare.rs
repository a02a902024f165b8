//! Global variables and channels.

use taut_ir::{ChanId, Channel, EffectOrder, VarId, VarKind, Variable};
use taut_source::{Diagnostic, Span};

use super::constant::Known;
use super::storage::{Home, Leaf, message_types};
use super::{Lowering, MOST_VALUES};
use crate::ast::{self, Declarator, Initial, Item};
use crate::{VariableId, codes};

impl<'m> Lowering<'m> {
    /// Lays out all global variables and channels.
    pub(super) fn globals(&mut self) {
        self.number_globals();
        self.check_size();
        if self.diagnostics.has_errors() {
            return;
        }
        for item in &self.parsed.model.items {
            if let Item::Variables(variables) = item {
                variables.list.iter().for_each(|d| self.global(d));
            }
        }
        self.check_ghosts();
        self.mm_variables();
        if self.used.last {
            self.last = Some(self.ghost("_last", super::BYTE));
        }
        self.declare_priorities();
    }

    /// Which number each global declarator has, and where the fields of structures are declared.
    fn number_globals(&mut self) {
        let symbols = self.symbols();
        let global = |(_, v): &(usize, &crate::Variable)| v.owner.is_none();
        let mut ids = symbols.variables.iter().enumerate().filter(global).map(|(i, _)| i);
        for item in &self.parsed.model.items {
            match item {
                Item::Variables(variables) => {
                    for declarator in &variables.list {
                        let id = VariableId(ids.next().expect("as many as declared") as u32);
                        self.declared.insert(std::ptr::from_ref(declarator), id);
                    }
                }
                Item::Typedef(typedef) => {
                    let fields = typedef.fields.iter().flat_map(|v| &v.list);
                    self.fields.extend(fields.map(|d| (d.name.at.0, d)));
                }
                _ => {}
            }
        }
    }

    /// Refuses a model whose variables are too many to hold.
    fn check_size(&mut self) {
        let mut total: u64 = 0;
        for (index, variable) in self.symbols().variables.iter().enumerate() {
            let leaves = self.storage.of(VariableId(index as u32));
            let values = leaves.iter().fold(0, |n: u64, l| n.saturating_add(l.count()));
            total = total.saturating_add(values);
            if total > MOST_VALUES {
                let text = format!("the variables hold more than {MOST_VALUES} values");
                let d = Diagnostic::error(codes::TOO_LARGE, text, variable.span);
                self.diagnostics.push(d.label("with this one"));
                return;
            }
        }
    }

    /// The initial value that stands where a leaf is declared.
    pub(super) fn initial_of(&self, d: &'m Declarator, leaf: &Leaf) -> Option<&'m Initial> {
        match leaf.path.is_empty() {
            true => d.initial.as_ref(),
            false => self.fields.get(&leaf.declared).and_then(|f| f.initial.as_ref()),
        }
    }

    fn global(&mut self, declarator: &'m Declarator) {
        let id = self.declaration(declarator);
        for index in 0..self.storage.of(id).len() {
            let leaf = self.storage.of(id)[index].clone();
            let home = self.global_leaf(declarator, id, &leaf);
            self.storage.of_mut(id)[index].home = home;
        }
    }

    fn global_leaf(&mut self, declarator: &'m Declarator, id: VariableId, leaf: &Leaf) -> Home {
        let variable = self.symbols().variable(id);
        let name = leaf.name(&variable.name);
        let initial = self.initial_of(declarator, leaf);
        let count = leaf.count() as usize;
        let init = match initial {
            Some(Initial::Channel { capacity, fields, .. }) => {
                let first = self.channels(&name, leaf.len(), capacity, fields, variable.span);
                if !self.used.assigned.contains(&id) {
                    return Home::Channel(first);
                }
                (0..count as i64).map(|i| first + i).collect()
            }
            other => self.initial_values(other, leaf, count),
        };
        // In a model of mmlib the memory is the library's; what it declares itself is not behind buffers.
        // `hidden` is no part of SPIN's states: scratch, not memory.
        let ghost = variable.ghost
            || variable.visibility == Some(ast::Visibility::Hidden)
            || self.options.ghosts.contains(&variable.name)
            || self.used.mm_variables.is_some();
        // Channels are not memory: who may use which is no store.
        let kind = if ghost || leaf.channel { VarKind::Ghost } else { VarKind::Shared };
        let home = VarId::from(self.program.vars.len());
        let (ty, len, span) = (leaf.ty, leaf.len(), variable.span);
        self.program.vars.push(Variable { name, kind, ty, len, init, span });
        Home::Var(home)
    }

    /// The values of a leaf before anything runs: one for all elements, or a list whose last value is that of
    /// all that come after it.
    fn initial_values(
        &mut self,
        initial: Option<&'m Initial>,
        leaf: &Leaf,
        count: usize,
    ) -> Vec<i64> {
        let list: Vec<i64> = match initial {
            Some(Initial::Value(e)) => vec![self.constant(e)],
            Some(Initial::List(list)) => list.iter().map(|e| self.constant(e)).collect(),
            Some(Initial::Channel { .. }) | None => vec![0],
        };
        let last = list.last().copied().unwrap_or(0);
        let all = list.into_iter().chain(std::iter::repeat(last)).take(count);
        all.map(|v| leaf.ty.fit(v).unwrap_or(0)).collect()
    }

    /// The value of an expression before anything runs.
    fn constant(&mut self, e: &'m ast::Expr) -> i64 {
        let expr = self.expr(e);
        let known = Known { vars: &self.program.vars, registers: &[], pid: 0 };
        if let Some(value) = known.value(&expr) {
            return value;
        }
        let text = "the initial value of a global must be known before anything runs".into();
        self.unsupported(text, e.at.0, "assign it in `init`");
        0
    }

    /// Makes the channels of a variable, or of each element of an array; the value of the first.
    pub(super) fn channels(
        &mut self,
        name: &str,
        len: Option<u32>,
        capacity: &ast::Expr,
        fields: &[ast::Type],
        span: Span,
    ) -> i64 {
        let first = ChanId::from(self.program.channels.len()).value();
        let capacity = self.plain_constant(capacity);
        let types = message_types(self.symbols(), fields);
        let values = (types.len() as u64).saturating_mul(u64::from(capacity));
        if values.saturating_mul(u64::from(len.unwrap_or(1))) > MOST_VALUES {
            let text = format!("the messages of `{name}` hold more than {MOST_VALUES} values");
            let d = Diagnostic::error(codes::TOO_LARGE, text, span).label("declared here");
            self.diagnostics.push(d);
            return first;
        }
        for index in 0..len.unwrap_or(1) {
            let name = match len {
                None => name.to_owned(),
                Some(_) => format!("{name}[{index}]"),
            };
            let fields = types.clone();
            let order = EffectOrder::default();
            self.program.channels.push(Channel { name, capacity, fields, order, span });
        }
        if self.program.channels.len() > MOST_CHANNELS {
            let text = format!("more than {MOST_CHANNELS} channels, the most SPIN can tell apart");
            let d = Diagnostic::error(codes::TOO_LARGE, text, span).label("with this one");
            self.diagnostics.push(d);
            self.program.channels.truncate(1);
        }
        first
    }

    fn plain_constant(&mut self, e: &ast::Expr) -> u32 {
        constant_of(self.symbols(), e).and_then(|v| u32::try_from(v).ok()).unwrap_or(0)
    }

    fn check_ghosts(&mut self) {
        for ghost in &self.options.ghosts {
            let globals = self.symbols().variables.iter().filter(|v| v.owner.is_none());
            let names: Vec<&str> = globals.map(|v| v.name.as_str()).collect();
            if names.contains(&ghost.as_str()) {
                continue;
            }
            let text = format!("`--ghost {ghost}`: there is no global variable `{ghost}`");
            let mut d = Diagnostic::error(codes::UNKNOWN_GHOST, text, Span::NONE);
            if let Some(near) = taut_source::nearest(ghost, names) {
                d = d.help(format!("did you mean `{near}`?"));
            }
            self.diagnostics.push(d);
        }
    }
}

/// The most channels: SPIN keeps the number of one in a byte.
const MOST_CHANNELS: usize = 255;

/// The value of a constant that the front end has checked.
fn constant_of(symbols: &crate::Symbols, e: &ast::Expr) -> Option<i64> {
    use ast::ExprKind;
    Some(match &e.kind {
        ExprKind::Number(v) => i64::from(*v),
        ExprKind::Char(code) => i64::from(*code),
        ExprKind::Bool(v) => i64::from(*v),
        ExprKind::Skip => 1,
        ExprKind::Reference(r) => match symbols.binding(r) {
            crate::Binding::Mtype { value, .. } => i64::from(value),
            _ => return None,
        },
        ExprKind::Unary(ast::Unary::Negate, a) => -constant_of(symbols, a)?,
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (constant_of(symbols, a)?, constant_of(symbols, b)?);
            match op {
                ast::Binary::Add => a + b,
                ast::Binary::Subtract => a - b,
                ast::Binary::Multiply => a * b,
                ast::Binary::Divide => a.checked_div(b)?,
                ast::Binary::Remainder => a.checked_rem(b)?,
                _ => return None,
            }
        }
        _ => return None,
    })
}
