//! Macros that every program finds: those of gcc on x86-64 Linux that programs ask for, and `__TAUT__`.

use super::{Options, Preprocessor};

/// One definition per line, as after `#define`.
const PREDEFINED: &str = include_str!("../../headers/predefined.txt");

impl Preprocessor<'_> {
    /// Defines the macros that are always there, and those from outside.
    pub(super) fn predefine(&mut self, options: &Options) {
        let lines = PREDEFINED.lines().filter(|line| !line.is_empty() && !line.starts_with("//"));
        let lines: Vec<String> = lines.map(|line| format!("#define {line}\n")).collect();
        let file = self.sources.add("<predefined>", lines.concat());
        self.built_in.push(file);
        self.file(file);
        for text in &options.defines {
            self.define_from_outside(text);
        }
        for name in &options.undefines {
            let name = self.interner.get(name);
            if let Some(slot) = self.macros.get_mut(name.index()) {
                *slot = None;
            }
        }
    }

    /// Takes over a definition from the command line: `NAME` or `NAME=VALUE`.
    fn define_from_outside(&mut self, text: &str) {
        match text.split_once('=') {
            Some((name, value)) => self.define_text(&format!("{name} {value}")),
            None => self.define_text(&format!("{text} 1")),
        }
    }

    /// Defines a macro: `line` is what would follow `#define`.
    pub(super) fn define_text(&mut self, line: &str) {
        let tokens = self.own_text("<command line>", line);
        let span = tokens.first().map(|token| token.span);
        self.define(span.unwrap_or(taut_source::Span::NONE), &tokens);
    }
}
