//! Why a command is refused before anything is searched.

use taut::LoadError;
use taut::annotate::Annotations;
use taut::budget::Met;

use super::exit::Exit;
use super::output::{eprint, is_error_styled};

/// Why a command is refused.
pub enum Refused {
    /// A program or a formula is not as it should be.
    Text(Box<LoadError>),
    /// Something else: a file that cannot be read, options that do not go together.
    Message(String),
    /// The budget of the command was spent before there was a program to check.
    Spent(Met),
}

impl Refused {
    /// Shows it to people.
    pub fn show(&self) -> Exit {
        match self {
            Refused::Text(error) => eprint(&(error.render(is_error_styled()) + "\n")),
            Refused::Message(message) => eprint(&format!("error: {message}\n")),
            Refused::Spent(met) => eprint(&format!("unknown: {met}\n")),
        }
        self.exit()
    }

    /// How the command ends.
    pub fn exit(&self) -> Exit {
        match self {
            Refused::Text(_) | Refused::Message(_) => Exit::BadInput,
            Refused::Spent(_) => Exit::Unknown,
        }
    }

    /// What it is to other tools.
    pub fn annotations(&self) -> Annotations {
        match self {
            Refused::Text(error) => Annotations::of_load_error(error),
            Refused::Message(message) => Annotations::of_refusal(message),
            Refused::Spent(met) => Annotations::of_refusal(&format!("unknown: {met}")),
        }
    }
}

impl From<Box<LoadError>> for Refused {
    fn from(error: Box<LoadError>) -> Refused {
        Refused::Text(error)
    }
}
