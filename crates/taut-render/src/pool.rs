//! Faults of pools in the words of the source: `use after free of n (node[1])`.
//!
//! In the program model a reference that leads nowhere is an index that is out of range: a ghost array, which
//! `Shown::pool` of `taut-ir` knows, says what each reference leads to, and a number below 0 stands there for `null`, for a record
//! that was freed, and for one that was never taken. This module looks for the reference of the step that has such a number.

use taut_ir::{DefId, Expr, Fault, Finding, Lvalue, ProcId, Program, RegId, Step, VarId};
use taut_witness::{Failure, Machine};

/// The fault in words, if the last step of a run follows or frees a reference that leads nowhere.
pub(crate) fn pool_fault(
    program: &Program,
    machine: &Machine<'_>,
    failure: &Failure,
    step: &Step,
) -> Option<String> {
    if failure.finding != Finding::Fault(Fault::Index) {
        return None;
    }
    let process = failure.process;
    let value = |expr: &Expr| machine.value_in(&failure.inside, process, expr).ok();
    let mut found = None;
    for expr in step.expressions() {
        expr.visit(&mut |part| {
            let Expr::VarElem(live, reference) = part else { return };
            if found.is_none() && program.shown.pool(*live).is_some() {
                let lost = value(part).filter(|&cell| cell < 0);
                found = lost.map(|cell| (*live, &**reference, cell));
            }
        });
    }
    let (live, reference, cell) = found?;
    let record = u32::try_from(value(reference)?).ok()?;
    let text = Reader { program, process, step }.text(reference);
    let record = program.shown.cell(live, record).filter(|&name| name != text && name != "null");
    let record = record.map_or_else(String::new, |name| format!(" ({name})"));
    let state = program.shown.value(live, 0, cell)?;
    Some(match (state, frees(step, live)) {
        ("freed", true) => format!("double free of {text}{record}"),
        ("freed", false) => format!("use after free of {text}{record}"),
        ("null", true) => format!("free of {text}, which is null"),
        ("null", false) => format!("{text} is followed, which is null"),
        (_, true) => format!("free of {text}{record}, which was never taken"),
        (_, false) => format!("{text}{record} is followed, which was never taken"),
    })
}

/// Whether a step frees a record.
fn frees(step: &Step, live: VarId) -> bool {
    step.assignments().any(|a| matches!(a.place, Lvalue::VarElem(to, _) if to == live))
}

/// References as the source says them.
struct Reader<'p> {
    program: &'p Program,
    process: ProcId,
    step: &'p Step,
}

impl Reader<'_> {
    fn text(&self, reference: &Expr) -> String {
        self.nested(reference, 8)
    }

    /// The text of a reference that follows at most so many others.
    fn nested(&self, reference: &Expr, most: usize) -> String {
        let def = self.program.process(self.process).def;
        let plain = || self.program.show_expr(Some(def), reference).to_string();
        if most == 0 {
            return plain();
        }
        match reference {
            Expr::Reg(register) => match self.loaded(*register) {
                Some(from) => self.nested(from, most - 1),
                None => plain().split('#').next().unwrap_or_default().to_owned(),
            },
            Expr::VarElem(field, index) => match &**index {
                Expr::VarElem(live, inner) if self.program.shown.pool(*live).is_some() => {
                    let name = &self.program.var(*field).name;
                    let field = name.rsplit('.').next().unwrap_or(name);
                    format!("{}.{field}", self.nested(inner, most - 1))
                }
                _ => plain(),
            },
            _ => plain(),
        }
    }

    /// The expression whose value a hidden register has: it was loaded in the same statement.
    fn loaded(&self, register: RegId) -> Option<&Expr> {
        let def = self.program.def_of(self.process);
        let name = &def.registers[register.index()].name;
        if !name.ends_with('\'') {
            return None;
        }
        let loads = |step: &&Step| {
            let span = step.span;
            span.file == self.step.span.file
                && span.start >= self.step.span.start
                && span.end <= self.step.span.end
        };
        let mut assigned = def.steps.iter().filter(loads).flat_map(Step::assignments);
        assigned.find(|a| a.place == Lvalue::Reg(register)).map(|a| &a.value)
    }
}

/// Whether an expression follows a reference to a record of a pool.
pub(crate) fn follows(program: &Program, expr: &Expr) -> bool {
    expr.variables().into_iter().any(|var| program.shown.pool(var).is_some())
}

/// An atom as the source has it; none for the look at the record itself.
pub(crate) fn shown(program: &Program, def: Option<DefId>, atom: &Expr) -> Option<String> {
    match atom {
        Expr::VarElem(live, _) if program.shown.pool(*live).is_some() => None,
        _ => Some(whole(program, def, atom)),
    }
}

/// An expression with fields of records as the source has them: `r.next` for `node.next[node live[r]]`.
pub(crate) fn whole(program: &Program, def: Option<DefId>, expr: &Expr) -> String {
    let mut text = program.show_expr(def, expr).to_string();
    if follows(program, expr) {
        for pool in program.var_ids().filter_map(|var| program.shown.pool(var)) {
            while let Some(shorter) = with_one_field(&text, pool) {
                text = shorter;
            }
        }
    }
    text
}

/// The text with the innermost `node.next[node live[r]]` as `r.next`; none if there is no more.
fn with_one_field(text: &str, pool: &str) -> Option<String> {
    let look = format!("[{pool} live[");
    let open = text.rfind(&look)?;
    let inner = open + look.len();
    let mut depth = 1u32;
    let close = text[inner..].char_indices().find_map(|(at, c)| {
        depth = match c {
            '[' => depth + 1,
            ']' => depth - 1,
            _ => depth,
        };
        (depth == 0).then_some(inner + at)
    })?;
    let rest = text[close..].strip_prefix("]]")?;
    let word = |c: char| c.is_alphanumeric() || "_.`".contains(c);
    let start = text[..open].trim_end_matches(word).len();
    let field = text[start..open].trim_matches('`').strip_prefix(pool)?;
    Some(format!("{}{}{field}{rest}", &text[..start], &text[inner..close]))
}

#[cfg(test)]
mod tests {
    use super::with_one_field;

    #[test]
    fn fields_are_written_behind_their_references() {
        let once = |text| with_one_field(text, "node");
        assert_eq!(once("node.next[node live[top]] == 0").as_deref(), Some("top.next == 0"));
        let nested = "x < `node.value`[node live[node.next[node live[a[1]]]]]";
        let inner = once(nested).expect("one");
        assert_eq!(inner, "x < `node.value`[node live[a[1].next]]");
        assert_eq!(once(&inner).as_deref(), Some("x < a[1].next.value"));
        assert_eq!(once("node.next[2] == 0"), None);
        assert_eq!(once("other.next[node live[r]]"), None);
    }
}
