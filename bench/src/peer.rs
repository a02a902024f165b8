//! Running SPIN on a Promela text: generation, compilation, search, and its figures.

use std::path::PathBuf;
use std::process::Command;

/// What SPIN says of a search.
pub struct Figures {
    /// States stored.
    pub states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Seconds of search, as SPIN measures them.
    pub seconds: f64,
    /// Bytes of memory in all.
    pub bytes: f64,
}

/// Runs `spin -a`, `gcc -O3` with the flags, and the verifier.
pub fn spin(model: &str, flags: &[&str]) -> Result<Figures, String> {
    let folder = scratch()?;
    std::fs::write(folder.join("model.pml"), model).map_err(|e| e.to_string())?;
    let run = |program: &str, args: &[&str]| -> Result<String, String> {
        let output = Command::new(program).args(args).current_dir(&folder).output();
        let output = output.map_err(|e| format!("{program}: {e}"))?;
        if !output.status.success() {
            return Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr)));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    run("spin", &["-a", "model.pml"])?;
    let compile: Vec<_> = ["-O3", "-w", "-DMEMLIM=16000", "-o", "pan", "pan.c"]
        .into_iter()
        .chain(flags.iter().copied())
        .collect();
    run("gcc", &compile)?;
    let pan = folder.join("pan").display().to_string();
    let text = run(&pan, &["-m1000000", "-w24"])?;
    let _ = std::fs::remove_dir_all(&folder);
    figures(&text).ok_or_else(|| format!("cannot read what SPIN printed:\n{text}"))
}

fn scratch() -> Result<PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("taut-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    Ok(folder)
}

fn figures(text: &str) -> Option<Figures> {
    let number_before = |words: &str| -> Option<f64> {
        let line = text.lines().find(|l| l.contains(words))?;
        line[..line.find(words)?].split_whitespace().last()?.parse().ok()
    };
    let elapsed = text.lines().find(|l| l.starts_with("pan: elapsed time"))?;
    Some(Figures {
        states: number_before("states, stored")? as u64,
        transitions: number_before("transitions (=")? as u64,
        seconds: elapsed.split_whitespace().nth(3)?.parse::<f64>().ok()?.max(0.001),
        bytes: number_before("total actual memory usage")? * f64::from(1 << 20),
    })
}
