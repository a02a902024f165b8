//! Running SPIN for real: generation, compilation, search, and what it says.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// What SPIN says of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Errors found.
    pub errors: u64,
    /// States stored.
    pub states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Seconds of search, as SPIN measures them.
    pub seconds: f64,
    /// Bytes of memory in all.
    pub bytes: f64,
    /// Whether the search was not cut off.
    pub complete: bool,
}

/// A verifier that SPIN generated and gcc compiled, in a folder of its own that goes away with it.
pub struct Verifier {
    folder: PathBuf,
}

impl Verifier {
    /// Generates a verifier with `spin -a` and compiles it with the flags.
    pub fn new(model: &str, flags: &[&str]) -> Result<Verifier, String> {
        let verifier = Verifier { folder: scratch()? };
        let folder = &verifier.folder;
        std::fs::write(folder.join("model.pml"), model).map_err(|e| e.to_string())?;
        run(folder, "spin", &["-a", "model.pml"])?;
        let compile: Vec<_> = ["-w", "-o", "pan", "pan.c"].iter().chain(flags).copied().collect();
        run(folder, "gcc", &compile)?;
        Ok(verifier)
    }

    /// Runs the verifier with arguments.
    pub fn run(&self, args: &[&str]) -> Result<Figures, String> {
        let pan = self.folder.join("pan");
        let text = run(&self.folder, pan.to_str().expect("UTF-8"), args)?;
        figures(&text).ok_or_else(|| format!("cannot read what SPIN printed:\n{text}"))
    }
}

impl Drop for Verifier {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
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
    Some(Figures {
        errors,
        states: number_before("states, stored")? as u64,
        transitions: number_before("transitions (=")? as u64,
        seconds: f64::max(seconds, 0.001),
        bytes: number_before("total actual memory usage").unwrap_or(0.0) * f64::from(1 << 20),
        complete: !text.contains("max search depth too small") && !text.contains("out of memory"),
    })
}
