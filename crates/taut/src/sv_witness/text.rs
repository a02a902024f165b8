//! Statements, loops and global variables of a C text.
//!
//! A witness names statements by the places where they begin. A program has steps, which begin anywhere in a statement, and
//! not every statement has steps in every place where the front end has made code of it. So the text is read once more,
//! just far enough to know where statements begin and end.
//!
//! **Where executions stop.** Suppose that whatever is executed of a statement begins with an access to shared memory. Then each
//! execution of the statement stops, before that access, at a program point whose step lies in the statement, and what
//! holds at those program points holds where the statement begins. This is so if no function of the program is
//! called in the statement ([`CALLS`] are the functions without steps elsewhere, and macros could hide others), and
//! if an access comes before the first `&&`, `||` or `?`, behind which nothing may be executed. Statements that are not known to be
//! like this have no invariant. A loop has one if that is true of its condition.

use std::collections::BTreeSet;

/// A statement without the statements inside of it: of `if`, `while` and `for` the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) start: usize,
    end: usize,
    pub(super) function: String,
    pub(super) is_loop: bool,
    /// Whether every execution stops in it.
    pub(super) is_stop: bool,
}

/// What is known of a C text.
#[derive(Debug, Default)]
pub(super) struct CText {
    /// In the order of the text.
    statements: Vec<Statement>,
    /// The global variables that are numbers, and those that are arrays of numbers.
    pub(super) numbers: BTreeSet<String>,
    pub(super) arrays: BTreeSet<String>,
}

/// A word, a number or a punctuation mark.
#[derive(Clone, Copy, Debug)]
struct Token<'t> {
    at: usize,
    text: &'t str,
}

/// The beginnings of names of functions, and the words, that may stand before a parenthesis in a statement where executions stop.
const CALLS: [&str; 9] =
    ["atomic_", "__atomic_", "__sync_", "assert", "if", "while", "for", "switch", "return"];

/// The words of a declaration of a number.
const NUMBERS: [&str; 15] = [
    "static",
    "extern",
    "volatile",
    "const",
    "_Atomic",
    "int",
    "unsigned",
    "signed",
    "char",
    "short",
    "long",
    "bool",
    "_Bool",
    "size_t",
    "_Thread_local",
];

impl CText {
    pub(super) fn of(source: &str) -> CText {
        let tokens = tokens(source);
        let text = CText::default();
        let macros = macros(source);
        let mut reader = TextReader { tokens: &tokens, at: 0, text, function: "", macros };
        reader.file();
        let mut text = reader.text;
        let includes = |line: &str| line.trim_start().starts_with("#include \"");
        if source.lines().any(includes) || source.contains("__VERIFIER_atomic") {
            // A header of the program may have any macros. The accesses of an indivisible section are one step.
            text.statements.iter_mut().for_each(|statement| statement.is_stop = false);
        }
        text.statements.sort_by_key(|statement| statement.start);
        text
    }

    /// The statement that an offset lies in.
    pub(super) fn statement_at(&self, offset: usize) -> Option<&Statement> {
        let after = self.statements.partition_point(|statement| statement.start <= offset);
        let last = self.statements.get(after.checked_sub(1)?)?;
        (offset < last.end).then_some(last)
    }
}

struct TextReader<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    text: CText,
    function: &'t str,
    /// The macros that may hide a call or a choice.
    macros: BTreeSet<&'t str>,
}

