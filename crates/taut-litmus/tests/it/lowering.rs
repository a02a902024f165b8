//! What instructions become: steps, modes, hidden registers, labels, and the property.

use std::fmt::Write;

use taut_ir::{Control, DefId, PropertyKind};
use taut_source::SourceMap;

/// A program as text: variables, then for each process its registers and its steps with their source.
fn describe(text: &str) -> String {
    let mut map = SourceMap::new();
    let file = map.add("test.litmus", text);
    let test = taut_litmus::parse(&map, file)
        .unwrap_or_else(|errors| panic!("{}", taut_source::render_all(&map, &errors, false)));
    let program = &test.program;
    assert_eq!(taut_ir::validate::validate(program), Ok(()));
    let mut out = String::new();
    for v in &program.vars {
        writeln!(out, "{} = {}", v.name, v.init[0]).unwrap();
    }
    for (index, def) in program.defs.iter().enumerate() {
        let registers: Vec<_> =
            def.registers.iter().map(|r| format!("{}={}", r.name, r.init[0])).collect();
        writeln!(out, "{} ({})", def.name, registers.join(", ")).unwrap();
        for step in &def.steps {
            let Control::Goto(target) = step.target else { panic!() };
            let shown = program.show_step(DefId::from(index), step).to_string();
            let source = map.text(step.span);
            writeln!(out, "  {} -> {}: {shown}    <{source}>", step.source.0, target.0).unwrap();
        }
        for (at, location) in def.points.iter().enumerate() {
            if location.end || !location.labels.is_empty() {
                let end = if location.end { " end" } else { "" };
                writeln!(out, "  {at}: {}{end}", location.labels.join(" ")).unwrap();
            }
        }
    }
    let property = &program.properties[0];
    let PropertyKind::Forbid(bad) = &property.kind else { panic!() };
    write!(out, "{}: {}", property.name, program.show_expr(None, bad)).unwrap();
    out
}

fn thread(instructions: &str, question: &str) -> String {
    describe(&format!("X86_64 T\n{{ }}\n P0 ;\n{instructions}\n{question}\n"))
}

#[test]
fn loads_and_stores_are_one_step_each() {
    let text = "X86_64 SB\n{ x=2; 1:rbx=3; }\n P0 | P1 ;\n movq $1,(x) | movq %rbx,(y) ;
        movq (y),%rax | mfence ;\n | movq (x),%rax ;\nexists (0:rax=0 /\\ 1:rax=2)\n";
    insta::assert_snapshot!(describe(text));
}

#[test]
fn unlocked_read_modify_writes_are_a_read_and_a_write() {
    let code =
        "incq (x); subq %rbx,(x); notq (x); xaddq %rax,(x); cmpxchgq (x),%rbx; addq (x),%rax;";
    insta::assert_snapshot!(thread(code, "exists (x=1)"));
}

#[test]
fn locked_instructions_are_locked_steps() {
    let code = "lock incq (x); xchgq %rax,(x); xchgq %rax,%rbx; lock xaddq %rax,(x);
        lock cmpxchgq (x),%rbx; lock negq (x);";
    insta::assert_snapshot!(thread(code, "exists (x=1)"));
}

#[test]
fn fences() {
    insta::assert_snapshot!(thread("mfence; sfence; lfence; nop;", ""));
}

#[test]
fn flags_are_hidden_registers_and_only_those_that_are_read() {
    let code = "L: decq (x); jne L; cmpq $1,%rax; jle M; nop; M:;";
    insta::assert_snapshot!(thread(code, "forall (x=0)"));
}

#[test]
fn flags_that_no_jump_reads_cost_nothing() {
    insta::assert_snapshot!(thread("cmpq $1,(x); addq $1,%rax; jmp E; E: testq %rax,%rax;", ""));
}

#[test]
fn the_property_of_each_quantifier() {
    let mut all = String::new();
    for question in [
        "exists (0:rax=1 \\/ x=2)",
        "~exists (0:rax=1 => x=2)",
        "forall (0:rax=1 /\\ x<>2)",
        "filter (0:rbx=1) exists (x=0:rax)",
        "",
        "exists (false)",
    ] {
        let text = thread("nop;", question);
        all += text.lines().last().unwrap();
        all += "\n";
    }
    insta::assert_snapshot!(all);
}
