//! What keys do.

use std::path::Path;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::prompt::{Prompt, Question, Typed};
use crate::quest::{Progress, SearchTo};
use crate::script::{arrived, walked};
use crate::simulator::{Refused, Simulator};
use crate::view::printable;
use crate::walk::Stop;

/// How many states are looked at, and how many random actions taken, between two looks at the keyboard.
const PORTION: usize = 200;
/// How many random actions are suggested.
const MANY: &str = "100";
/// How far a page is.
const PAGE: usize = 5;

/// A simulation and how it is looked at.
pub(super) struct App<'h> {
    pub(super) simulator: Simulator<'h>,
    /// The number of the action that Enter takes.
    pub(super) selected: usize,
    pub(super) prompt: Option<Prompt>,
    /// What is to be said about the last thing that was asked for.
    pub(super) message: Option<Message>,
    pub(super) helps: bool,
    /// How many lines of the state are scrolled away.
    pub(super) scroll: usize,
    /// What goes on while the keyboard is looked at.
    pub(super) task: Option<Task>,
    /// The condition that was run to last: the next prompt begins with it.
    condition: String,
    quits: bool,
}

/// Something that may take long.
pub(super) enum Task {
    Search(Box<SearchTo>),
    /// So many random actions have been taken and are left.
    Walk {
        taken: usize,
        left: usize,
    },
}

impl Task {
    /// How far it is, in words.
    pub(super) fn words(&self) -> String {
        match self {
            Task::Search(quest) => format!("searching: {} states so far", quest.states()),
            Task::Walk { taken, .. } => format!("walking: {taken} actions so far"),
        }
    }
}

/// Something to say.
pub(super) struct Message {
    pub(super) text: String,
    pub(super) is_error: bool,
}

impl<'h> App<'h> {
    pub(super) fn new(simulator: Simulator<'h>) -> App<'h> {
        let mut app = App {
            simulator,
            selected: 0,
            prompt: None,
            message: None,
            helps: false,
            scroll: 0,
            task: None,
            condition: String::new(),
            quits: false,
        };
        app.select();
        app
    }

    pub(super) fn quits(&self) -> bool {
        self.quits
    }

    /// Does what a key says.
    pub(super) fn press(&mut self, key: KeyEvent) {
        if self.task.is_some() {
            return self.press_while_busy(key);
        }
        if let Some(prompt) = &mut self.prompt {
            match prompt.press(key) {
                Typed::More => {}
                Typed::Left => self.prompt = None,
                Typed::Answered => self.answer(),
            }
            return;
        }
        self.message = None;
        if self.helps {
            self.helps = false;
            let closes = matches!(key.code, KeyCode::Esc | KeyCode::Char('?' | 'q'));
            if closes {
                return;
            }
        }
        self.press_plain(key);
    }

    fn press_while_busy(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => {
                self.task = None;
                self.moved(Ok(()));
                self.say("given up");
            }
            KeyCode::Char('c') if control => self.quits = true,
            _ => {}
        }
    }

