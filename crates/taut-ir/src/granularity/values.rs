//! Expressions, load by load.
//!
//! [`Code::value`] loads everything that an expression reads into registers. [`Code::but_one`] leaves the last
//! load where it is, for a step that has no other access. Operands are loaded from left to right, an index
//! before its element. Of `&&`, `||` and `?:` only what is needed is loaded, so they become branches.

use super::TooLarge;
use super::code::{Code, Pending, Purpose};
use super::decisions::Exit;
use crate::{Assignment, BinaryOp, Control, Effect, Expr, Lvalue, Poll};

impl Code<'_> {
    /// The expression over registers alone.
    pub(super) fn value(&mut self, e: &Expr, p: &mut Pending) -> Result<Expr, TooLarge> {
        if self.loads(e) == 0 {
            return Ok(e.clone());
        }
        match e {
            Expr::Var(v) => self.load(Purpose::Loaded(*v), e.clone(), e, p),
            Expr::VarElem(v, index) => {
                let element = Expr::VarElem(*v, Box::new(self.value(index, p)?));
                match self.is_shared(*v) {
                    true => self.load(Purpose::Loaded(*v), element, e, p),
                    false => Ok(element),
                }
            }
            _ if self.is_lazy(e) => self.chosen(e, p),
            _ => self.operands(e, p, Code::value),
        }
    }

    /// The expression with at most one load left in it: the last one.
    pub(super) fn but_one(&mut self, e: &Expr, p: &mut Pending) -> Result<Expr, TooLarge> {
        if self.loads(e) <= 1 {
            return Ok(e.clone());
        }
        match e {
            Expr::VarElem(v, index) if self.is_shared(*v) => {
                Ok(Expr::VarElem(*v, Box::new(self.value(index, p)?)))
            }
            _ if self.is_lazy(e) => self.chosen(e, p),
            _ => self.operands(e, p, Code::but_one),
        }
    }

    /// Expressions with at most one load left in all of them: the last one.
    pub(super) fn all_but_one(
        &mut self,
        list: &[Expr],
        p: &mut Pending,
    ) -> Result<Vec<Expr>, TooLarge> {
        let last = list.iter().rposition(|e| self.loads(e) > 0).unwrap_or(0);
        let one = |(i, e): (usize, &Expr)| match i == last {
            true => self.but_one(e, p),
            false => self.value(e, p),
        };
        list.iter().enumerate().map(one).collect()
    }

    /// Whether a part of the expression that has loads is computed only if another part asks for it.
    fn is_lazy(&self, e: &Expr) -> bool {
        match e {
            Expr::Binary(BinaryOp::And | BinaryOp::Or, _, b) => self.loads(b) > 0,
            Expr::Cond(_, a, b) => self.loads(a) + self.loads(b) > 0,
            _ => false,
        }
    }

    /// The expression with its operands loaded, the last one with loads by a function.
    fn operands(
        &mut self,
        e: &Expr,
        p: &mut Pending,
        last: fn(&mut Self, &Expr, &mut Pending) -> Result<Expr, TooLarge>,
    ) -> Result<Expr, TooLarge> {
        let parts = e.operands();
        let last_at = parts.iter().rposition(|part| self.loads(part) > 0);
        let mut done = Vec::with_capacity(parts.len());
        for (i, part) in parts.into_iter().enumerate() {
            done.push(match Some(i) == last_at {
                true => last(self, part, p)?,
                false => self.value(part, p)?,
            });
        }
        Ok(with_operands(e, done))
    }

    /// Loads the value of an expression that has at most one load.
    fn load(
        &mut self,
        purpose: Purpose,
        from: Expr,
        of: &Expr,
        p: &mut Pending,
    ) -> Result<Expr, TooLarge> {
        debug_assert!(self.loads(&from) <= 1, "one load per step");
        self.access(p)?;
        let register = self.hold(purpose, of.clone());
        let mut all = vec![Assignment { place: Lvalue::Reg(register), value: from, atomic: false }];
        all.extend(self.release([&all[0].value]));
        p.effects.push(Effect::Assign(all));
        Ok(Expr::Reg(register))
    }

    /// The value of an expression of which only one part is computed, in a register.
    fn chosen(&mut self, e: &Expr, p: &mut Pending) -> Result<Expr, TooLarge> {
        let purpose = if matches!(e, Expr::Cond(..)) { Purpose::Value } else { Purpose::Truth };
        if self.loads(e) == 1 {
            return self.load(purpose, e.clone(), e, p);
        }
        if !p.is_open() {
            self.flush(p)?;
        }
        let done = self.inner()?;
        let start = std::mem::replace(p, Pending::at(done));
        let register = self.hold(purpose, e.clone());
        match e {
            Expr::Cond(condition, a, b) => {
                let (yes, no) = (self.inner()?, self.inner()?);
                self.branch(condition, start, Some(Exit::to(yes)), Some(Exit::to(no)))?;
                self.chosen_part(a, Pending::at(yes), register, done)?;
                self.chosen_part(b, Pending::at(no), register, done)?;
            }
            _ => {
                let exit = |value: i64| {
                    Exit::new(
                        vec![Effect::assign(Lvalue::Reg(register), value)],
                        Control::Goto(done),
                    )
                };
                self.branch(e, start, Some(exit(1)), Some(exit(0)))?;
            }
        }
        Ok(Expr::Reg(register))
    }

    fn chosen_part(
        &mut self,
        part: &Expr,
        mut p: Pending,
        register: crate::RegId,
        done: crate::PointId,
    ) -> Result<(), TooLarge> {
        let value = self.but_one(part, &mut p)?;
        if self.loads(&value) > 0 {
            self.access(&mut p)?;
        }
        let mut all = vec![Assignment { place: Lvalue::Reg(register), value, atomic: false }];
        all.extend(self.release([&all[0].value]));
        p.effects.push(Effect::Assign(all));
        self.close(p, Control::Goto(done))
    }
}

/// An expression with other operands, in the order of [`Expr::operands`].
fn with_operands(e: &Expr, operands: Vec<Expr>) -> Expr {
    let mut rest = operands.into_iter();
    let mut next = || Box::new(rest.next().expect("as many operands as before"));
    match e {
        Expr::RegElem(r, _) => Expr::RegElem(*r, next()),
        Expr::VarElem(v, _) => Expr::VarElem(*v, next()),
        Expr::Unary(op, _) => Expr::Unary(*op, next()),
        Expr::In(process, _) => Expr::In(*process, next()),
        Expr::Channel(query, _) => Expr::Channel(*query, next()),
        Expr::Binary(op, ..) => Expr::Binary(*op, next(), next()),
        Expr::Cond(..) => Expr::Cond(next(), next(), next()),
        Expr::Poll(poll) => {
            let channel = *next();
            let pattern = poll.pattern.iter().map(|field| field.as_ref().map(|_| *next()));
            let pattern = pattern.collect();
            Expr::Poll(Box::new(Poll { channel, pattern, ..(**poll).clone() }))
        }
        other => other.clone(),
    }
}
