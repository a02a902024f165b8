//! Every command in the book and the README runs, and prints what stands there.
//!
//! In a `console` block, `$ taut …` and `$ cargo run --release -- …` are run from the root of the repository,
//! in order, where single quotes keep words together; what follows is compared line by line. Times differ and widths with them, so blanks and times
//! are made equal first. A line `…` stands for any number of lines. `$ echo $?` is the last exit code. `cat`, `cp` and
//! `mkdir` are run as they are; what takes too long for a test (`make test`, benchmarks) is not.

use crate::book_support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use book_support::{pages, update};

use taut_testkit::suite::root;

/// A command and what it prints.
struct Session {
    command: String,
    expected: Vec<String>,
}

/// The sessions of the console blocks of a page.
fn sessions(text: &str) -> Vec<Session> {
    let mut all: Vec<Session> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.trim_end() {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            line => match (line.strip_prefix("$ "), all.last_mut()) {
                (Some(command), _) => {
                    all.push(Session { command: command.into(), expected: Vec::new() });
                }
                (None, Some(session)) => session.expected.push(line.into()),
                (None, None) => panic!("output without a command: {line}"),
            },
        }
    }
    all
}

/// A line without what differs from run to run: times and the blanks that align columns.
fn plain(line: &str) -> String {
    let words: Vec<_> = line.split_whitespace().collect();
    let mut plain: Vec<&str> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let next = words.get(i + 1).copied().unwrap_or("");
        let is_number = word.trim_matches(',').parse::<f64>().is_ok();
        let is_unit = |w: &str| ["µs", "ms", "s", "s,", "ms,", "µs,"].contains(&w);
        let is_share = line.trim_start().starts_with("time in") && next.starts_with('%');
        if is_share || is_number && (is_unit(next) || ["states/s", "nodes/s"].contains(&next)) {
            plain.push("N");
        } else if is_unit(word) && plain.last() == Some(&"N") {
            plain.push("TIME");
        } else {
            plain.push(word);
        }
    }
    without_seconds(&plain.join(" "))
}

/// The same with the times of a JSON object made equal.
fn without_seconds(line: &str) -> String {
    ["seconds", "successors", "store", "properties"].iter().fold(line.into(), without_number)
}

/// The same with all numbers of that name made equal.
fn without_number(line: String, name: &&str) -> String {
    let field = format!("\"{name}\":");
    let is_digit = |c: char| c.is_ascii_digit() || ".e-".contains(c);
    let mut parts = line.split(field.as_str());
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let rest = part.trim_start_matches(is_digit);
        let number = if rest.len() < part.len() { "N" } else { "" };
        format!("{text}{field}{number}{rest}")
    })
}

/// Whether lines are as expected, where `…` stands for any number of them.
fn fits(expected: &[String], lines: &[String]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "…" => (0..=lines.len()).any(|n| fits(rest, &lines[n..])),
        Some((first, rest)) => lines.first() == Some(first) && fits(rest, &lines[1..]),
    }
}

fn lines(text: &str) -> Vec<String> {
    let mut all: Vec<_> = text.lines().map(plain).collect();
    while all.last().is_some_and(String::is_empty) {
        all.pop();
    }
    all
}

/// The arguments of a command for `taut`; none for other commands.
fn arguments(command: &str) -> Option<Vec<String>> {
    let rest = command
        .strip_prefix("taut ")
        .or_else(|| command.strip_prefix("cargo run --release -- "))?;
    Some(words(rest))
}

/// The words of a command as a shell has them: blanks separate, except in single quotes.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in text.split('\'').enumerate() {
        match i % 2 {
            1 => words.push(part.into()),
            _ => words.extend(part.split_whitespace().map(String::from)),
        }
    }
    words
}

/// Whether this is one of the few commands that are run beside `taut`.
fn is_plain_shell(command: &str) -> bool {
    ["cat ", "cp ", "mkdir -p "].iter().any(|start| command.starts_with(start))
}

/// What such a command prints; it must succeed.
fn shell(command: &str) -> Vec<u8> {
    let words = words(command);
    let output = Command::new(&words[0]).args(&words[1..]).current_dir(root()).output();
    let output = output.unwrap_or_else(|e| panic!("{command}: {e}"));
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Runs the sessions of a page; how many commands there were.
fn run(page: &Path) -> usize {
    let text = std::fs::read_to_string(page).expect("a page");
    let mut last_exit = String::new();
    let mut count = 0;
    for session in sessions(&text) {
        let expected: Vec<_> = lines(&session.expected.join("\n"));
        let at = format!("{}: $ {}", page.display(), session.command);
        let printed = match (arguments(&session.command), session.command.as_str()) {
            (Some(arguments), _) => {
                let mut taut = Command::new(env!("CARGO_BIN_EXE_taut"));
                let output = taut.args(&arguments).current_dir(root()).output().expect("taut runs");
                last_exit = output.status.code().expect("an exit code").to_string();
                count += 1;
                [output.stdout, output.stderr].concat()
            }
            (None, "echo $?") => last_exit.clone().into_bytes(),
            (None, other) if is_plain_shell(other) => shell(other),
            (None, "make test" | "make bench" | "make soak" | "make book") => continue,
            (None, other) if other.starts_with("cargo run --release -p taut-bench") => continue,
            (None, other) => panic!("{}: cannot run `{other}`", page.display()),
        };
        let text = String::from_utf8(printed).expect("UTF-8");
        let printed = lines(&text);
        // A command without output shown says nothing about it.
        let matches = expected.is_empty() || fits(&expected, &printed);
        if !matches && update::is_asked() {
            let as_printed: Vec<_> = text.trim_end().lines().map(|l| l.trim_end().into()).collect();
            update::rewrite(page, &session.command, &session.expected, &as_printed);
            continue;
        }
        assert!(
            matches,
            "{at}\nprinted:\n{}\nexpected:\n{}",
            printed.join("\n"),
            expected.join("\n")
        );
    }
    count
}

#[test]
fn every_command_prints_what_the_book_says() {
    let count: usize = pages().iter().map(|page| run(page)).sum();
    assert!(count >= 115, "the book has commands: {count}");
}

/// The meaning of each code of the page of messages. A line has the codes of one meaning: `T0002 P0002  a comment …`.
fn meanings(page: &str) -> BTreeMap<&str, &str> {
    let entries = page.lines().filter_map(|line| line.split_once("  "));
    entries
        .flat_map(|(codes, about)| codes.split(' ').map(move |code| (code, about.trim_start())))
        .collect()
}

#[test]
fn the_book_lists_every_message_of_every_language() {
    let page = std::fs::read_to_string(root().join("book/src/messages.md")).expect("a page");
    let listed = meanings(&page);
    for language in taut::Language::all() {
        assert!(!language.codes().is_empty(), "{language:?}");
        for (code, about) in language.codes() {
            assert_eq!(listed.get(code), Some(about), "{code}");
        }
    }
}
