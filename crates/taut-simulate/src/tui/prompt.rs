//! A question at the bottom of the screen, and the answer that is being typed.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    RunTo,
    Save,
    GoTo,
    Random,
}

impl Question {
    /// The words in front of the answer.
    pub(super) fn words(self) -> &'static str {
        match self {
            Question::RunTo => "run to a state where: ",
            Question::Save => "save the run to the file: ",
            Question::GoTo => "go to row (0 is the start): ",
            Question::Random => "how many random actions: ",
        }
    }
}

/// A question and its answer so far.
#[derive(Clone, Debug)]
pub(super) struct Prompt {
    pub(super) question: Question,
    pub(super) answer: String,
}

/// What a key makes of a prompt.
pub(super) enum Typed {
    More,
    Answered,
    Left,
}

/// No answer is longer: a condition or a path.
const LONGEST: usize = 1000;

impl Prompt {
    pub(super) fn new(question: Question, answer: &str) -> Prompt {
        Prompt { question, answer: answer.into() }
    }

    pub(super) fn press(&mut self, key: KeyEvent) -> Typed {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter => return Typed::Answered,
            KeyCode::Esc => return Typed::Left,
            KeyCode::Char('c') if control => return Typed::Left,
            KeyCode::Char('u') if control => self.answer.clear(),
            KeyCode::Char(c) if !control && self.answer.len() < LONGEST => self.answer.push(c),
            KeyCode::Backspace => {
                self.answer.pop();
            }
            _ => {}
        }
        Typed::More
    }
}
