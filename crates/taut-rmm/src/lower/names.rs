//! What the names of a file stand for.

use std::collections::{BTreeMap, HashMap};

use taut_ir::{Overflow, Span, Type, VarId, VarKind, Variable};
use taut_source::{Diagnostic, nearest, shown};

use super::start::{GATE, is_few};
use super::{Asked, Found};
use crate::ast::{Declaration, Domain, File, Loc, LocKind, Stmt, StmtKind, Store};
use crate::codes;

/// The most values of `*`.
const MOST_VALUES: i64 = 256;

/// A shared cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Cell {
    pub(super) var: VarId,
    /// The number of the process, for `x[my]` and `x[k]`.
    pub(super) index: Option<u32>,
}

/// A cell with its values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) cell: Cell,
    pub(super) low: i64,
    pub(super) high: i64,
}

/// A register with its values.
#[derive(Clone, Debug)]
pub(super) struct Register {
    pub(super) name: String,
    pub(super) low: i64,
    pub(super) high: i64,
    /// None for `*`.
    pub(super) init: Option<i64>,
    pub(super) span: Span,
}

/// All names of a file.
pub(super) struct Names<'f> {
    pub(super) file: &'f File,
    pub(super) vars: Vec<Variable>,
    /// Variables of the whole program, in order: what pointers point to.
    pub(super) globals: Vec<Place>,
    by_name: HashMap<&'f str, usize>,
    /// The variables of processes, by the number of the process.
    own: HashMap<&'f str, Vec<Option<Place>>>,
    /// The process of the text of each process.
    pub(super) processes: Vec<usize>,
    /// The registers of each process of the text.
    pub(super) registers: Vec<Vec<Register>>,
    /// Cells that begin with any value.
    pub(super) any: Vec<Place>,
    /// Domains without bounds.
    pub(super) unbounded: Vec<Span>,
}

