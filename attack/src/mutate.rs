//! Changes of a text: small ones that leave most of it readable, and a few large ones.

use crate::seeds::Seed;

/// Numbers at the edges of types and limits.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "-1",
    "7",
    "63",
    "64",
    "127",
    "255",
    "256",
    "4096",
    "65535",
    "2147483648",
    "9223372036854775807",
    "18446744073709551616",
    "1000000000000000000000000000000",
];

/// Words and signs of all languages.
const WORDS: [&str; 72] = [
    "process",
    "shared",
    "loop",
    "await",
    "assert",
    "assume",
    "atomic",
    "fence",
    "sync",
    "spawn",
    "call",
    "choose",
    "if",
    "else",
    "while",
    "goto",
    "skip",
    "forbid",
    "invariant",
    "property",
    "ghost",
    "volatile",
    "cas",
    "fetch_add",
    "proctype",
    "active",
    "chan",
    "do",
    "od",
    "fi",
    "d_step",
    "run",
    "init",
    "never",
    "ltl",
    "unless",
    "timeout",
    "inline",
    "typedef",
    "#define",
    "#include",
    "#if",
    "#endif",
    "_pid",
    "_nr_pr",
    "len",
    "nempty",
    "printf",
    "eval",
    "state",
    "trans",
    "guard",
    "effect",
    "commit",
    "system async",
    "byte",
    "int",
    "bool",
    "[]",
    "<>",
    "U",
    "X",
    "->",
    "{",
    "}",
    "(",
    ")",
    ";",
    ":=",
    "exists",
    "forall",
    "~",
];

/// The most bytes of a mutated text.
const MOST_BYTES: usize = 400_000;

/// Changes texts.
pub struct Mutator<'a> {
    /// What decides.
    pub random: &'a mut fastrand::Rng,
    /// Other texts of the same reader, to take parts from.
    pub others: Vec<&'a Seed>,
}

