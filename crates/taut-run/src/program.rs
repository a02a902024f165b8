//! C programs: the file itself, with rounds around it.
//!
//! The program is compiled as it stands, with macros that give other names to `main` and to the functions that start, join
//! and end threads or end the process; `rounds.c` has the functions of these names. Nothing else of the program changes:
//! the macros rename the declarations in the headers, too.
//!
//! The compiler is told not to optimise, so that every access of the text is performed, in the order of the text, as a
//! check takes them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::folder::Folder;
use crate::seen::Seen;
use crate::{Settings, process};

/// What calls the program.
const ROUNDS: &str = include_str!("rounds.c");

/// Functions with another name, and that name without its beginning `taut_run_`.
const RENAMED: [(&str, &str); 20] = [
    ("main", "main"),
    ("abort", "abort"),
    ("exit", "exit"),
    ("pthread_create", "create"),
    ("pthread_join", "join"),
    ("pthread_detach", "detach"),
    ("pthread_exit", "exit_thread"),
    ("pthread_self", "self"),
    ("pthread_cancel", "cancel"),
    ("pthread_kill", "kill"),
    ("pthread_key_create", "key_create"),
    ("pthread_mutexattr_settype", "mutexattr_settype"),
    ("pthread_rwlock_wrlock", "wrlock"),
    ("thrd_create", "thrd_create"),
    ("thrd_join", "thrd_join"),
    ("thrd_detach", "thrd_detach"),
    ("thrd_exit", "thrd_exit"),
    ("thrd_current", "self"),
    ("tss_create", "tss_create"),
    ("mtx_init", "mtx_init"),
];

/// A C program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CProgram {
    /// Its file.
    pub file: PathBuf,
    /// Options of the compiler that were typed: directories, macros, and whatever else. They come last.
    pub options: Vec<OsString>,
}

/// Compiles a C program and runs it in rounds.
pub fn run_program(program: &CProgram, settings: &Settings<'_>) -> Result<Seen, Failure> {
    let folder = Folder::new(settings.keep.as_deref())?;
    let rounds = folder.write("rounds.c", ROUNDS)?;
    let (object, executable) = (folder.path("program.o"), folder.path("program"));
    let compile =
        |arguments: &[OsString]| settings.compiler.run(arguments, settings.is_interrupted);
    compile(&of_program(program, &object))?;
    let of_rounds = ["-std=gnu11", "-O1", "-w", "-pthread"].map(OsString::from);
    let mut arguments = of_rounds.to_vec();
    arguments.extend([rounds.into(), object.into(), "-o".into(), executable.clone().into()]);
    compile(&arguments)?;
    process::seen(&executable, settings)
}

/// The arguments that the program is compiled with.
fn of_program(program: &CProgram, object: &Path) -> Vec<OsString> {
    // `-x c`: a file that was preprocessed elsewhere has macros replaced, too.
    let mut arguments: Vec<OsString> =
        ["-O0", "-w", "-pthread", "-D_GNU_SOURCE=", "-c"].map(Into::into).to_vec();
    arguments.extend(RENAMED.iter().map(|(old, new)| format!("-D{old}=taut_run_{new}").into()));
    arguments.extend(program.options.iter().cloned());
    arguments.extend(["-x".into(), "c".into()]);
    // A name that begins with a dash is a file all the same.
    let is_odd = program.file.as_os_str().as_encoded_bytes().starts_with(b"-");
    let file = if is_odd { Path::new(".").join(&program.file) } else { program.file.clone() };
    arguments.extend([file.into(), "-o".into(), object.into()]);
    arguments
}