impl<'f> Names<'f> {
    pub(super) fn of(file: &'f File, asked: Asked, found: &mut Found) -> Option<Names<'f>> {
        let mut names = Names {
            file,
            vars: Vec::new(),
            globals: Vec::new(),
            by_name: HashMap::new(),
            own: HashMap::new(),
            processes: Vec::new(),
            registers: Vec::new(),
            any: Vec::new(),
            unbounded: Vec::new(),
        };
        for (group, process) in file.processes.iter().enumerate() {
            names.processes.extend(std::iter::repeat_n(group, process.count as usize));
        }
        let mut reader = Reader { asked, found, unbounded: Vec::new() };
        reader.globals(&mut names);
        reader.own(&mut names);
        for process in &file.processes {
            let registers = reader.registers(&process.registers);
            names.registers.push(registers);
        }
        names.unbounded = reader.unbounded;
        names.add_gate(found);
        (!found.errors.has_errors()).then_some(names)
    }

    /// The gate that opens when memory is chosen (`start.rs`) is the last variable.
    fn add_gate(&mut self, found: &mut Found) {
        let Some(place) = self.any.first() else { return };
        let span = self.vars[place.cell.var.index()].span;
        if !is_few(&self.any) {
            let message = "the `*` of all variables together stand for too many initial memories";
            let one = Diagnostic::error(codes::MANY_VALUES, message, span).label("one of them");
            found.errors.push(one.help("make domains smaller, or give initial values"));
        }
        self.vars.push(variable(GATE, (0, 1), None, vec![0]));
    }

    /// Whether some cell begins with any value.
    pub(super) fn begins_with_any(&self) -> bool {
        !self.any.is_empty()
    }

    /// Whether the copies of a process differ by their number: they have, or look at, variables of processes.
    pub(super) fn is_numbered(&self, group: usize) -> bool {
        let process = &self.file.processes[group];
        let mut numbered = !process.data.is_empty();
        process.body.iter().for_each(|stmt| {
            stmt.visit(&mut |s| numbered |= location(s).is_some_and(is_numbered));
        });
        numbered
    }

    /// The place of `x`, `x[my]` or `x[k]` for a process.
    pub(super) fn place(&self, process: usize, loc: &Loc) -> Result<Place, Box<Diagnostic>> {
        match &loc.kind {
            LocKind::Global(name) => match self.by_name.get(name.as_str()) {
                Some(&index) => Ok(self.globals[index]),
                None => Err(Box::new(self.unknown(name, loc))),
            },
            LocKind::Own(name) => self.owned(process, process, name, loc),
            LocKind::Other(name, k) => {
                // The k-th of the other processes: one's own number is left out.
                let owner = *k as usize + usize::from(*k as usize >= process);
                self.owned(process, owner, name, loc)
            }
            LocKind::Pointer(_) => {
                debug_assert!(false, "the places of a pointer are found before");
                Err(Box::new(self.unknown("[…]", loc)))
            }
        }
    }

    fn owned(
        &self,
        process: usize,
        owner: usize,
        name: &str,
        loc: &Loc,
    ) -> Result<Place, Box<Diagnostic>> {
        let Some(all) = self.own.get(name) else { return Err(Box::new(self.unknown(name, loc))) };
        if let Some(place) = all.get(owner).copied().flatten() {
            return Ok(place);
        }
        let others = self.processes.len() - 1;
        let message = match owner {
            _ if owner == process => format!("the process has no variable {}", shown(name)),
            _ if owner > others => format!("there are only {others} other processes"),
            _ => format!("the process P{owner} has no variable {}", shown(name)),
        };
        let found = Diagnostic::error(codes::NO_SUCH_PROCESS, message, loc.span);
        let found = found.label("there is no such variable");
        Err(Box::new(match owner > others {
            true => found.help("`x[0]` is that of the first other process, `x[my]` the own one"),
            false => {
                found.help(format!("declare it below `data` of that process: `{name} = 0 : [0:1]`"))
            }
        }))
    }

    fn unknown(&self, name: &str, loc: &Loc) -> Diagnostic {
        let is_own = self.own.contains_key(name);
        if is_own || self.by_name.contains_key(name) {
            let (message, help) = match is_own {
                true => ("belongs to each process", format!("write `{name}[my]` or `{name}[0]`")),
                false => ("belongs to the whole program", format!("write `{name}`")),
            };
            let message = format!("the variable {} {message}", shown(name));
            let found = Diagnostic::error(codes::OWN_OR_GLOBAL, message, loc.span);
            return found.label("not like this").help(help);
        }
        let message = format!("unknown variable {}", shown(name));
        let found = Diagnostic::error(codes::UNKNOWN_VARIABLE, message, loc.span).label("unknown");
        let known = self.by_name.keys().chain(self.own.keys()).copied();
        match nearest(name, known) {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None => found.help(format!("declare it below `data`: `{name} = 0 : [0:1]`")),
        }
    }
}

/// The place in memory that a statement is about.
pub(super) fn location(stmt: &Stmt) -> Option<&Loc> {
    match &stmt.kind {
        StmtKind::Load(_, loc) | StmtKind::Await(loc, _) | StmtKind::Cas(loc, _, _) => Some(loc),
        StmtKind::Store(Store { place, .. }) => Some(place),
        _ => None,
    }
}

fn is_numbered(loc: &Loc) -> bool {
    matches!(loc.kind, LocKind::Own(_) | LocKind::Other(..))
}

/// Reads declarations.
struct Reader<'a> {
    asked: Asked,
    found: &'a mut Found,
    unbounded: Vec<Span>,
}

