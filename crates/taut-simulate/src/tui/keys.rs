//! The keys, for the help and the line at the bottom.

/// Keys and what they do.
pub(super) const KEYS: [(&str, &str); 15] = [
    ("↑ ↓  or  k j", "select what happens next"),
    ("Enter", "let it happen"),
    ("1 … 9", "let the action with this number happen"),
    ("←  or  b", "go back by one action"),
    ("→  or  f", "go forward again"),
    ("Home  End", "go to the start, to the end of the history"),
    ("g", "go to a row of the history"),
    ("r", "take a random action"),
    ("R", "take many random actions, up to a violation"),
    ("u", "run to a state of which a condition is true"),
    ("s", "save the run as a trace for taut replay"),
    ("PgUp  PgDn", "scroll the state"),
    ("Esc", "give up a search or a walk, leave a prompt"),
    ("?", "show or hide this"),
    ("q  or  Ctrl-C", "quit"),
];

/// The line at the bottom, the most useful keys first: what does not fit is left out.
pub(super) const LINE: [(&str, &str); 9] = [
    ("↑↓", "select"),
    ("Enter", "do"),
    ("←→", "back/on"),
    ("r", "random"),
    ("u", "run to"),
    ("?", "help"),
    ("q", "quit"),
    ("s", "save"),
    ("g", "go to row"),
];
