//! What cannot be asked of a program, and why.

use taut::Loaded;
use taut::diag::{Diagnostic, render};

use super::exit::Exit;
use super::output::{eprint, is_error_styled};

/// Why a check is not made.
#[derive(Clone, Debug)]
pub enum Objection {
    /// Options that do not go together.
    Options(String),
    /// Something in the program.
    Program(Box<Diagnostic>),
}

impl Objection {
    /// Shows it.
    pub fn show(&self, loaded: &Loaded) -> Exit {
        match self {
            Objection::Options(trouble) => eprint(&format!("error: {trouble}\n")),
            Objection::Program(diagnostic) => {
                eprint(&render(&loaded.sources, diagnostic, is_error_styled()));
                eprint("\n");
            }
        }
        Exit::BadInput
    }
}