impl Mutator<'_> {
    /// A text with one to eight changes.
    pub fn mutated(&mut self, text: &[u8]) -> Vec<u8> {
        let mut text = text.to_vec();
        // One change in half of the cases: what is changed much is refused early.
        let changes = if self.random.bool() { 1 } else { self.random.usize(2..=8) };
        for _ in 0..changes {
            self.change(&mut text);
            text.truncate(MOST_BYTES);
        }
        text
    }

    fn change(&mut self, text: &mut Vec<u8>) {
        match self.random.u32(..100) {
            0..20 => self.replace_number(text),
            20..38 => self.replace_word(text),
            38..48 => self.drop_line(text),
            48..58 => self.repeat_line(text),
            58..66 => self.swap_lines(text),
            66..74 => self.splice(text),
            74..82 => self.insert_word(text),
            82..87 => self.flip(text),
            87..90 => self.nest(text),
            90..93 => self.truncate(text),
            93..96 => self.repeat_part(text),
            _ => self.insert_bytes(text),
        }
    }

    /// The words of a text: numbers, names, or one other character.
    fn words(text: &[u8]) -> Vec<(usize, usize)> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let (mut words, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let start = at;
            while at < text.len() && is_name(text[at]) {
                at += 1;
            }
            at += usize::from(at == start);
            if !text[start].is_ascii_whitespace() {
                words.push((start, at));
            }
        }
        words
    }

    fn pick_word(&mut self, text: &[u8], is_meant: impl Fn(u8) -> bool) -> Option<(usize, usize)> {
        let mut words = Mutator::words(text);
        words.retain(|&(start, _)| is_meant(text[start]));
        (!words.is_empty()).then(|| words[self.random.usize(..words.len())])
    }

    fn replace_number(&mut self, text: &mut Vec<u8>) {
        let Some((start, end)) = self.pick_word(text, |byte| byte.is_ascii_digit()) else { return };
        let number = NUMBERS[self.random.usize(..NUMBERS.len())];
        text.splice(start..end, number.bytes());
    }

    /// Puts one word of the text in the place of another, or a word of any language.
    fn replace_word(&mut self, text: &mut Vec<u8>) {
        let Some((start, end)) = self.pick_word(text, |_| true) else { return };
        let word = match (self.random.bool(), self.pick_word(text, |_| true)) {
            (true, Some((from, to))) => text[from..to].to_vec(),
            _ => WORDS[self.random.usize(..WORDS.len())].into(),
        };
        text.splice(start..end, word);
    }

    fn insert_word(&mut self, text: &mut Vec<u8>) {
        let Some((start, _)) = self.pick_word(text, |_| true) else { return };
        let word = format!(" {} ", WORDS[self.random.usize(..WORDS.len())]);
        text.splice(start..start, word.into_bytes());
    }

    fn line(&mut self, text: &[u8]) -> Option<(usize, usize)> {
        let mut lines: Vec<(usize, usize)> = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            lines.push((start, start + line.len()));
            start += line.len();
        }
        (!lines.is_empty()).then(|| lines[self.random.usize(..lines.len())])
    }

    fn drop_line(&mut self, text: &mut Vec<u8>) {
        let Some((start, end)) = self.line(text) else { return };
        text.drain(start..end);
    }

    fn repeat_line(&mut self, text: &mut Vec<u8>) {
        let Some((start, end)) = self.line(text) else { return };
        let times = if self.random.u32(..10) == 0 { self.random.usize(10..2_000) } else { 1 };
        let copy = text[start..end].repeat(times);
        text.splice(end..end, copy);
    }

    fn swap_lines(&mut self, text: &mut Vec<u8>) {
        let (Some((start, end)), Some((to, _))) = (self.line(text), self.line(text)) else {
            return;
        };
        let line: Vec<u8> = text.drain(start..end).collect();
        let to = if to > start { to - line.len().min(to - start) } else { to };
        text.splice(to..to, line);
    }

    /// Puts some lines of another text in.
    fn splice(&mut self, text: &mut Vec<u8>) {
        if self.others.is_empty() {
            return;
        }
        let other = self.others[self.random.usize(..self.others.len())].bytes.clone();
        let (Some((start, _)), Some((_, end))) = (self.line(&other), self.line(&other)) else {
            return;
        };
        let Some((at, _)) = self.line(text) else { return };
        let (start, end) = (start.min(end), start.max(end));
        text.splice(at..at, other[start..end].iter().copied());
    }

    fn flip(&mut self, text: &mut [u8]) {
        if let Some(at) = self.position(text) {
            text[at] ^= 1 << self.random.u32(..8);
        }
    }

    fn position(&mut self, text: &[u8]) -> Option<usize> {
        (!text.is_empty()).then(|| self.random.usize(..text.len()))
    }

    /// Puts a word into many brackets, or behind many signs.
    fn nest(&mut self, text: &mut Vec<u8>) {
        let Some((start, end)) = self.pick_word(text, |byte| byte.is_ascii_alphanumeric()) else {
            return;
        };
        let depth = [10, 100, 1_000, 20_000][self.random.usize(..4)];
        const PAIRS: [(&str, &str); 8] = [
            ("(", ")"),
            ("{", "}"),
            ("[", "]"),
            ("!", ""),
            ("-", ""),
            ("if :: ", " fi"),
            ("/*", "*/"),
            ("`", "'"),
        ];
        let (open, close) = PAIRS[self.random.usize(..PAIRS.len())];
        let word = String::from_utf8_lossy(&text[start..end]).into_owned();
        let nested = open.repeat(depth) + &word + &close.repeat(depth);
        text.splice(start..end, nested.into_bytes());
    }

    fn truncate(&mut self, text: &mut Vec<u8>) {
        if let Some(at) = self.position(text) {
            text.truncate(at);
        }
    }

    /// Repeats a part of the text many times.
    fn repeat_part(&mut self, text: &mut Vec<u8>) {
        let (Some(a), Some(b)) = (self.position(text), self.position(text)) else { return };
        let (start, end) = (a.min(b), a.max(b).min(a.min(b) + 200));
        let copy = text[start..end].repeat(self.random.usize(2..500));
        text.splice(end..end, copy);
    }

    /// Bytes that no text has: zeros, broken UTF-8, marks of direction, carriage returns.
    fn insert_bytes(&mut self, text: &mut Vec<u8>) {
        const STRANGE: [&[u8]; 8] = [
            b"\0",
            b"\xff\xfe",
            b"\xc3",
            b"\xe2\x80\xae",
            b"\r",
            b"\x1b[2J",
            b"\xef\xbb\xbf",
            b"\xf0\x9f\xa6\x80",
        ];
        let Some(at) = self.position(text) else { return };
        let strange = STRANGE[self.random.usize(..STRANGE.len())];
        text.splice(at..at, strange.iter().copied());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_a_function_of_the_seed() {
        let text = b"shared 0..1 x;\nprocess p { x := 1; }\n";
        let draw = |seed| {
            let mut random = fastrand::Rng::with_seed(seed);
            Mutator { random: &mut random, others: Vec::new() }.mutated(text)
        };
        let all: Vec<_> = (0..200).map(draw).collect();
        assert_eq!(all, (0..200).map(draw).collect::<Vec<_>>());
        let changed = all.iter().filter(|mutated| mutated.as_slice() != text).count();
        assert!(changed > 150, "{changed}");
        assert!(all.iter().all(|mutated| mutated.len() <= MOST_BYTES));
    }
}