impl Reader<'_> {
    fn globals<'f>(&mut self, names: &mut Names<'f>) {
        let declared = &names.file.data;
        self.twice(declared, "variable");
        for declaration in declared {
            let Some((low, high)) = self.values(declaration) else { continue };
            let var = VarId::from(names.vars.len());
            let name = declaration.name.text.as_str();
            names.vars.push(variable(name, (low, high), None, vec![first(declaration, low)]));
            names.vars[var.index()].span = declaration.span;
            let place = Place { cell: Cell { var, index: None }, low, high };
            names.by_name.insert(name, names.globals.len());
            names.globals.push(place);
            if declaration.init.is_none() {
                names.any.push(place);
            }
        }
    }

    /// The variables of processes: one array per name.
    fn own<'f>(&mut self, names: &mut Names<'f>) {
        let mut arrays: BTreeMap<&'f str, Vec<Option<&'f Declaration>>> = BTreeMap::new();
        let mut order: Vec<&'f str> = Vec::new();
        let file = names.file;
        file.processes.iter().for_each(|p| self.twice(&p.data, "variable"));
        for (number, &group) in names.processes.iter().enumerate() {
            for declaration in &file.processes[group].data {
                let name = declaration.name.text.as_str();
                let array = arrays.entry(name).or_insert_with(|| {
                    order.push(name);
                    vec![None; names.processes.len()]
                });
                array[number] = Some(declaration);
            }
        }
        for name in order {
            self.array(names, name, &arrays[name]);
        }
    }

    fn array<'f>(&mut self, names: &mut Names<'f>, name: &'f str, all: &[Option<&'f Declaration>]) {
        if let (Some(&global), Some(own)) = (names.by_name.get(name), all.iter().flatten().next()) {
            let first = names.file.data[global].name.span;
            let message = format!("the program and a process both have a variable {}", shown(name));
            let found = Diagnostic::error(codes::DECLARED_TWICE, message, own.name.span);
            self.found.errors.push(
                found
                    .label("again")
                    .related(first, "first declared here")
                    .help("rename one of them"),
            );
            return;
        }
        let var = VarId::from(names.vars.len());
        let mut places = Vec::new();
        let (mut inits, mut span) = (Vec::new(), Span::NONE);
        for (number, declaration) in all.iter().enumerate() {
            let index = Some(number as u32);
            let values = declaration.and_then(|d| Some((d, self.values(d)?)));
            places.push(values.map(|(_, (low, high))| Place {
                cell: Cell { var, index },
                low,
                high,
            }));
            inits.push(values.map(|(d, (low, _))| first(d, low)));
            if let Some((declaration, _)) = values {
                span = if span.is_none() { declaration.span } else { span };
                names.any.extend(places[number].filter(|_| declaration.init.is_none()));
            }
        }
        let known: Vec<&Place> = places.iter().flatten().collect();
        let (Some(low), Some(high)) =
            (known.iter().map(|p| p.low).min(), known.iter().map(|p| p.high).max())
        else {
            return;
        };
        let inits = inits.into_iter().map(|init| init.unwrap_or(low)).collect();
        let mut array = variable(name, (low, high), Some(all.len() as u32), inits);
        array.span = span;
        names.vars.push(array);
        names.own.insert(name, places);
    }

    fn registers(&mut self, declared: &[Declaration]) -> Vec<Register> {
        self.twice(declared, "register");
        let mut all = Vec::new();
        for declaration in declared {
            let Some((low, high)) = self.values(declaration) else { continue };
            let init = declaration.init.map(|(value, _)| value);
            let name = declaration.name.text.clone();
            all.push(Register { name, low, high, init, span: declaration.span });
        }
        all
    }

    fn twice(&mut self, declared: &[Declaration], what: &str) {
        for (index, declaration) in declared.iter().enumerate() {
            let name = &declaration.name;
            if let Some(other) = declared[..index].iter().find(|d| d.name.text == name.text) {
                let message = format!("the {what} {} is declared twice", shown(&name.text));
                let found = Diagnostic::error(codes::DECLARED_TWICE, message, name.span);
                self.found
                    .errors
                    .push(found.label("again").related(other.name.span, "first declared here"));
            }
        }
    }

    /// The values of a declaration, after a look at the first one.
    fn values(&mut self, declaration: &Declaration) -> Option<(i64, i64)> {
        let (low, high) = match (declaration.domain, self.asked.integers) {
            (Domain::Range(low, high), _) => (low, high),
            (Domain::Integers(span), Some(bounds)) => {
                if !self.unbounded.contains(&span) {
                    self.unbounded.push(span);
                }
                bounds
            }
            (Domain::Integers(span), None) => {
                let name = &declaration.name.text;
                let message = format!("{} has no bounds", shown(name));
                let found = Diagnostic::error(codes::NO_BOUNDS, message, span);
                self.found.errors.push(found.label("all integers").help(
                    "give it a domain, such as `[0:4]`; or say with `--integers 0..4` what every `Z` stands for",
                ));
                return None;
            }
        };
        match declaration.init {
            Some((init, span)) if !(low..=high).contains(&init) => {
                let message = format!("the initial value {init} is not from {low} to {high}");
                let found = Diagnostic::error(codes::OUTSIDE_DOMAIN, message, span);
                self.found.errors.push(found.label("outside of the domain"));
                None
            }
            None if high - low >= MOST_VALUES => {
                let message =
                    format!("`*` stands for {} values, more than {MOST_VALUES}", high - low + 1);
                let found = Diagnostic::error(codes::MANY_VALUES, message, declaration.span);
                self.found.errors.push(
                    found.label("too many values").help("make the domain smaller, or give a value"),
                );
                None
            }
            _ => Some((low, high)),
        }
    }
}

/// The initial value; of `*`, the smallest one, until another one is chosen.
fn first(declaration: &Declaration, low: i64) -> i64 {
    declaration.init.map_or(low, |(value, _)| value)
}

/// Guards keep every value inside, so that nothing wraps around and nothing faults.
pub(super) fn inside(low: i64, high: i64) -> Type {
    Type { lo: low, hi: high, overflow: Overflow::Wrap }
}

fn variable(name: &str, (low, high): (i64, i64), len: Option<u32>, init: Vec<i64>) -> Variable {
    let ty = inside(low, high);
    Variable { name: name.into(), kind: VarKind::Shared, ty, len, init, span: Span::NONE }
}