    fn press_plain(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            self.quits |= key.code == KeyCode::Char('c');
            return;
        }
        let last = self.simulator.choices().len().saturating_sub(1);
        match key.code {
            KeyCode::Char('q') => self.quits = true,
            KeyCode::Char('?') => self.helps = true,
            KeyCode::Up | KeyCode::Char('k') => self.selected = self.selected.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.selected = (self.selected + 1).min(last),
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(PAGE),
            KeyCode::PageDown => self.scroll = self.scroll.saturating_add(PAGE),
            KeyCode::Char('u') => self.ask(Question::RunTo),
            KeyCode::Char('s') => self.ask(Question::Save),
            KeyCode::Char('g') => self.ask(Question::GoTo),
            KeyCode::Char('R') => self.ask(Question::Random),
            code => self.press_to_move(code),
        }
    }

    fn press_to_move(&mut self, code: KeyCode) {
        let simulator = &mut self.simulator;
        let moved = match code {
            KeyCode::Enter => simulator.take(self.selected),
            KeyCode::Char(digit @ '1'..='9') => simulator.take(digit as usize - '1' as usize),
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('b') => simulator.back(1),
            KeyCode::Right | KeyCode::Char('f') => simulator.forward(1),
            KeyCode::Home => simulator.go_to(0),
            KeyCode::End => simulator.go_to(simulator.rows().len()),
            KeyCode::Char('r') => return self.task = Some(Task::Walk { taken: 0, left: 1 }),
            _ => return,
        };
        self.moved(moved);
    }

    fn ask(&mut self, question: Question) {
        let suggested = match question {
            Question::RunTo => self.condition.as_str(),
            Question::Random => MANY,
            Question::Save | Question::GoTo => "",
        };
        self.prompt = Some(Prompt::new(question, suggested));
    }

    /// Does what was asked for.
    fn answer(&mut self) {
        let Some(Prompt { question, answer }) = self.prompt.take() else { return };
        let answer = answer.trim();
        if answer.is_empty() {
            return;
        }
        match question {
            Question::RunTo => {
                self.condition = answer.into();
                match SearchTo::new(&self.simulator, answer) {
                    Ok(quest) => self.task = Some(Task::Search(Box::new(quest))),
                    Err(refused) => self.complain(&refused),
                }
            }
            Question::Save => match self.simulator.save(Path::new(answer)) {
                Ok(()) => {
                    let at = self.simulator.at();
                    self.say(&format!("saved {at} actions to {}", printable(answer)));
                }
                Err(refused) => self.complain(&refused),
            },
            Question::GoTo | Question::Random => match (answer.parse(), question) {
                (Ok(row), Question::GoTo) => {
                    let moved = self.simulator.go_to(row);
                    self.moved(moved);
                }
                (Ok(left), _) => self.task = Some(Task::Walk { taken: 0, left }),
                (Err(_), _) => self.complain(&Refused(format!("`{answer}` is no number"))),
            },
        }
    }

    /// Goes on with what takes long, if anything does; whether it did.
    pub(super) fn work(&mut self) -> bool {
        match self.task.take() {
            None => return false,
            Some(Task::Search(quest)) => self.search(quest),
            Some(Task::Walk { taken, left }) => self.walk(taken, left),
        }
        true
    }

    fn walk(&mut self, taken: usize, left: usize) {
        let mut walk = self.simulator.walk(left.min(PORTION));
        let (taken, left) = (taken + walk.taken, left - walk.taken);
        if walk.stop == Stop::Done && left > 0 {
            self.task = Some(Task::Walk { taken, left });
            return;
        }
        walk.taken = taken;
        let words = walked(self.simulator.program(), &walk);
        self.moved(Ok(()));
        self.say(words.trim_end());
    }

    fn search(&mut self, mut quest: Box<SearchTo>) {
        let progress = match quest.advance(&mut self.simulator, PORTION) {
            Ok(Progress::Searching) => {
                self.task = Some(Task::Search(quest));
                return;
            }
            Ok(progress) => self.simulator.follow(progress),
            Err(refused) => Err(refused),
        };
        match progress {
            Ok(Progress::Found(actions)) if !actions.is_empty() => {
                self.moved(Ok(()));
                self.say(&format!("there after {} actions", actions.len()));
            }
            Ok(progress) => self.say(arrived(&progress).trim_end()),
            Err(refused) => self.moved(Err(refused)),
        }
    }

    /// After a move: what lies ahead, if anything does, is selected.
    fn moved(&mut self, moved: Result<(), Refused>) {
        match moved {
            Ok(()) => self.select(),
            Err(refused) => self.complain(&refused),
        }
    }

    fn select(&mut self) {
        let ahead = self.simulator.rows().get(self.simulator.at()).map(|row| row.action);
        let choices = self.simulator.choices();
        let number = choices.iter().position(|choice| Some(choice.row.action) == ahead);
        self.selected = number.unwrap_or(0);
    }

    fn say(&mut self, text: &str) {
        self.message = Some(Message { text: text.into(), is_error: false });
    }

    fn complain(&mut self, refused: &Refused) {
        self.message = Some(Message { text: printable(&refused.0), is_error: true });
    }
}
