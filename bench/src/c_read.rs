//! Time to read a large C file: preprocessor, parser, names and types, lowering.
//!
//! The file is made here: functions with structures, loops, macros and comments, of which `main` calls one. So the measure is of the
//! reading, not of the inlining of calls.

use std::fmt::Write;
use std::time::Instant;

use taut::load::{LoadOptions, from_bytes};

/// What to read.
#[derive(clap::Args)]
pub struct CReadArgs {
    /// Number of lines of the file.
    #[arg(long, default_value_t = 10_000)]
    lines: usize,
    /// How often it is read; the best round counts.
    #[arg(long, default_value_t = 5)]
    rounds: u32,
}

/// The ceiling: seconds for 10,000 lines.
const CEILING: f64 = 1.0;

/// Runs the benchmark.
pub fn run(args: &CReadArgs) -> Result<(), String> {
    let text = program(args.lines);
    let lines = text.lines().count();
    let mut best = f64::INFINITY;
    let mut steps = 0;
    for _ in 0..args.rounds.max(1) {
        let start = Instant::now();
        let loaded = from_bytes("large.c", text.clone().into_bytes(), LoadOptions::default());
        let loaded = loaded.map_err(|error| error.to_string())?;
        best = best.min(start.elapsed().as_secs_f64());
        steps = loaded.program.defs.iter().map(|def| def.steps.len()).sum();
    }
    println!("{:>8} {:>12} {:>10} {:>14} {:>8}", "lines", "bytes", "seconds", "lines/s", "steps");
    let rate = lines as f64 / best;
    println!("{lines:>8} {:>12} {best:>10.3} {rate:>14.0} {steps:>8}", text.len());
    println!("ceiling for 10,000 lines: {CEILING} s");
    Ok(())
}

/// A program of about so many lines.
fn program(lines: usize) -> String {
    let mut text = String::from(BEFORE);
    let functions = lines.saturating_sub(10) / FUNCTION.lines().count();
    for number in 0..functions.max(1) {
        let _ = write!(text, "{}", FUNCTION.replace('@', &number.to_string()));
    }
    text + AFTER
}

const BEFORE: &str =
    "#include <stdatomic.h>\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\nstatic atomic_int x;\n";

const AFTER: &str =
    "int main(void)\n{\n    struct s0 s = { 1, { 2, 3 }, 0 };\n    return f0(&s, 2) == 0;\n}\n";

const FUNCTION: &str = "
/* Function @ works on a structure of its own. */
struct s@ { int a; unsigned b[4]; struct s@ *next; };
static int f@(struct s@ *p, int n)
{
    int sum = 0;
    for (int k = 0; k < n; k++) {
        sum += MAX(p->a, (int)p->b[k & 3]) + @;
        if (sum > 1000 && p->next != 0)
            p = p->next;
        else
            sum -= k ^ 3;
    }
    switch (sum & 3) {
    case 0: p->a = sum; break;
    case 1: p->b[1] = (unsigned)sum; break;
    default: atomic_fetch_add_explicit(&x, 1, memory_order_relaxed); break;
    }
    return sum; // the result
}
";
