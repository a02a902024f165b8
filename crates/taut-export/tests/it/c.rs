//! Programs in C mean what they mean in the model: every operator, every type, every fault; compiled with gcc and
//! run for real, with undefined behaviour made an error.

use std::process::Command;

use taut_ir::{
    BinaryOp, Expr, Lvalue, Overflow, Program, Type, UnaryOp,
    build::{ProcessBuilder, ProgramBuilder},
};

/// What a run of a program in C does.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Nothing,
    Error(String),
}

/// Compiles a program and runs it so many times with different choices.
fn run(name: &str, program: &Program, runs: u32) -> Said {
    let text = taut_export::c(program).expect("there is C for it");
    let base = std::env::temp_dir().join(format!("taut-export-{}-{name}", std::process::id()));
    let source = base.with_extension("c");
    std::fs::write(&source, text).expect("a file");
    let gcc = Command::new("gcc")
        .args(["-std=gnu11", "-O0", "-pthread", "-Wall", "-Wextra", "-Werror"])
        .args(["-Wno-unused-function", "-Wno-unused-label", "-Wno-unused-variable"])
        .args(["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"])
        .arg("-o")
        .args([&base, &source])
        .output()
        .expect("gcc is there");
    assert!(gcc.status.success(), "{}", String::from_utf8_lossy(&gcc.stderr));
    let run = Command::new(&base).arg(runs.to_string()).output().expect("it runs");
    let _ = std::fs::remove_file(&source);
    let _ = std::fs::remove_file(&base);
    match run.status.code() {
        Some(0) => Said::Nothing,
        Some(1) => Said::Error(String::from_utf8_lossy(&run.stderr).trim().into()),
        _ => panic!("{name} crashed: {}", String::from_utf8_lossy(&run.stderr)),
    }
}

const VALUES: [i64; 9] = [0, 1, -1, 5, -7, 63, 64, i64::MAX, i64::MIN];

/// A process that asserts what it is given about its registers `a` and `b`.
fn process(b: &mut ProgramBuilder, fill: impl FnOnce(&mut ProcessBuilder<'_>, Expr, Expr)) {
    let mut p = b.process("p");
    let [x, y] = ["a", "b"].map(|name| p.register(name, Type::INT64, 0));
    fill(&mut p, x.into(), y.into());
    p.finish();
}

#[test]
fn operators_mean_the_same() {
    let mut b = ProgramBuilder::new("operators */ \"quoted\"");
    process(&mut b, |p, x, y| {
        let registers = [taut_ir::RegId(0), taut_ir::RegId(1)];
        for (i, &v) in VALUES.iter().enumerate() {
            for (j, &w) in VALUES.iter().enumerate() {
                p.set(registers[0], v).set(registers[1], w);
                for op in BinaryOp::ALL {
                    let Ok(value) = op.apply(v, w) else { continue };
                    let term = Expr::Binary(op, Box::new(x.clone()), Box::new(y.clone()));
                    p.assert(&format!("{op:?} {i} {j}"), term.equals(value.into()));
                }
            }
            for op in UnaryOp::ALL {
                let term = Expr::Unary(op, Box::new(x.clone()));
                p.assert(&format!("{op:?} {i}"), term.equals(op.apply(v).into()));
            }
        }
    });
    assert_eq!(run("operators", &b.build().expect("valid"), 1), Said::Nothing);
}

#[test]
fn types_hold_the_same() {
    let byte = Type { lo: 0, hi: 255, overflow: Overflow::Wrap };
    let odd = Type { lo: -3, hi: 7, overflow: Overflow::Wrap };
    let types = [byte, odd, Type::INT, Type::INT64];
    let mut b = ProgramBuilder::new("types");
    let vars = [0, 1, 2, 3].map(|i| b.shared(&format!("int{i}"), types[i], 0));
    process(&mut b, |p, x, _| {
        for (i, &v) in VALUES.iter().enumerate() {
            p.set(taut_ir::RegId(0), v);
            for (j, &var) in vars.iter().enumerate() {
                let value = types[j].fit(v).expect("it wraps");
                p.store(var, x.clone());
                p.assert(&format!("{i} {j}"), Expr::from(var).equals(value.into()));
            }
        }
    });
    assert_eq!(run("types", &b.build().expect("valid"), 1), Said::Nothing);
}

#[test]
fn what_is_wrong_is_found() {
    let wrong = |name: &str, effect: &dyn Fn(&mut ProcessBuilder<'_>, Expr, Expr)| {
        let mut b = ProgramBuilder::new(name);
        let small = b.shared("small", Type::range(0, 3), 0);
        assert_eq!(small, taut_ir::VarId(0));
        b.shared_array("array", Type::INT, vec![0, 0]);
        process(&mut b, |p, x, y| effect(p, x, y));
        run(name, &b.build().expect("valid"), 1)
    };
    let fault = Said::Error("a step goes wrong".into());
    let term = |op, x: Expr, y: Expr| Expr::Binary(op, Box::new(x), Box::new(y));
    for op in [BinaryOp::Div, BinaryOp::Rem] {
        let divide = |p: &mut ProcessBuilder<'_>, x: Expr, y: Expr| {
            p.set(taut_ir::RegId(0), term(op, x, y));
        };
        assert_eq!(wrong("division", &divide), fault);
    }
    let range = |p: &mut ProcessBuilder<'_>, x: Expr, _: Expr| {
        p.store(taut_ir::VarId(0), term(BinaryOp::Sub, x, 1.into()));
    };
    assert_eq!(wrong("range", &range), fault);
    let index = |p: &mut ProcessBuilder<'_>, x: Expr, _: Expr| {
        let at = term(BinaryOp::Add, x, 2.into());
        let effect = taut_ir::Effect::assign(Lvalue::VarElem(taut_ir::VarId(1), at), 1);
        p.step(Expr::TRUE, taut_ir::Mode::Plain, vec![effect]);
    };
    assert_eq!(wrong("index", &index), fault);
    let asserts = |p: &mut ProcessBuilder<'_>, x: Expr, _: Expr| {
        p.assert("x is 1", x.equals(1.into()));
    };
    assert_eq!(wrong("assert", &asserts), Said::Error("assertion x is 1 fails".into()));
}

/// Who waits lets others go on; a run in which everybody waits ends without an error.
#[test]
fn waiting_and_properties_of_states() {
    let build = |allowed: i64| {
        let mut b = ProgramBuilder::new("waiting");
        let x = b.shared("x", Type::INT, 0);
        let mut p = b.process("p");
        p.assume(Expr::from(x).equals(1.into())).store(x, 2);
        p.finish();
        let mut q = b.process("q");
        q.store(x, 1).assume(Expr::from(x).equals(3.into()));
        q.finish();
        b.invariant("small", Expr::binary(BinaryOp::Le, x.into(), allowed.into()));
        b.build().expect("valid")
    };
    assert_eq!(run("waiting", &build(2), 20), Said::Nothing);
    let violated = Said::Error("invariant small is violated".into());
    assert_eq!(run("invariant", &build(1), 20), violated);
}

#[test]
fn what_has_no_c_is_refused() {
    let mut b = ProgramBuilder::new("holds");
    let mut p = b.process("p");
    p.step(Expr::TRUE, taut_ir::Mode::Plain, vec![]);
    p.finish();
    let mut program = b.build().expect("valid");
    assert!(taut_export::c(&program).is_ok());
    program.defs[0].steps[0].holds = true;
    let said = taut_export::c(&program).expect_err("refused").to_string();
    assert_eq!(said, "there is no C for steps after which a process holds the others");
}