impl<'t> TextReader<'t> {
    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    /// The position after the bracket that closes the one at a position.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        self.tokens.len()
    }

    /// Declarations and functions.
    fn file(&mut self) {
        while self.at < self.tokens.len() {
            taut_budget::tick();
            let start = self.at;
            let mut open = None;
            while self.at < self.tokens.len() {
                match self.word(self.at) {
                    ";" => break,
                    "{" if self.at > start && self.word(self.at - 1) == ")" => break,
                    "(" => {
                        open = Some(self.at);
                        self.at = self.closing(self.at);
                    }
                    "{" | "[" => self.at = self.closing(self.at),
                    _ => self.at += 1,
                }
            }
            if self.word(self.at) == "{" {
                self.function =
                    open.and_then(|open| open.checked_sub(1)).map_or("", |n| self.word(n));
                self.statement();
            } else {
                self.declaration(start, self.at);
                self.at += 1;
            }
        }
    }

    /// Notes the variables of a declaration of numbers.
    fn declaration(&mut self, start: usize, end: usize) {
        let all: Vec<&str> = (start..end).map(|at| self.word(at)).collect();
        let is_type =
            |word: &&&str| NUMBERS.contains(*word) || word.starts_with("atomic_") || is_sized(word);
        let mut words = all.as_slice();
        let mut types = 0;
        loop {
            match words {
                ["_Atomic", "(", inner, ")", rest @ ..] if is_type(&inner) => words = rest,
                [word, rest @ ..] if is_type(&word) => words = rest,
                _ => break,
            }
            types += 1;
        }
        // Two words one after the other: the type is another one.
        let is_other = matches!(words, [a, b, ..] if is_word(a) && is_word(b));
        if types == 0 || is_other {
            return;
        }
        let mut depth = 0;
        for part in words.split(|word| {
            match *word {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            *word == "," && depth == 0
        }) {
            // A pointer or a function begins otherwise, or goes on with a parenthesis.
            match part {
                [name] | [name, "=", ..] if is_word(name) => {
                    self.text.numbers.insert(name.to_string());
                }
                [name, "[", ..] if is_word(name) => {
                    self.text.arrays.insert(name.to_string());
                }
                _ => {}
            }
        }
    }

    /// Reads a statement and those inside of it.
    fn statement(&mut self) {
        taut_budget::tick();
        let start = self.at;
        match self.word(start) {
            "{" => {
                self.at += 1;
                while self.at < self.tokens.len() && self.word(self.at) != "}" {
                    self.statement();
                }
                self.at += 1;
            }
            "if" | "switch" | "while" | "for" => {
                self.at = self.closing(start + 1);
                let is_loop = matches!(self.word(start), "while" | "for");
                self.note(start, self.at, is_loop, true);
                self.statement();
                if self.word(start) == "if" && self.word(self.at) == "else" {
                    self.at += 1;
                    self.statement();
                }
            }
            "do" => {
                self.at += 1;
                self.statement();
                let tail = self.at;
                self.at = self.closing(tail + 1);
                self.note(tail, self.at, true, false);
                self.at += 1;
            }
            "case" | "default" => {
                while self.at < self.tokens.len() && self.word(self.at) != ":" {
                    self.at += 1;
                }
                self.at += 1;
            }
            _ if self.word(start + 1) == ":" => self.at += 2,
            _ => {
                while !matches!(self.word(self.at), ";" | "}" | "") {
                    let opens = matches!(self.word(self.at), "(" | "[" | "{");
                    self.at = if opens { self.closing(self.at) } else { self.at + 1 };
                }
                self.note(start, self.at, false, true);
                self.at += usize::from(self.word(self.at) == ";");
            }
        }
    }

    /// Notes a statement of some tokens. One that may stop is looked at.
    fn note(&mut self, start: usize, end: usize, is_loop: bool, may_stop: bool) {
        if end <= start {
            return;
        }
        let (Some(first), Some(last)) = (self.tokens.get(start), self.tokens.get(end - 1)) else {
            return;
        };
        let is_stop = may_stop && self.stops(start, end);
        let function = self.function.to_string();
        let end = last.at + last.text.len();
        self.text.statements.push(Statement { start: first.at, end, function, is_loop, is_stop });
    }

    /// Whether every execution of some tokens begins with an access to shared memory, if any of them is one.
    fn stops(&self, start: usize, end: usize) -> bool {
        // Of a `for`, the first and the last part are executed at other times than the condition.
        let plain = self.word(start) != "for";
        let knows = |at: usize| match (self.word(at), self.word(at + 1)) {
            ("&" | "|", next) if next == self.word(at) => false,
            ("?", _) => false,
            (word, "(") if is_word(word) => CALLS
                .iter()
                .any(|known| word == *known || known.ends_with('_') && word.starts_with(known)),
            (word, _) => !self.macros.contains(word),
        };
        plain && (start..end).all(knows)
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Whether a word is a type like `uint32_t`.
fn is_sized(word: &str) -> bool {
    let rest = word.strip_prefix('u').unwrap_or(word).strip_prefix("int");
    let bits = rest.and_then(|rest| rest.strip_suffix("_t"));
    bits.is_some_and(|bits| ["8", "16", "32", "64", "ptr"].contains(&bits))
}

/// The names of macros whose text may hide a call or a choice.
fn macros(source: &str) -> BTreeSet<&str> {
    let mut all = BTreeSet::new();
    for (at, _) in source.match_indices("define") {
        let rest = source[at + "define".len()..].trim_start();
        let length = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let (name, text) = rest.split_at(length);
        if text[..directive(text)].contains(['(', '&', '|', '?']) {
            all.insert(name);
        }
    }
    all
}

/// The tokens of a text, without comments and directives. A string is one token.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let bytes = source.as_bytes();
    let mut all = Vec::new();
    let (mut at, mut is_first) = (0, true);
    while at < bytes.len() {
        taut_budget::tick();
        let rest = &source[at..];
        let length = match bytes[at] {
            b'\n' => {
                is_first = true;
                at += 1;
                continue;
            }
            b if b.is_ascii_whitespace() => 1,
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'#' if is_first => directive(rest),
            quote @ (b'"' | b'\'') => {
                let length = quoted(rest.as_bytes(), quote);
                all.push(Token { at, text: &rest[..length] });
                is_first = false;
                length
            }
            b if b.is_ascii_alphanumeric() || b == b'_' => {
                let length =
                    rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
                all.push(Token { at, text: &rest[..length] });
                is_first = false;
                length
            }
            _ => {
                let length = rest.chars().next().map_or(1, char::len_utf8);
                all.push(Token { at, text: &rest[..length] });
                is_first = false;
                length
            }
        };
        at += length;
    }
    all
}

/// The length of a directive, with the lines that continue it.
fn directive(rest: &str) -> usize {
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    // The line break stays, so that the next line is seen to begin.
    length - usize::from(rest[..length].ends_with('\n'))
}

/// The length of a string or a character.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
#include <assert.h>
#define TWICE(x) \
    ((x) + (x))
#define hidden f(1)
#define SIZE 2
// int commented;
struct pair { int a, b; };
static struct pair pair;
static atomic_bool flag[2] = {0, 1};
_Atomic(int) turn, *pointer;
unsigned long a = 1, b[3];
uint32_t word; static pthread_mutex_t m = {0}, n = {0}; int f(int x);
void *thread(void *arg)
{
    int me = 0; char *s = "a; b {";
    if (atomic_load(&flag[me])) { turn = 1; } else turn = f(2);
    again: while (turn == me && word) ;
    for (int i = 0; i < 2; i++) a++;
    do b[0] = TWICE(1); while (turn);
    switch (word) { case 1: word = 2; break; default: ; }
    word = hidden; word = SIZE;
    return 0;
}
"#;

    fn said(text: &CText) -> Vec<(&str, bool, bool)> {
        let of = |s: &Statement| (&TEXT[s.start..s.end], s.is_loop, s.is_stop);
        text.statements.iter().map(of).collect()
    }

    #[test]
    fn statements_are_found_and_judged() {
        let text = CText::of(TEXT);
        let expected = [
            ("int me = 0", false, true),
            ("char *s = \"a; b {\"", false, true),
            ("if (atomic_load(&flag[me]))", false, true),
            ("turn = 1", false, true),
            ("turn = f(2)", false, false),
            ("while (turn == me && word)", true, false),
            ("for (int i = 0; i < 2; i++)", true, false),
            ("a++", false, true),
            ("b[0] = TWICE(1)", false, false),
            ("while (turn)", true, false),
            ("switch (word)", false, true),
            ("word = 2", false, true),
            ("break", false, true),
            ("word = hidden", false, false),
            ("word = SIZE", false, true),
            ("return 0", false, true),
        ];
        assert_eq!(said(&text), expected);
        assert!(text.statements.iter().all(|s| s.function == "thread"));
    }

    #[test]
    fn numbers_are_found() {
        let text = CText::of(TEXT);
        let names = |all: &BTreeSet<String>| all.iter().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!(names(&text.numbers), "a turn word");
        assert_eq!(names(&text.arrays), "b flag");
    }

    #[test]
    fn an_offset_lies_in_one_statement() {
        let text = CText::of(TEXT);
        let at = TEXT.find("flag[me]").expect("a place");
        let found = text.statement_at(at).expect("a statement");
        assert!(TEXT[found.start..].starts_with("if (atomic_load"));
        assert_eq!(text.statement_at(3), None);
    }

    #[test]
    fn broken_texts_end() {
        for broken in
            ["{", "int main(", "void f() { if", "void f() { do x", "\"", "#", "f(){a:", "}{)("]
        {
            CText::of(broken);
        }
    }
}
