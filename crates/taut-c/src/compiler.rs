//! The command of a compiler, read for what it says about the text of its file.
//!
//! No compiler is started. Of the words of its command those count that change what is read: macros, directories of
//! headers, files to include, `-fwrapv`, and the one source file. All others, such as `-O2` and `-std=c11`, are passed
//! over. The meaning of each is that of gcc: `-D` and `-U` of one name in their order, `-iquote` for quotes alone,
//! `-isystem` and `-idirafter` after all of `-I`.

use std::path::Path;

use taut_ir::frontend::{DEFINE, OptionSpec};

use crate::frontend::{INCLUDE, INCLUDE_DIR, OVERFLOW, QUOTE_DIR, SYSTEM_DIR, UNDEFINE};

/// What the command of a compiler says about a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// The source file.
    pub source: String,
    /// Macros to define (`NAME`, `NAME=VALUE`) and to forget, in their order; one entry per name.
    macros: Vec<(OptionSpec, String)>,
    quotes: Vec<String>,
    directories: Vec<String>,
    system: Vec<String>,
    after: Vec<String>,
    includes: Vec<String>,
    wraps: bool,
    /// Words that would change the meaning of the program and are passed over, each with the reason.
    pub notes: Vec<String>,
}

/// Words with a value that is read.
#[derive(Clone, Copy)]
enum Flag {
    Define,
    Undefine,
    Quotes,
    Directory,
    System,
    After,
    Include,
}

/// Words with a value that is read, in the same word or the next. Of two that fit, the first counts.
const READ: &[(&str, Flag)] = &[
    ("--define-macro=", Flag::Define),
    ("--undefine-macro=", Flag::Undefine),
    ("--include-directory=", Flag::Directory),
    ("--include=", Flag::Include),
    ("-iquote", Flag::Quotes),
    ("-isystem", Flag::System),
    ("-idirafter", Flag::After),
    ("-include", Flag::Include),
    ("-D", Flag::Define),
    ("-U", Flag::Undefine),
    ("-I", Flag::Directory),
];

/// Words whose value is the next word and is not read.
const SKIPPED: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-arch",
    "-target",
    "--param",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-T",
    "-L",
    "-l",
    "-u",
    "-z",
    "-A",
    "-B",
    "-e",
    "-framework",
    "-isysroot",
    "--sysroot",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-aux-info",
    "-wrapper",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-mllvm",
    "-include-pch",
];

/// Words that change what a program means to a compiler and not here.
const OTHER_MEANING: &[(&str, &str)] = &[
    ("-m32", "types have the sizes of x86-64"),
    ("-mx32", "types have the sizes of x86-64"),
    ("-m16", "types have the sizes of x86-64"),
    ("-funsigned-char", "`char` is signed, as on x86-64"),
    ("-fshort-enums", "an enumeration is an `int`"),
];

/// Extensions of C++.
const CXX: [&str; 6] = ["cc", "cpp", "cxx", "c++", "C", "ii"];

impl Invocation {
    /// Reads the words of a command, the compiler's name first.
    pub fn of(words: &[String]) -> Result<Invocation, String> {
        let mut reader = Reader::default();
        let mut rest = words.iter().skip(1).map(String::as_str);
        while let Some(word) = rest.next() {
            reader.word(word, &mut rest)?;
        }
        reader.finish()
    }

    /// The same for a command that is given in some directory: relative paths begin there.
    #[must_use]
    pub fn within(mut self, directory: &Path) -> Invocation {
        let based = |path: &mut String| *path = joined(directory, path);
        let directories = self.quotes.iter_mut().chain(&mut self.directories);
        directories.chain(&mut self.system).chain(&mut self.after).for_each(based);
        // A file that is included first is looked for there, and then among the headers.
        let is_there = |file: &&mut String| directory.join(file.as_str()).is_file();
        self.includes.iter_mut().filter(is_there).for_each(based);
        self.source = joined(directory, &self.source);
        self
    }

    /// What it says, as options of this front end.
    pub fn options(&self) -> Vec<(OptionSpec, String)> {
        let each = |option: OptionSpec, words: &[String]| -> Vec<(OptionSpec, String)> {
            words.iter().map(|word| (option, word.clone())).collect()
        };
        let mut options = self.macros.clone();
        options.extend(each(QUOTE_DIR, &self.quotes));
        options.extend(each(INCLUDE_DIR, &self.directories));
        options.extend(each(SYSTEM_DIR, &self.system));
        options.extend(each(SYSTEM_DIR, &self.after));
        options.extend(each(INCLUDE, &self.includes));
        options.extend(self.wraps.then(|| (OVERFLOW, "wrap".to_owned())));
        options
    }
}

