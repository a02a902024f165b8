//! Compilation databases: `compile_commands.json`, as CMake, Meson and Bear write it.
//!
//! An entry has the directory in which the compiler ran, its file, and the command: as a list of words (`arguments`) or as one
//! text (`command`), in which blanks separate and quotes and `\` protect, as the format's specification has it
//! (<https://clang.llvm.org/docs/JSONCompilationDatabase.html>). There is no other meaning in such a text, and no shell
//! reads it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use taut::LoadError;
use taut::c::Invocation;
use taut::diag::{Diagnostic, SourceMap, Span};

use super::super::refused::Refused;
use super::shortest;

/// The name of the file in its directory.
const NAME: &str = "compile_commands.json";
/// The largest database that is read.
const MOST_BYTES: u64 = 256 << 20;
/// Files that a message lists.
const MOST_LISTED: usize = 20;

/// The command of one file.
#[derive(Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// What a database says about a file, or about its only file.
pub fn invocation(directory: &Path, file: Option<&Path>) -> Result<Invocation, Refused> {
    let database = Database::read(directory)?;
    let entry = match file {
        Some(file) => database.entry_of(file)?,
        None => database.only()?,
    };
    let path = database.path.display();
    let refuse = |why: String| {
        Refused::Message(format!("`{path}`: the entry of `{}`: {why}", entry.file.display()))
    };
    let words = entry.words().map_err(refuse)?;
    let found = Invocation::of(&words).map_err(refuse)?;
    let base = database.base().join(&entry.directory);
    let mut found = found.within(&base);
    // The entry's own name of its file: the command may have it from elsewhere.
    found.source = entry.path(&database).to_string_lossy().into_owned();
    Ok(found)
}

/// A database that was read.
struct Database {
    path: PathBuf,
    entries: Vec<Entry>,
}

impl Database {
    /// Reads the database of a directory, or the file itself.
    fn read(directory: &Path) -> Result<Database, Refused> {
        let path = if directory.is_dir() { directory.join(NAME) } else { directory.to_path_buf() };
        let text = text(&path).map_err(|why| {
            let help = "`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `meson setup` or `bear -- make` writes it";
            Refused::Message(format!("cannot read `{}`: {why}\nhelp: {help}", path.display()))
        })?;
        match serde_json::from_str(&text) {
            Ok(entries) => Ok(Database { path, entries }),
            Err(error) => Err(malformed(&path, text, &error)),
        }
    }

    /// The directory of the database, where relative directories of entries begin.
    fn base(&self) -> PathBuf {
        let directory = self.path.parent().unwrap_or(Path::new(""));
        std::path::absolute(directory).unwrap_or_else(|_| directory.to_path_buf())
    }

    /// The entry of a file. Of several the first counts.
    fn entry_of(&self, file: &Path) -> Result<&Entry, Refused> {
        let wanted = canonical(file);
        let entry = self.entries.iter().find(|entry| canonical(&entry.path(self)) == wanted);
        entry.ok_or_else(|| {
            let what = format!("`{}` has no entry for `{}`", self.path.display(), file.display());
            self.refuse(&what, "its C files are")
        })
    }

    /// The only entry of a C file.
    fn only(&self) -> Result<&Entry, Refused> {
        match self.c_files().as_slice() {
            [only] => Ok(only),
            [] => Err(Refused::Message(format!("`{}` has no C file", self.path.display()))),
            several => {
                let what = format!("`{}` has {} C files", self.path.display(), several.len());
                Err(self.refuse(&what, "name one of them before or after `-p`"))
            }
        }
    }

    fn c_files(&self) -> Vec<&Entry> {
        let is_c = |entry: &&Entry| entry.file.extension().is_some_and(|e| e == "c" || e == "i");
        self.entries.iter().filter(is_c).collect()
    }

    /// A message with the files that there are.
    fn refuse(&self, what: &str, help: &str) -> Refused {
        let files = self.c_files();
        let names = files
            .iter()
            .take(MOST_LISTED)
            .map(|entry| format!("\n  {}", shortest(&entry.path(self)).display()));
        let more = match files.len().saturating_sub(MOST_LISTED) {
            0 => String::new(),
            more => format!("\n  and {more} more"),
        };
        Refused::Message(format!("{what}\nhelp: {help}:{}{more}", names.collect::<String>()))
    }
}

impl Entry {
    /// The file, from the root on.
    fn path(&self, database: &Database) -> PathBuf {
        database.base().join(&self.directory).join(&self.file)
    }

    /// The words of the command.
    fn words(&self) -> Result<Vec<String>, String> {
        match (&self.arguments, &self.command) {
            (Some(words), _) => Ok(words.clone()),
            (None, Some(command)) => split(command),
            (None, None) => Err("it has neither `arguments` nor `command`".into()),
        }
    }
}

/// The text of a regular file of reasonable size.
fn text(path: &Path) -> Result<String, String> {
    let about = fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is no regular file".into());
    }
    if about.len() > MOST_BYTES {
        return Err(format!("it is larger than {} MiB", MOST_BYTES >> 20));
    }
    fs::read_to_string(path).map_err(|error| error.to_string())
}

/// A message about a text that is no database, with its place.
fn malformed(path: &Path, text: String, error: &serde_json::Error) -> Refused {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let start = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
    let mut start = start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let end = text[start..].chars().next().map_or(start, |c| start + c.len_utf8());
    // The place is told by the message's own line and column.
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or(&what).to_owned();
    let mut sources = SourceMap::new();
    let file = sources.add(path.display().to_string(), text);
    let found = "this is no compilation database";
    let diagnostic = Diagnostic::error("E0016", found, Span::new(file, start..end))
        .label(what)
        .help("each entry has `directory`, `file`, and `arguments` or `command`");
    Refused::Text(Box::new(LoadError { sources, diagnostics: diagnostic.into() }))
}

/// A path by which two names of one file are the same.
fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// The words of a command: blanks separate; quotes and `\` protect.
fn split(command: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut rest = command.chars();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            (Some(open), close) if open == close => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(rest.next()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match quote {
        None => Ok(words),
        Some(open) => Err(format!("its `command` has a {open} that is never closed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_into_words() {
        let words = |text: &str| split(text).expect("words");
        assert_eq!(words("cc  -O2\tlock.c "), ["cc", "-O2", "lock.c"]);
        assert_eq!(words(r#"cc -DA=\"x\ y\" 'a b.c'"#), ["cc", r#"-DA="x y""#, "a b.c"]);
        assert_eq!(words(r#""-DS=\"a\\b\"" ''"#), [r#"-DS="a\b""#, ""]);
        assert_eq!(words(r"'a\b'c"), [r"a\bc"]);
        // Nothing else has a meaning: no shell reads it.
        assert_eq!(words("cc $(rm) `x` ; > y *"), ["cc", "$(rm)", "`x`", ";", ">", "y", "*"]);
        assert!(split("cc \"lock.c").is_err());
    }

    #[test]
    fn any_text_is_a_database_or_a_message_with_a_place() {
        let path = Path::new("compile_commands.json");
        for text in
            ["", "[", "{}", "[{\"directory\": 1}]", "[ä]", "[\n{\"directory\":\"/\"}]\u{fffd}"]
        {
            let error = serde_json::from_str::<Vec<Entry>>(text).expect_err("no database");
            let Refused::Text(shown) = malformed(path, text.into(), &error) else {
                panic!("no place: {text}");
            };
            assert!(shown.render(false).contains("compile_commands.json:"), "{shown}");
        }
    }
}
