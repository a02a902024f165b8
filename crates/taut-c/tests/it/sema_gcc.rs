//! Constants and layouts are those of gcc: random expressions and structures.

use std::fmt::Write;
use std::process::Command;

use taut_c::hir::Constant;
use taut_source::SourceMap;

use crate::sema::analyse;

/// A generator of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.next(from.len() as u64) as usize]
    }

    fn integer_type(&mut self) -> &'static str {
        self.pick(&[
            "char",
            "signed char",
            "unsigned char",
            "short",
            "unsigned short",
            "int",
            "unsigned",
            "long",
            "unsigned long",
            "_Bool",
            "long long",
            "unsigned long long",
        ])
    }

    fn literal(&mut self) -> String {
        let value = match self.next(4) {
            0 => self.next(4),
            1 => self.next(200),
            2 => 0x7fff_fff0 + self.next(32),
            _ => self.next(u64::MAX >> 1),
        };
        match self.next(6) {
            0 => format!("{value}u"),
            1 => format!("{value}l"),
            2 => format!("{value}ul"),
            3 => format!("0x{value:x}"),
            4 => self.pick(&["'a'", "'\\377'", "sizeof(int)", "'\\n'"]).to_string(),
            _ => value.to_string(),
        }
    }

    /// A random constant expression.
    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.literal();
        }
        match self.next(10) {
            0 | 1 => format!("({})({})", self.integer_type(), self.expression(depth - 1)),
            2 => format!("{}({})", self.pick(&["-", "~", "!", "+"]), self.expression(depth - 1)),
            3 => {
                let (c, a, b) = (
                    self.expression(depth - 1),
                    self.expression(depth - 1),
                    self.expression(depth - 1),
                );
                format!("(({c}) ? ({a}) : ({b}))")
            }
            4 => format!(
                "(({}) {} {})",
                self.expression(depth - 1),
                self.pick(&["<<", ">>"]),
                self.next(31)
            ),
            _ => {
                let op = self.pick(&[
                    "+", "-", "*", "/", "%", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&",
                    "||",
                ]);
                format!("(({}) {op} ({}))", self.expression(depth - 1), self.expression(depth - 1))
            }
        }
    }

    /// The members of a random structure.
    fn members(&mut self, depth: u32) -> String {
        let mut out = String::new();
        for i in 0..1 + self.next(5) {
            let ty = self.integer_type();
            let _ = match self.next(9) {
                0 => write!(out, "{ty} m{i}[{}]; ", self.next(4)),
                1 => write!(out, "void *m{i}; "),
                2 => write!(out, "unsigned m{i} : {}; ", 1 + self.next(32)),
                3 => write!(out, "unsigned char m{i} : {}; ", 1 + self.next(8)),
                4 if depth > 0 => {
                    let kind = self.pick(&["struct", "union"]);
                    write!(out, "{kind} {{ {}}} m{i}; ", self.members(depth - 1))
                }
                5 => write!(out, "double m{i}; "),
                _ => write!(out, "{ty} m{i}; "),
            };
        }
        out
    }
}

/// The value of a global that begins with a constant; none if it is none.
fn folded(declaration: &str) -> Option<i64> {
    let unit = analyse(&mut SourceMap::new(), "test.c", declaration).ok()?;
    let global = unit.globals.iter().find(|g| g.name == "x")?;
    match global.init.first() {
        None => Some(0),
        Some((0, Constant::Int(value))) => Some(*value),
        _ => None,
    }
}

/// What gcc computes for each of the declarations of `x`; none without gcc.
fn gcc(declarations: &[String]) -> Option<Vec<i64>> {
    let folder =
        std::env::temp_dir().join(format!("taut-c-{}-{}", std::process::id(), declarations.len()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut text = "#include <stdio.h>\n".to_string();
    for (i, declaration) in declarations.iter().enumerate() {
        let _ = writeln!(
            text,
            "static void f{i}(void) {{ {}; printf(\"%ld\\n\", x); }}",
            declaration.replace("long x", "static long x")
        );
    }
    text += "int main(void) {\n";
    for i in 0..declarations.len() {
        let _ = writeln!(text, "f{i}();");
    }
    text += "return 0; }\n";
    std::fs::write(folder.join("t.c"), text).expect("a file");
    let (source, program) = (folder.join("t.c"), folder.join("t"));
    let compiled =
        Command::new("gcc").args(["-w", "-std=gnu11", "-o"]).arg(&program).arg(&source).output();
    let Ok(compiled) = compiled else {
        taut_testkit::corpus::skipped("constants and layouts of gcc", "no gcc");
        return None;
    };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let out = Command::new(&program).output().expect("the program runs");
    let values = String::from_utf8_lossy(&out.stdout)
        .lines()
        .map(|l| l.parse().expect("a number"))
        .collect();
    let _ = std::fs::remove_dir_all(folder);
    Some(values)
}

/// Compares what is folded here with what gcc computes.
fn compare(declarations: Vec<String>, at_least: usize) {
    let folded: Vec<_> =
        declarations.into_iter().filter_map(|d| folded(&format!("{d};")).map(|v| (d, v))).collect();
    assert!(folded.len() >= at_least, "only {} are constants", folded.len());
    let texts: Vec<_> = folded.iter().map(|(d, _)| d.clone()).collect();
    let Some(values) = gcc(&texts) else { return };
    assert_eq!(values.len(), folded.len());
    for ((declaration, ours), theirs) in folded.iter().zip(values) {
        assert_eq!(*ours, theirs, "{declaration}");
    }
}

#[test]
fn constants_are_those_of_gcc() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let expressions = (0..2000).map(|_| {
        let depth = 1 + random.next(4) as u32;
        format!("long x = {}", random.expression(depth))
    });
    compare(expressions.collect(), 1000);
}

#[test]
fn layouts_are_those_of_gcc() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let layouts = (0..400).flat_map(|i| {
        let kind = random.pick(&["struct", "struct", "union"]);
        let members = format!("{kind} s{i} {{ {}}}", random.members(2));
        let what = match random.next(3) {
            0 => format!("sizeof(struct t{i})"),
            1 => format!("_Alignof(struct t{i})"),
            _ => format!("__builtin_offsetof(struct t{i}, last)"),
        };
        // The member at the end tells where the others ended.
        Some(format!(
            "{members}; struct t{i} {{ char c; {kind} s{i} s; char last; }}; long x = {what}"
        ))
    });
    compare(layouts.collect(), 400);
}
