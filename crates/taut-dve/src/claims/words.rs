//! The words of a formula.
//!
//! DiVinE writes operators as capital letters that need no blanks around them: `GFp0cs` is `G F p0cs`,
//! because propositions have no capital letters there. DVE expressions, which may stand in a formula too,
//! have them: `P_0.CS`. So a word that is a name stays whole; otherwise it is taken apart, from the left, and
//! what is left of it may be a name: `FP_0.CS`. A letter alone is an operator, unless what follows can follow
//! a name only, as in `X == 1`.

use std::ops::Range;

use taut_ltl::{Infix, Prefix};
use taut_source::{Diagnostic, FileId, Span, nearest};

use super::codes;
use super::lines::is_word;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or number.
    Word,
    /// A text in double quotes.
    Quoted,
    /// An operator before a formula.
    Prefix(Prefix),
    /// An operator between formulas.
    Infix(Infix),
    /// `+`, `*` or `^`: an operator of formulas, or of expressions if they stand in one.
    Either(Infix),
    /// `==` or another operator that expressions only have.
    Sign,
    /// `.` or `->` between a process and what is its own.
    Joint,
    Open,
    Close,
    OpenIndex,
    CloseIndex,
    End,
}

impl Kind {
    /// Whether the word is an operator of formulas and of nothing else.
    pub(super) fn is_operator(self) -> bool {
        matches!(self, Kind::Prefix(_) | Kind::Infix(_))
    }

    /// Whether the word is an operator that conditions cannot contain.
    pub(super) fn is_temporal(self) -> bool {
        match self {
            Kind::Prefix(operator) => operator.is_temporal(),
            Kind::Infix(operator) => operator.is_temporal(),
            _ => false,
        }
    }
}

/// A word and where it stands in its file.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub kind: Kind,
    pub at: Range<usize>,
}

/// What names there are.
pub(super) trait Known {
    /// Whether a name means something: a proposition, a variable, a process.
    fn is_known(&self, name: &str) -> bool;
    /// Whether a name is a process.
    fn is_process(&self, name: &str) -> bool;
    /// All names that mean something.
    fn names(&self) -> Vec<&str>;
}

/// Signs, longest first where one begins another.
const SIGNS: &[(&str, Kind)] = &[
    ("<->", Kind::Infix(Infix::Iff)),
    ("->", Kind::Infix(Infix::Implies)),
    ("<>", Kind::Prefix(Prefix::Eventually)),
    ("[]", Kind::Prefix(Prefix::Always)),
    ("&&", Kind::Infix(Infix::And)),
    ("||", Kind::Infix(Infix::Or)),
    ("==", Kind::Sign),
    ("!=", Kind::Sign),
    ("<=", Kind::Sign),
    (">=", Kind::Sign),
    ("<<", Kind::Sign),
    (">>", Kind::Sign),
    ("<", Kind::Sign),
    (">", Kind::Sign),
    ("-", Kind::Sign),
    ("/", Kind::Sign),
    ("%", Kind::Sign),
    ("&", Kind::Sign),
    ("|", Kind::Sign),
    ("~", Kind::Sign),
    ("+", Kind::Either(Infix::Or)),
    ("*", Kind::Either(Infix::And)),
    ("^", Kind::Either(Infix::Xor)),
    ("!", Kind::Prefix(Prefix::Not)),
    ("(", Kind::Open),
    (")", Kind::Close),
    ("[", Kind::OpenIndex),
    ("]", Kind::CloseIndex),
    (".", Kind::Joint),
];

/// Signs of other languages, with what is written here.
const STRANGERS: &[(&str, &str)] = &[
    ("<=>", "equivalence is written `<->`"),
    ("=>", "implication is written `->`"),
    ("/\\", "conjunction is written `&&`"),
    ("\\/", "disjunction is written `||`"),
    ("@", "a location is written `P.s`"),
    (":", "a variable of a process is written `P->v`"),
];

/// The words of a part of a file; the last one is [`Kind::End`].
pub(super) fn words(
    text: &str,
    range: Range<usize>,
    file: FileId,
    known: &dyn Known,
) -> Result<Vec<Word>, Box<Diagnostic>> {
    let mut reader = Words { text, file, known, end: range.end, at: range.start, words: vec![] };
    while reader.skip_blanks() {
        reader.next()?;
    }
    reader.words.push(Word { kind: Kind::End, at: range.end..range.end });
    Ok(reader.words)
}

struct Words<'t> {
    text: &'t str,
    file: FileId,
    known: &'t dyn Known,
    /// Where to stop.
    end: usize,
    at: usize,
    words: Vec<Word>,
}

