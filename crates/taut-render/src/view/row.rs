//! One action of a run.

use taut_ir::{Action, ProcId};
use taut_witness::{Row, Transfer};

use super::names::Names;
use super::part::PartView;
use super::state::StateView;

/// What an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// A step of a process.
    Step,
    /// Two steps at once, on a channel that holds no messages.
    Handshake,
    /// A store that reaches memory.
    Commit,
}

impl ActionKind {
    /// The kind of an action.
    pub fn of(action: Action) -> ActionKind {
        match action {
            Action::Step { .. } => ActionKind::Step,
            Action::Handshake { .. } => ActionKind::Handshake,
            Action::Commit { .. } => ActionKind::Commit,
        }
    }

    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            ActionKind::Step => "step",
            ActionKind::Handshake => "handshake",
            ActionKind::Commit => "commit",
        }
    }
}

/// A message that went through a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageView<'a> {
    /// The name of the channel.
    pub channel: &'a str,
    /// What became of the message.
    pub how: Transfer,
    /// A value for each field.
    pub values: &'a [i64],
}

impl MessageView<'_> {
    /// The word for what became of it: `sent`, `received` or `copied`.
    pub fn how_word(&self) -> &'static str {
        match self.how {
            Transfer::Sent => "sent",
            Transfer::Received => "received",
            Transfer::Copied => "copied",
        }
    }
}

/// A row of a run, between two states.
#[derive(Clone, Copy, Debug)]
pub struct RowView<'a> {
    names: Names<'a>,
    row: &'a Row,
    before: StateView<'a>,
}

impl<'a> RowView<'a> {
    pub(super) fn new(
        names: Names<'a>,
        row: &'a Row,
        before: &'a taut_witness::State,
    ) -> RowView<'a> {
        RowView { names, row, before: names.state(before) }
    }

    /// The row.
    pub fn row(self) -> &'a Row {
        self.row
    }

    /// What its action is.
    pub fn kind(self) -> ActionKind {
        ActionKind::of(self.row.action)
    }

    /// Whether it goes wrong.
    pub fn fails(self) -> bool {
        self.row.failure.is_some()
    }

    /// What happens: the part of the process that moves, sends or whose store commits, then that of a receiver.
    pub fn parts(self) -> impl Iterator<Item = PartView<'a>> {
        self.names.parts(self.row)
    }

    /// The first part.
    pub fn first(self) -> PartView<'a> {
        self.parts().next().expect("an action is of a process")
    }

    /// The part of the receiver in a rendezvous.
    pub fn receiver(self) -> Option<PartView<'a>> {
        self.parts().nth(1)
    }

    /// The part of a process; none if it has none.
    pub fn part(self, process: ProcId) -> Option<PartView<'a>> {
        self.names.part(self.row, process)
    }

    /// The processes that have a part in it.
    pub fn acting(self) -> impl Iterator<Item = ProcId> {
        self.parts().map(|part| part.process())
    }

    /// The message that was sent or received.
    pub fn message(self) -> Option<MessageView<'a>> {
        let message = self.row.record.message.as_ref()?;
        let channel = &self.names.program().channel(message.channel).name;
        Some(MessageView { channel, how: message.how, values: &message.values })
    }

    /// The state before it.
    pub fn before(self) -> StateView<'a> {
        self.before
    }

    /// The state after it.
    pub fn after(self) -> StateView<'a> {
        self.names.state(&self.row.after)
    }
}
