//! The tree back as Promela that SPIN accepts.
//!
//! What was read, printed and read again is the same tree. Macros are gone (their expansion is printed);
//! inlines stay inlines. Operations of the dialects and `ghost` are printed as they are: for SPIN they need the
//! header that defines them.

mod expr;
mod stmt;

use crate::ast::*;

/// Writes a tree with indentation.
pub(crate) struct Printer {
    pub(super) out: String,
    pub(super) indent: usize,
}

/// A statement as Promela, on one line if it is a plain one.
pub(crate) fn statement(statement: &Statement) -> String {
    let mut printer = Printer { out: String::new(), indent: 0 };
    printer.statement(statement);
    printer.out
}

/// A reference as Promela.
pub(crate) fn reference(reference: &Reference) -> String {
    let mut printer = Printer { out: String::new(), indent: 0 };
    printer.reference(reference);
    printer.out
}

/// An expression as Promela.
pub(crate) fn expression(expr: &Expr) -> String {
    let mut printer = Printer { out: String::new(), indent: 0 };
    printer.expr(expr);
    printer.out
}

/// A model as Promela.
pub fn print(model: &Model) -> String {
    let mut printer = Printer { out: String::new(), indent: 0 };
    for (index, item) in model.items.iter().enumerate() {
        if index > 0 && !(is_line(item) && is_line(&model.items[index - 1])) {
            printer.out.push('\n');
        }
        printer.item(item);
    }
    printer.out
}

/// Whether a part of a model is printed on one line.
fn is_line(item: &Item) -> bool {
    matches!(item, Item::Variables(_) | Item::Mtype(_) | Item::Ltl(_))
}

impl Printer {
    /// Adds text.
    pub(super) fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Begins a line.
    pub(super) fn line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n('\t', self.indent));
    }

    /// Adds parts with a separator between them.
    pub(super) fn list<T>(&mut self, parts: &[T], separator: &str, one: fn(&mut Self, &T)) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.put(separator);
            }
            one(self, part);
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Proctype(proctype) => self.proctype(proctype),
            Item::Init(init) => {
                self.put("init");
                self.priority(init.priority);
                self.body(&init.body);
            }
            Item::Never(never) => {
                self.put("never");
                self.name(never.name.as_ref());
                self.body(&never.body);
            }
            Item::Trace(trace) => {
                self.put(trace.word());
                self.body(&trace.body);
            }
            Item::Ltl(ltl) => {
                self.put("ltl");
                self.name(ltl.name.as_ref());
                self.put(" { ");
                self.formula(&ltl.formula);
                self.put(" }");
            }
            Item::Typedef(typedef) => self.typedef(typedef),
            Item::Variables(variables) => {
                self.variables(variables);
                self.put(";");
            }
            Item::Mtype(mtype) => {
                self.put("mtype");
                if let Some(set) = &mtype.set {
                    self.put(":");
                    self.put(&set.text);
                }
                self.put(" = { ");
                self.list(&mtype.names, ", ", |p, name| p.put(&name.text));
                self.put(" };");
            }
            Item::Inline(inline) => {
                self.put(&format!("inline {}(", inline.name.text));
                self.list(&inline.parameters, ", ", |p, name| p.put(&name.text));
                self.put(") ");
                self.put(&inline.body);
            }
        }
        self.put("\n");
    }

    fn name(&mut self, name: Option<&Name>) {
        if let Some(name) = name {
            self.put(" ");
            self.put(&name.text);
        }
    }

    pub(super) fn priority(&mut self, priority: Option<i32>) {
        if let Some(priority) = priority {
            self.put(&format!(" priority {priority}"));
        }
    }

    fn proctype(&mut self, proctype: &Proctype) {
        if let Some(count) = &proctype.active {
            self.put("active ");
            match count {
                Active::One => {}
                Active::Any => self.put("[*] "),
                Active::Number(count) => {
                    self.put("[");
                    self.expr(count);
                    self.put("] ");
                }
            }
        }
        self.put(if proctype.deterministic { "D_proctype " } else { "proctype " });
        self.put(&proctype.name.text);
        self.put("(");
        self.list(&proctype.parameters, "; ", Printer::variables);
        self.put(")");
        self.priority(proctype.priority);
        if let Some(condition) = &proctype.provided {
            self.put(" provided (");
            self.expr(condition);
            self.put(")");
        }
        self.body(&proctype.body);
    }

    fn body(&mut self, body: &Sequence) {
        self.put(" ");
        self.braces(body);
    }

    fn typedef(&mut self, typedef: &Typedef) {
        self.put(&format!("typedef {} {{", typedef.name.text));
        self.indent += 1;
        for field in &typedef.fields {
            self.line();
            self.variables(field);
            self.put(";");
        }
        self.indent -= 1;
        self.line();
        self.put("}");
    }

    /// A declaration, without what ends it.
    pub(super) fn variables(&mut self, variables: &Variables) {
        if variables.ghost {
            self.put("ghost ");
        }
        self.put(match variables.visibility {
            Some(Visibility::Hidden) => "hidden ",
            Some(Visibility::Show) => "show ",
            Some(Visibility::Local) => "local ",
            None => "",
        });
        self.ty(&variables.ty);
        self.put(" ");
        self.list(&variables.list, ", ", Printer::declarator);
    }

    fn ty(&mut self, ty: &Type) {
        self.put(match ty {
            Type::Bit => "bit",
            Type::Bool => "bool",
            Type::Byte => "byte",
            Type::Pid => "pid",
            Type::Short => "short",
            Type::Int => "int",
            Type::Unsigned => "unsigned",
            Type::Mtype(_) => "mtype",
            Type::Chan => "chan",
            Type::User(name) => &name.text,
        });
        if let Type::Mtype(Some(set)) = ty {
            self.put(":");
            self.put(&set.text);
        }
    }

    fn declarator(&mut self, declarator: &Declarator) {
        self.put(&declarator.name.text);
        if let Some(width) = declarator.width {
            self.put(&format!(" : {width}"));
        }
        if let Some(size) = &declarator.size {
            self.put("[");
            self.expr(size);
            self.put("]");
        }
        let Some(initial) = &declarator.initial else { return };
        self.put(" = ");
        match initial {
            Initial::Value(value) => self.expr(value),
            Initial::List(values) => {
                self.put("{ ");
                self.list(values, ", ", Printer::expr);
                self.put(" }");
            }
            Initial::Channel { capacity, fields, .. } => {
                self.put("[");
                self.expr(capacity);
                self.put("] of { ");
                self.list(fields, ", ", Printer::ty);
                self.put(" }");
            }
        }
    }
}