impl<'t> Words<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    /// Skips blanks, and `\` at the end of a line; whether something is left.
    fn skip_blanks(&mut self) -> bool {
        loop {
            let rest = self.rest().trim_start();
            self.at = self.end - rest.len();
            let joined = rest.strip_prefix("\\\n").or_else(|| rest.strip_prefix("\\\r\n"));
            match joined {
                Some(after) => self.at = self.end - after.len(),
                None => return !rest.is_empty(),
            }
        }
    }

    fn push(&mut self, kind: Kind, length: usize) {
        self.words.push(Word { kind, at: self.at..self.at + length });
        self.at += length;
    }

    fn error(&self, length: usize, message: impl Into<String>) -> Box<Diagnostic> {
        let span = Span::new(self.file, self.at..self.at + length);
        Box::new(Diagnostic::error(codes::BAD_FORMULA, message, span).label("here"))
    }

    fn next(&mut self) -> Result<(), Box<Diagnostic>> {
        let rest = self.rest();
        if rest.starts_with(is_word) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            return self.word(&rest[..length]);
        }
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some(length) = quoted.find('"') else {
                return Err(self.error(1, "this quotation mark is not closed"));
            };
            self.push(Kind::Quoted, length + 2);
            return Ok(());
        }
        if let Some((sign, help)) = STRANGERS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            let message = format!("`{sign}` is not an operator of formulas");
            return Err(Box::new(self.error(sign.len(), message).help(*help)));
        }
        if let Some((sign, kind)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            let arrow = *kind == Kind::Infix(Infix::Implies) && self.after_process();
            self.push(if arrow { Kind::Joint } else { *kind }, sign.len());
            return Ok(());
        }
        let strange = rest.chars().next().unwrap_or(' ');
        let found = self.error(strange.len_utf8(), unexpected(strange));
        Err(if strange == '=' { Box::new(found.help("write `==` to compare")) } else { found })
    }

    /// Whether the last word is a process on its own. A process is no condition, so that `P->` can only
    /// go on with a variable of it.
    fn after_process(&self) -> bool {
        let joined = self.words.iter().rev().nth(1).is_some_and(|w| w.kind == Kind::Joint);
        let last = self.words.last().filter(|w| w.kind == Kind::Word && !joined);
        last.is_some_and(|w| self.known.is_process(&self.text[w.at.clone()]))
    }

    fn word(&mut self, word: &'t str) -> Result<(), Box<Diagnostic>> {
        let joined = self.words.last().is_some_and(|w| w.kind == Kind::Joint);
        let kind = match word {
            _ if joined => Kind::Word,
            "and" => Kind::Infix(Infix::And),
            "or" => Kind::Infix(Infix::Or),
            "not" => Kind::Prefix(Prefix::Not),
            "imply" => Kind::Infix(Infix::Implies),
            "true" | "false" => Kind::Word,
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => Kind::Word,
            _ => return self.name(word),
        };
        self.push(kind, word.len());
        Ok(())
    }

    /// A name, an operator, or operators and propositions without blanks between them.
    fn name(&mut self, word: &'t str) -> Result<(), Box<Diagnostic>> {
        let is_letter = word.len() == 1 && operator(word).is_some();
        let whole = self.known.is_known(word) && (!is_letter || self.names_follow(word.len()));
        if whole {
            self.push(Kind::Word, word.len());
            return Ok(());
        }
        let Some(pieces) = apart(word, self.known) else {
            return Err(self.unknown(word, word.len()));
        };
        for (kind, length) in pieces {
            let piece = &self.rest()[..length];
            let means = piece == "true" || piece == "false" || self.known.is_known(piece);
            if kind == Kind::Word && !means {
                return Err(self.unknown(word, length));
            }
            self.push(kind, length);
        }
        Ok(())
    }

    /// Whether what follows can follow a name, but not an operator.
    fn names_follow(&self, length: usize) -> bool {
        let rest = self.rest()[length..].trim_start();
        let compares = ["==", "!=", "<", ">", "->", "."].iter().any(|sign| rest.starts_with(sign));
        (compares && !rest.starts_with("<>")) || (rest.starts_with('[') && !rest.starts_with("[]"))
    }

    /// That a name, or the piece of a word that begins here, means nothing.
    fn unknown(&self, word: &str, length: usize) -> Box<Diagnostic> {
        let names = self.known.names();
        let piece = &self.rest()[..length];
        let (name, meant) = match nearest(word, names.iter().copied()) {
            Some(meant) => (word, Some(meant)),
            None => (piece, nearest(piece, names.iter().copied())),
        };
        // The word ends where its last piece does, wherever this one is.
        let end = self.at + self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
        let at = if name == word { end - word.len()..end } else { self.at..self.at + length };
        let message =
            format!("`{name}` is no proposition, and no variable or process of the model");
        let span = Span::new(self.file, at);
        let found = Diagnostic::error(codes::UNKNOWN_PROPOSITION, message, span);
        Box::new(match meant {
            Some(meant) => found.label("unknown").help(format!("did you mean `{meant}`?")),
            None => {
                let help = "write `#define name e` before it, or the condition itself";
                found.label("unknown").help(help)
            }
        })
    }
}

fn unexpected(strange: char) -> String {
    format!("unexpected character `{}`", strange.escape_debug())
}

/// The operator that a letter is: those of the literature, but for `M`, and `O` for `X`.
fn operator(letter: &str) -> Option<Kind> {
    let prefix = if letter == "O" { Some(Prefix::Next) } else { Prefix::of_word(letter) };
    let infix = Infix::of_word(letter).filter(|op| *op != Infix::StrongRelease);
    prefix.map(Kind::Prefix).or(infix.map(Kind::Infix))
}

/// A word as DiVinE reads it: capital letters are operators, all else propositions; but what is left of it
/// may be a name with capital letters. `None` if a capital letter is neither.
fn apart(word: &str, known: &dyn Known) -> Option<Vec<(Kind, usize)>> {
    let mut pieces: Vec<(Kind, usize)> = Vec::new();
    for (at, byte) in word.bytes().enumerate() {
        let after_operator = pieces.last().is_some_and(|(kind, _)| kind.is_operator());
        if after_operator && known.is_known(&word[at..]) {
            pieces.push((Kind::Word, word.len() - at));
            break;
        }
        if byte.is_ascii_uppercase() {
            pieces.push((operator(&word[at..=at])?, 1));
            continue;
        }
        match pieces.last_mut() {
            Some((Kind::Word, length)) => *length += 1,
            _ => pieces.push((Kind::Word, 1)),
        }
    }
    Some(pieces)
}
