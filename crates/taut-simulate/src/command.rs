//! Commands, as scripts and the prompts of the terminal give them.
//!
//! A command is a number or a letter, with a number or a text in parentheses where it needs one. Blanks, `;` and
//! line breaks separate commands; `#` starts a comment.
//!
//! ```
//! use taut_simulate::{Command, commands};
//!
//! let all = commands("1 b2 u(x == 1 && (y == 0))  # and so on").unwrap();
//! let condition = "x == 1 && (y == 0)".to_string();
//! assert_eq!(all, [Command::Take(1), Command::Back(2), Command::RunTo(condition)]);
//! assert!(commands("u(x == 1").is_err());
//! ```

use std::fmt;

use taut_source::nearest;

use crate::view::printable;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `3`: takes an action, counted from one.
    Take(usize),
    /// `b`, `b5`: goes back.
    Back(usize),
    /// `f`, `f5`: goes forward again.
    Forward(usize),
    /// `g7`: goes to a row of the history, 0 being the start.
    GoTo(usize),
    /// `r`, `r10`: takes random actions.
    Random(usize),
    /// `u(x == 1)`: runs to a condition.
    RunTo(String),
    /// `s(FILE)`: saves the run.
    Save(String),
    /// `p`: prints the state.
    Print,
    /// `h`: prints the history.
    History,
    /// `?`: prints the commands.
    Help,
    /// `q`: ends.
    Quit,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counted = |letter: char, count: usize| match count {
            1 => write!(f, "{letter}"),
            _ => write!(f, "{letter}{count}"),
        };
        match self {
            Command::Back(count) => counted('b', *count),
            Command::Forward(count) => counted('f', *count),
            Command::Random(count) => counted('r', *count),
            Command::Take(number) => write!(f, "{number}"),
            Command::GoTo(at) => write!(f, "g{at}"),
            Command::RunTo(text) => write!(f, "u({})", printable(text)),
            Command::Save(path) => write!(f, "s({})", printable(path)),
            Command::Print => f.write_str("p"),
            Command::History => f.write_str("h"),
            Command::Help => f.write_str("?"),
            Command::Quit => f.write_str("q"),
        }
    }
}

/// What the commands are, for people.
pub const HELP: &str = "\
N        take action N of the list
b, bN    go back by one action, by N
f, fN    go forward again by one action, by N
gN       go to row N of the history; 0 is the start
r, rN    take one random action, N of them
u(COND)  run to a state of which the condition is true, on a shortest way
s(FILE)  save the run up to here as a trace for `taut replay`
p        print the state
h        print the history
?        print this
q        quit
";

/// The letters of commands.
const LETTERS: &str = "b f g r u s p h ? q";

/// Reads commands. The error is a message for people.
pub fn commands(text: &str) -> Result<Vec<Command>, String> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| !c.is_whitespace() && c != ';') {
        rest = &rest[start..];
        if rest.starts_with('#') {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
            continue;
        }
        let (word, after) = word(rest)?;
        all.push(command(word)?);
        rest = after;
    }
    Ok(all)
}

/// The first word of a text, its parentheses included, and what comes after it.
fn word(text: &str) -> Result<(&str, &str), String> {
    let mut depth = 0usize;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Ok(text.split_at(i + 1)),
            ')' if depth > 1 => depth -= 1,
            c if depth == 0 && (c.is_whitespace() || c == ';') => return Ok(text.split_at(i)),
            _ => {}
        }
    }
    match depth {
        0 => Ok((text, "")),
        _ => Err(format!("`{}` has no closing parenthesis", shown(text))),
    }
}

fn command(word: &str) -> Result<Command, String> {
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return number(word, word).map(Command::Take);
    }
    let letter = word.chars().next().unwrap_or_default();
    let rest = &word[letter.len_utf8()..];
    let count = || if rest.is_empty() { Ok(1) } else { number(word, rest) };
    let argument = |needs: &str| {
        let inner = rest.strip_prefix('(').and_then(|r| r.strip_suffix(')')).map(str::trim);
        let inner = inner.filter(|inner| !inner.is_empty());
        inner.map(String::from).ok_or_else(|| format!("`{letter}` needs {needs} in parentheses"))
    };
    match letter {
        'b' => count().map(Command::Back),
        'f' => count().map(Command::Forward),
        'r' => count().map(Command::Random),
        'g' if rest.is_empty() => Err("`g` needs the number of a row, such as `g0`".into()),
        'g' => number(word, rest).map(Command::GoTo),
        'u' => argument("a condition").map(Command::RunTo),
        's' => argument("the name of a file").map(Command::Save),
        'p' if rest.is_empty() => Ok(Command::Print),
        'h' if rest.is_empty() => Ok(Command::History),
        '?' if rest.is_empty() => Ok(Command::Help),
        'q' if rest.is_empty() => Ok(Command::Quit),
        _ => Err(unknown(word)),
    }
}

fn number(word: &str, digits: &str) -> Result<usize, String> {
    digits.parse().map_err(|_| unknown(word))
}

fn unknown(word: &str) -> String {
    let word = shown(word);
    let meant = ["back", "forward", "random", "until", "save", "print", "history", "quit", "help"];
    match nearest(&word, meant) {
        Some("help") => format!("there is no command `{word}`; `?` lists the commands"),
        Some(meant) => {
            let letter = &meant[..1];
            format!("there is no command `{word}`; {meant} is `{letter}`")
        }
        None => format!("there is no command `{word}`; a command is a number or one of {LETTERS}"),
    }
}

/// The beginning of a text, for messages.
fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = text.chars().take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    printable(&shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_semicolons_and_lines_separate_and_comments_are_skipped() {
        let all = commands("1;2 b # back\n\tr10 f3 g0 p h ? q").expect("commands");
        use Command::*;
        let expected = [
            Take(1),
            Take(2),
            Back(1),
            Random(10),
            Forward(3),
            GoTo(0),
            Print,
            History,
            Help,
            Quit,
        ];
        assert_eq!(all, expected);
        assert_eq!(commands("  # nothing\n ;; "), Ok(vec![]));
    }

    #[test]
    fn texts_in_parentheses_may_hold_parentheses_and_blanks() {
        let all = commands("u((x == 1) && p@cs) s(a b.json)").expect("commands");
        let (condition, file) = ("(x == 1) && p@cs".into(), "a b.json".into());
        assert_eq!(all, [Command::RunTo(condition), Command::Save(file)]);
    }

    #[test]
    fn mistakes_are_said_with_a_hint() {
        let error = |text| commands(text).expect_err("a mistake");
        assert_eq!(error("u(x"), "`u(x` has no closing parenthesis");
        assert_eq!(error("u"), "`u` needs a condition in parentheses");
        assert_eq!(error("s()"), "`s` needs the name of a file in parentheses");
        assert_eq!(error("g"), "`g` needs the number of a row, such as `g0`");
        assert_eq!(error("bakc"), "there is no command `bakc`; back is `b`");
        assert!(error("1x").contains("there is no command `1x`"));
        assert!(error("r99999999999999999999999").contains("there is no command"));
        assert!(error("\u{1b}[2J").contains('\u{fffd}'));
    }
}