/// The name of a macro in `NAME`, `NAME=VALUE` or `NAME(PARAMETERS)=VALUE`.
pub fn macro_name(definition: &str) -> &str {
    definition.split(['=', '(']).next().unwrap_or(definition)
}

fn joined(directory: &Path, path: &str) -> String {
    directory.join(path).to_string_lossy().into_owned()
}

/// A command that is being read.
#[derive(Default)]
struct Reader {
    found: Invocation,
    sources: Vec<String>,
    /// A file of C++.
    cxx: Option<String>,
}

impl Reader {
    /// Reads one word; its value may be the next one.
    fn word<'w>(
        &mut self,
        word: &str,
        rest: &mut impl Iterator<Item = &'w str>,
    ) -> Result<(), String> {
        if SKIPPED.contains(&word) {
            rest.next();
            return Ok(());
        }
        if let Some(list) = word.strip_prefix("-Wp,") {
            let mut parts = list.split(',');
            while let Some(part) = parts.next() {
                self.read(part, &mut parts)?;
            }
            return Ok(());
        }
        if self.read(word, rest)? {
            return Ok(());
        }
        match word {
            "-x" => return self.language(rest.next().unwrap_or_default()),
            "-fwrapv" | "-fno-strict-overflow" => self.found.wraps = true,
            "-fno-wrapv" | "-fstrict-overflow" | "-ftrapv" => self.found.wraps = false,
            "-imacros" => {
                return Err("`-imacros` is not known here; use `-include`, which keeps the text \
                            of the file as well"
                    .into());
            }
            _ if word.starts_with('@') => {
                return Err(format!(
                    "`{word}` is a file with more words, which is not read; write its words here"
                ));
            }
            _ if word.starts_with("-x") => return self.language(&word[2..]),
            _ if word.starts_with('-') => self.passed_over(word),
            _ => self.file(word),
        }
        Ok(())
    }

    /// Reads a word whose value counts; false if it is none.
    fn read<'w>(
        &mut self,
        word: &str,
        rest: &mut impl Iterator<Item = &'w str>,
    ) -> Result<bool, String> {
        let found = READ.iter().find_map(|(name, flag)| Some((*flag, word.strip_prefix(name)?)));
        let Some((flag, joined)) = found else { return Ok(false) };
        let value = Some(joined).filter(|value| !value.is_empty()).or_else(|| rest.next());
        let value = value.ok_or_else(|| format!("`{word}` needs a value after it"))?;
        self.flag(flag, value);
        Ok(true)
    }

    fn flag(&mut self, flag: Flag, value: &str) {
        let found = &mut self.found;
        let list = match flag {
            Flag::Define => return self.define(DEFINE, value),
            Flag::Undefine => return self.define(UNDEFINE, value),
            Flag::Quotes => &mut found.quotes,
            Flag::Directory => &mut found.directories,
            Flag::System => &mut found.system,
            Flag::After => &mut found.after,
            Flag::Include => &mut found.includes,
        };
        list.push(value.to_owned());
    }

    /// Defines or forgets a macro: the last word about a name counts.
    fn define(&mut self, option: OptionSpec, value: &str) {
        let name = macro_name(value);
        self.found.macros.retain(|(_, earlier)| macro_name(earlier) != name);
        self.found.macros.push((option, value.to_owned()));
    }

    fn language(&self, name: &str) -> Result<(), String> {
        match name {
            "c" | "cpp-output" | "none" | "c-header" => Ok(()),
            _ => Err(format!("`-x {name}`: only C is read")),
        }
    }

    fn passed_over(&mut self, word: &str) {
        let known = OTHER_MEANING.iter().find(|(name, _)| *name == word);
        let note = known.map(|(_, why)| format!("`{word}` is passed over: {why}"));
        self.found.notes.extend(note);
    }

    /// A word that is no option: a source file, or something for the linker.
    fn file(&mut self, word: &str) {
        match Path::new(word).extension().and_then(|e| e.to_str()) {
            Some("c" | "i") => self.sources.push(word.to_owned()),
            Some(extension) if CXX.contains(&extension) => self.cxx = Some(word.to_owned()),
            _ => {}
        }
    }

    fn finish(mut self) -> Result<Invocation, String> {
        let is_without_assertions = self.found.macros.iter().any(|(option, definition)| {
            option.name == DEFINE.name && macro_name(definition) == "NDEBUG"
        });
        if is_without_assertions {
            self.found.notes.push("`NDEBUG` is defined: `assert` checks nothing".into());
        }
        match (self.sources.as_slice(), self.cxx) {
            ([only], _) => {
                self.found.source = only.clone();
                Ok(self.found)
            }
            ([], Some(cxx)) => Err(format!("`{cxx}` is C++; only C is read")),
            ([], None) => Err("the command names no file that ends in .c or .i".into()),
            (several, _) => {
                let names: Vec<String> = several.iter().map(|name| format!("`{name}`")).collect();
                Err(format!(
                    "the command names {} source files ({}); one is checked at a time",
                    several.len(),
                    names.join(", ")
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(command: &str) -> Result<Invocation, String> {
        let words: Vec<String> = command.split(' ').map(String::from).collect();
        Invocation::of(&words)
    }

    /// The options of a command, as `name=value`.
    fn options(command: &str) -> Vec<String> {
        let found = read(command).expect("a command of a compiler");
        assert_eq!(found.source, "lock.c");
        found.options().iter().map(|(option, value)| format!("{} {value}", option.name)).collect()
    }

    #[test]
    fn values_stand_in_the_same_word_or_the_next() {
        let expected = ["define A=1", "define B", "undefine C", "include-dir i", "include-dir j"];
        assert_eq!(options("cc -DA=1 -D B -UC -Ii -I j lock.c"), expected);
        let expected = ["iquote q", "include-dir i", "isystem s", "isystem t", "include f.h"];
        let command = "cc -isystem s -include f.h -iquote q -idirafter t -Ii lock.c";
        assert_eq!(options(command), expected);
        assert_eq!(options("cc -isystems -iquoteq lock.c"), ["iquote q", "isystem s"]);
        assert_eq!(
            options("cc --include-directory=i --define-macro=A lock.c"),
            ["define A", "include-dir i"]
        );
    }

    #[test]
    fn the_last_word_about_a_macro_counts() {
        assert_eq!(options("cc -DA -UA lock.c"), ["undefine A"]);
        assert_eq!(options("cc -UA -DA=2 lock.c"), ["define A=2"]);
        assert_eq!(options("cc -DA=1 -DA=2 lock.c"), ["define A=2"]);
        assert_eq!(options("cc -DF(x)=x -UF lock.c"), ["undefine F"]);
    }

    #[test]
    fn other_words_are_passed_over() {
        let command = "ccache /usr/bin/gcc-12 -O2 -std=c11 -Wall -pthread -c -o lock.c.o -MF d.c -MD \
                       -Wp,-MMD,dep.c,-DW=1 -L lib.c -lm main.o libx.a -isysroot s.c lock.c";
        assert_eq!(options(command), ["define W=1"]);
        assert_eq!(options("cc -fwrapv lock.c"), ["overflow wrap"]);
        assert!(options("cc -fwrapv -fno-wrapv lock.c").is_empty());
    }

    #[test]
    fn what_has_another_meaning_is_told() {
        let notes = |command: &str| read(command).expect("a command").notes.join("\n");
        assert!(notes("cc -m32 lock.c").contains("x86-64"));
        assert!(notes("cc -DNDEBUG lock.c").contains("assert"));
        assert_eq!(notes("cc -DNDEBUG -UNDEBUG -O3 lock.c"), "");
    }

    #[test]
    fn commands_without_one_source_file_are_refused() {
        for (command, reason) in [
            ("cc -O2", "names no file"),
            ("cc", "names no file"),
            ("cc a.c b.c", "names 2 source files (`a.c`, `b.c`)"),
            ("c++ a.cpp", "`a.cpp` is C++"),
            ("cc -x c++ a.c", "`-x c++`"),
            ("cc -xc++ a.c", "`-x c++`"),
            ("cc @flags a.c", "`@flags` is a file with more words"),
            ("cc a.c -D", "`-D` needs a value"),
            ("cc -imacros m.h a.c", "-include"),
        ] {
            let refused = read(command).expect_err(command);
            assert!(refused.contains(reason), "{command}: {refused}");
        }
    }

    #[test]
    fn relative_paths_begin_in_the_directory_of_the_command() {
        let found = read("cc -Iinclude -I/abs -isystem ../s -include gone.h src/lock.c");
        let found = found.expect("a command").within(Path::new("/b"));
        assert_eq!(found.source, "/b/src/lock.c");
        let options: Vec<String> = found.options().into_iter().map(|(_, value)| value).collect();
        assert_eq!(options, ["/b/include", "/abs", "/b/../s", "gone.h"]);
    }
}
