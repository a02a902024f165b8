//! What the tests of this crate share.

use taut_ir::{Control, ProcessDef, Program};
use taut_lang::Options;
use taut_source::{SourceMap, render_all};

/// Parses a text; panics with the rendered messages if it is wrong.
pub fn program(text: &str) -> Program {
    try_program(text).unwrap_or_else(|messages| panic!("{messages}\n--- in\n{text}"))
}

/// Parses a text, or gives the rendered messages.
pub fn try_program(text: &str) -> Result<Program, String> {
    let mut map = SourceMap::new();
    let file = map.add("t.taut", text);
    taut_lang::parse(&map, file, &Options::default()).map_err(|d| render_all(&map, &d, false))
}

/// Formats a text.
pub fn format(text: &str) -> String {
    let mut map = SourceMap::new();
    let file = map.add("t.taut", text);
    taut_lang::format(&map, file).unwrap_or_else(|d| panic!("{}", render_all(&map, &d, false)))
}

/// The steps of a definition, one a line: `source -> target: what`.
pub fn steps(program: &Program, name: &str) -> String {
    let index = program.defs.iter().position(|d| d.name == name).expect("a definition");
    let def = &program.defs[index];
    let id = taut_ir::DefId::from(index);
    let mut lines = Vec::new();
    for step in &def.steps {
        let target = match &step.target {
            Control::Goto(to) => format!("{}", to.0),
            Control::Call { procedure, return_to, .. } => {
                let entry = def.procedures[procedure.index()].entry.0;
                format!("{entry} then {}", return_to.0)
            }
            Control::Return => "return".into(),
            Control::Exit => "exit".into(),
        };
        // What the model does, not how the source says it.
        let step = taut_ir::Step { text: None, ..step.clone() };
        lines.push(format!("{} -> {target}: {}", step.source.0, program.show_step(id, &step)));
    }
    lines.join("\n")
}

/// The program points of a definition that are not plain: `number labels flags`.
pub fn points(def: &ProcessDef) -> Vec<String> {
    let marked = def.points.iter().enumerate().filter(|(_, l)| **l != Default::default());
    marked
        .map(|(i, l)| {
            let end = if l.end { " end" } else { "" };
            let atomic = if l.atomic { " atomic" } else { "" };
            format!("{i}:{}{end}{atomic}", l.labels.join(","))
        })
        .collect()
}
