//! Running SPIN for real: generation, compilation, search, and what it says.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// What SPIN says of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Errors found.
    pub errors: u64,
    /// States stored.
    pub states: u64,
    /// States that were there already.
    pub matched: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Seconds of search, as SPIN measures them.
    pub seconds: f64,
    /// Bytes of memory in all.
    pub bytes: f64,
    /// Bytes of memory for the states and the table that finds them.
    pub store_bytes: f64,
    /// Whether the search was not cut off.
    pub complete: bool,
}

/// A whole search with its errors by name, such as `invalid end state`, each once.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// The numbers.
    pub figures: Figures,
    /// The errors.
    pub errors: Vec<String>,
}

impl Search {
    /// Whether an assertion was violated.
    pub fn assertion(&self) -> bool {
        self.errors.iter().any(|e| e.starts_with("assertion violated"))
    }

    /// Whether a process was stuck where it may not end.
    pub fn end_state(&self) -> bool {
        self.errors.iter().any(|e| e.starts_with("invalid end state"))
    }

    /// An error that is neither, such as a limit of SPIN's.
    pub fn other(&self) -> Option<&str> {
        let known = |e: &&String| {
            !e.starts_with("assertion violated") && !e.starts_with("invalid end state")
        };
        self.errors.iter().find(known).map(String::as_str)
    }
}

/// `spin -a` with these leaves every statement a transition of its own and every variable in the state.
pub const PLAIN: &[&str] = &["-o1", "-o2", "-o3"];

/// Why SPIN refuses a model: its first words about it. None if it generates a verifier, with or without warnings.
pub fn refusal(model: &str) -> Result<Option<String>, String> {
    let folder = scratch()?;
    let verifier = Verifier { folder };
    std::fs::write(verifier.folder.join("model.pml"), model).map_err(|e| e.to_string())?;
    let mut command = Command::new("spin");
    let command = command.args(["-a", "model.pml"]).current_dir(&verifier.folder);
    let output = command.output().map_err(|e| format!("spin: {e}"))?;
    if output.status.success() && verifier.folder.join("pan.c").exists() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Some(said.lines().next().unwrap_or("nothing").to_string()))
}

/// A verifier that SPIN generated and a C compiler compiled, in a folder of its own that goes away with it.
pub struct Verifier {
    folder: PathBuf,
}

impl Verifier {
    /// Generates a verifier with `spin -a` and compiles it with gcc and the flags.
    pub fn new(model: &str, flags: &[&str]) -> Result<Verifier, String> {
        let verifier = Verifier::generate(model, &[])?;
        verifier.compile("gcc", flags)?;
        Ok(verifier)
    }

    /// Generates a verifier with `spin -a` and these options, and compiles it as fast as that can be had: by
    /// `tcc` where there is one, in a few milliseconds, else by `gcc -O0`, in half a second. For searches that
    /// take less time than compiling.
    pub fn quick(model: &str, options: &[&str], flags: &[&str]) -> Result<Verifier, String> {
        let verifier = Verifier::generate(model, options)?;
        let compiler = if has_tcc() { "tcc" } else { "gcc" };
        let flags: Vec<_> = ["-O0"].iter().chain(flags).copied().collect();
        verifier.compile(compiler, &flags)?;
        Ok(verifier)
    }

    /// A quick verifier for a full search of assertions and end states.
    pub fn plain(model: &str) -> Result<Verifier, String> {
        Verifier::quick(model, PLAIN, &["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DMEMLIM=40"])
    }

    /// Generates a verifier with `spin -a` and these options.
    pub fn generate(model: &str, options: &[&str]) -> Result<Verifier, String> {
        let verifier = Verifier { folder: scratch()? };
        let folder = &verifier.folder;
        std::fs::write(folder.join("model.pml"), model).map_err(|e| e.to_string())?;
        let args: Vec<_> = ["-a"].iter().chain(options).chain(&["model.pml"]).copied().collect();
        let said = run(folder, "spin", &args)?;
        // SPIN reports some mistakes and still ends as if all were well.
        match said.lines().find(|l| l.contains("Error:") || l.contains("error:")) {
            Some(error) => Err(format!("spin: {error}")),
            None => Ok(verifier),
        }
    }

