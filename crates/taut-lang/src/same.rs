//! Comparing programs by what they mean to the model, whatever text they came from.

use taut_diag::Span;
use taut_ir::Program;

/// Whether two programs are equal except for their places in source files.
pub fn same(a: &Program, b: &Program) -> bool {
    without_spans(a) == without_spans(b)
}

/// A program that points into no source file.
pub fn without_spans(program: &Program) -> Program {
    let mut program = program.clone();
    program.vars.iter_mut().for_each(|v| v.span = Span::NONE);
    program.properties.iter_mut().for_each(|p| p.span = Span::NONE);
    for def in &mut program.defs {
        def.span = Span::NONE;
        def.registers.iter_mut().for_each(|r| r.span = Span::NONE);
        def.steps.iter_mut().for_each(|s| s.span = Span::NONE);
    }
    program
}
