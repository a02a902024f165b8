//! Effects, access by access.

use super::TooLarge;
use super::code::{Code, Pending};
use super::decisions::Exit;
use crate::{Assignment, Control, Effect, Expr, Lvalue};

/// What a step does once its guard is true.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    pub effects: Vec<Effect>,
    pub target: Control,
}

impl Code<'_> {
    /// Number of accesses.
    pub(super) fn accesses(&self, rest: &Rest) -> usize {
        let effects: usize = rest.effects.iter().map(|e| self.accesses_of(e)).sum();
        effects + self.loads_of(arguments(&rest.target))
    }

    fn loads_of(&self, list: &[Expr]) -> usize {
        list.iter().map(|e| self.loads(e)).sum()
    }

    fn accesses_of(&self, effect: &Effect) -> usize {
        let indexed = |place: &Lvalue| place.index().map_or(0, |index| self.loads(index));
        match effect {
            Effect::Assign(list) => list
                .iter()
                .map(|a| indexed(&a.place) + self.loads(&a.value) + usize::from(self.stores(a)))
                .sum(),
            Effect::Assert { condition, .. } => self.loads(condition),
            Effect::StoreFence | Effect::Fail(_) => 0,
            Effect::Spawn { args, pid, .. } => {
                let pid = pid.as_ref();
                let stored = pid.and_then(Lvalue::variable).is_some_and(|v| self.is_shared(v));
                self.loads_of(args) + pid.map_or(0, indexed) + usize::from(stored)
            }
        }
    }

    /// The way from an outcome of a condition on: in the same step if there is no access left, else from a
    /// new program point, which is returned.
    pub(super) fn exit(&mut self, rest: &Rest) -> Result<(Exit, Option<Pending>), TooLarge> {
        if self.accesses(rest) == 0 {
            return Ok((Exit::new(rest.effects.clone(), rest.target.clone()), None));
        }
        let next = self.inner()?;
        Ok((Exit::to(next), Some(Pending::at(next))))
    }

    /// Effects one after the other, then the target.
    pub(super) fn line(&mut self, mut p: Pending, rest: &Rest) -> Result<(), TooLarge> {
        for (i, effect) in rest.effects.iter().enumerate() {
            let is_last = i + 1 == rest.effects.len();
            match effect {
                Effect::Assign(list) => self.assign(list, &mut p)?,
                Effect::Assert { condition, property } if self.loads(condition) > 1 => {
                    let after = match is_last && arguments(&rest.target).is_empty() {
                        true => None,
                        false => Some(self.inner()?),
                    };
                    let target = after.map_or(rest.target.clone(), Control::Goto);
                    let yes = Exit::asserting(*property, true, target.clone());
                    let no = Exit::asserting(*property, false, target);
                    self.branch(condition, p, Some(yes), Some(no))?;
                    match after {
                        Some(next) => p = Pending::at(next),
                        None => return Ok(()),
                    }
                }
                Effect::Spawn { def, args, pid } => {
                    let (args, pid) = self.spawned(args, pid.as_ref(), &mut p)?;
                    let resets =
                        self.release(args.iter().chain(pid.iter().filter_map(Lvalue::index)));
                    p.effects.push(Effect::Spawn { def: *def, args, pid });
                    if !resets.is_empty() {
                        p.effects.push(Effect::Assign(resets));
                    }
                }
                other => {
                    if self.accesses_of(other) > 0 {
                        self.access(&mut p)?;
                    }
                    p.effects.push(other.clone());
                }
            }
        }
        let target = self.target(&rest.target, &mut p)?;
        self.close(p, target)
    }

    /// Indices and values, from left to right, then the stores. What is not shared memory is assigned with
    /// the last store: until then the values that stores need are not overwritten.
    fn assign(&mut self, list: &[Assignment], p: &mut Pending) -> Result<(), TooLarge> {
        let stores = list.iter().filter(|a| self.stores(a)).count();
        let parts: Vec<Expr> = list
            .iter()
            .flat_map(|a| a.place.index().into_iter().chain([&a.value]))
            .cloned()
            .collect();
        let parts = match stores {
            0 => self.all_but_one(&parts, p)?,
            _ => parts.iter().map(|e| self.value(e, p)).collect::<Result<_, _>>()?,
        };
        let mut parts = parts.into_iter();
        let mut next = || parts.next().expect("as many parts as before");
        let ready: Vec<Assignment> = list
            .iter()
            .map(|a| {
                let place = match &a.place {
                    Lvalue::RegElem(r, _) => Lvalue::RegElem(*r, next()),
                    Lvalue::VarElem(v, _) => Lvalue::VarElem(*v, next()),
                    other => other.clone(),
                };
                Assignment { place, value: next(), atomic: a.atomic }
            })
            .collect();
        self.perform(ready, p)
    }

    /// Assignments whose loads are done, except for one if nothing is stored.
    fn perform(&mut self, ready: Vec<Assignment>, p: &mut Pending) -> Result<(), TooLarge> {
        let (mut stores, local): (Vec<_>, Vec<_>) = ready.into_iter().partition(|a| self.stores(a));
        // The places of one atomic write are written at once.
        let at_once = stores.iter().all(|a| a.atomic);
        let last =
            if at_once { std::mem::take(&mut stores) } else { stores.split_off(stores.len() - 1) };
        for store in stores {
            self.perform_at_once(vec![store], p)?;
        }
        self.perform_at_once(last.into_iter().chain(local).collect(), p)
    }

    fn perform_at_once(
        &mut self,
        mut list: Vec<Assignment>,
        p: &mut Pending,
    ) -> Result<(), TooLarge> {
        if self.accesses_of(&Effect::Assign(list.clone())) > 0 {
            self.access(p)?;
        }
        let used: Vec<Expr> = list
            .iter()
            .flat_map(|a| a.place.index().into_iter().chain([&a.value]))
            .cloned()
            .collect();
        list.extend(self.release(&used));
        p.effects.push(Effect::Assign(list));
        Ok(())
    }

    /// The arguments of a spawn and the place of the pid, with at most one access left.
    fn spawned(
        &mut self,
        args: &[Expr],
        pid: Option<&Lvalue>,
        p: &mut Pending,
    ) -> Result<(Vec<Expr>, Option<Lvalue>), TooLarge> {
        let Some(pid) = pid else {
            let args = self.all_but_one(args, p)?;
            if self.loads_of(&args) > 0 {
                self.access(p)?;
            }
            return Ok((args, None));
        };
        let args = args.iter().map(|e| self.value(e, p)).collect::<Result<Vec<_>, _>>()?;
        let pid = match pid {
            Lvalue::RegElem(r, index) => Lvalue::RegElem(*r, self.value(index, p)?),
            Lvalue::VarElem(v, index) => Lvalue::VarElem(*v, self.value(index, p)?),
            other => other.clone(),
        };
        if pid.variable().is_some_and(|v| self.is_shared(v)) {
            self.access(p)?;
        }
        Ok((args, Some(pid)))
    }

    /// The target with the arguments of a call loaded. Arguments are computed after the effects of the step,
    /// so the registers of theirs keep their values until they are used again: the process is in the
    /// procedure when the call is done.
    fn target(&mut self, target: &Control, p: &mut Pending) -> Result<Control, TooLarge> {
        let Control::Call { procedure, args, return_to } = target else {
            return Ok(target.clone());
        };
        let args = self.all_but_one(args, p)?;
        if self.loads_of(&args) > 0 {
            self.access(p)?;
        }
        self.release(&args);
        Ok(Control::Call { procedure: *procedure, args, return_to: *return_to })
    }
}

/// The arguments of a call.
fn arguments(target: &Control) -> &[Expr] {
    match target {
        Control::Call { args, .. } => args,
        _ => &[],
    }
}