    /// Compiles what was generated.
    pub fn compile(&self, compiler: &str, flags: &[&str]) -> Result<(), String> {
        let args: Vec<_> = ["-w", "-o", "pan", "pan.c"].iter().chain(flags).copied().collect();
        run(&self.folder, compiler, &args).map(drop)
    }

    /// Runs the verifier with arguments.
    pub fn run(&self, args: &[&str]) -> Result<Figures, String> {
        let pan = self.folder.join("pan");
        let text = run(&self.folder, pan.to_str().expect("UTF-8"), args)?;
        figures(&text).ok_or_else(|| format!("cannot read what SPIN printed:\n{text}"))
    }

    /// Searches on past all errors, at most so long. An error if that was not enough, or if SPIN gave up.
    pub fn search(&self, most: Duration) -> Result<Search, String> {
        let said = self.folder.join("said");
        let file = File::create(&said).map_err(|e| e.to_string())?;
        let mut pan = Command::new(self.folder.join("pan"))
            .args(["-c0", "-n", "-m20000", "-w14"])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("pan: {e}"))?;
        let start = Instant::now();
        while pan.try_wait().map_err(|e| e.to_string())?.is_none() {
            if start.elapsed() > most {
                let _ = pan.kill();
                let _ = pan.wait();
                return Err(format!("pan: not done after {} s", most.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let text = std::fs::read(&said).map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&text);
        let figures = figures(&text).ok_or_else(|| format!("pan: no figures: {text}"))?;
        match figures.complete {
            true => Ok(Search { figures, errors: errors(&text) }),
            false => Err(format!("pan: the search was cut off: {}", errors(&text).join("; "))),
        }
    }
}

impl Drop for Verifier {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Whether [`Verifier::quick`] takes milliseconds.
pub fn has_tcc() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join("tcc").is_file())
}

fn scratch() -> Result<PathBuf, String> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("taut-spin-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    Ok(folder)
}

fn run(folder: &Path, program: &str, args: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(args).current_dir(folder).output();
    let output = output.map_err(|e| format!("{program}: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        return Err(format!("{program}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(text)
}

fn figures(text: &str) -> Option<Figures> {
    let number_before = |words: &str| -> Option<f64> {
        let line = text.lines().find(|l| l.contains(words))?;
        line[..line.find(words)?].split_whitespace().last()?.parse().ok()
    };
    let errors = text.split("errors: ").nth(1)?.split_whitespace().next()?.parse().ok()?;
    let elapsed = text.lines().find(|l| l.starts_with("pan: elapsed time"));
    let seconds = elapsed.and_then(|l| l.split_whitespace().nth(3)?.parse().ok()).unwrap_or(0.0);
    let megabytes = |words: &str| number_before(words).unwrap_or(0.0) * f64::from(1 << 20);
    let cut_off = ["max search depth too small", "out of memory", "MEMLIM", "Search not completed"];
    Some(Figures {
        errors,
        states: number_before("states, stored")? as u64,
        matched: number_before("states, matched").unwrap_or(0.0) as u64,
        transitions: number_before("transitions (=")? as u64,
        seconds: f64::max(seconds, 0.001),
        bytes: megabytes("total actual memory usage"),
        store_bytes: megabytes("actual memory usage for states")
            + megabytes("memory used for hash table"),
        complete: !cut_off.iter().any(|words| text.contains(words)),
    })
}

/// The errors in what a verifier printed: `pan:3: assertion violated (x==1) (at depth 7)`.
fn errors(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in text.lines() {
        let Some((number, rest)) = line.strip_prefix("pan:").and_then(|l| l.split_once(": "))
        else {
            continue;
        };
        let what = rest.split(" (at depth").next().unwrap_or(rest).to_string();
        if number.parse::<u64>().is_ok() && !all.contains(&what) {
            all.push(what);
        }
    }
    all
}
