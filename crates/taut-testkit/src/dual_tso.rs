//! The programs that Dual-TSO was measured with, in the Taut language, and its figures: constraints made and kept, and
//! seconds. The figures are those of `RMM.md` in the corpus.

use crate::suite::root;

/// A program and what Dual-TSO says of it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name, as in `testdata/dual`, or the kind of test with the numbers of processes.
    pub name: &'static str,
    /// Whether the forbidden states are reachable under TSO.
    pub is_violated: bool,
    /// Constraints made.
    pub made: u64,
    /// Constraints kept.
    pub kept: u64,
    /// CPU seconds, where they are known.
    pub seconds: Option<f64>,
}

const fn row(name: &'static str, is_violated: bool, made: u64, kept: u64, seconds: f64) -> Row {
    let seconds = if seconds < 0.0 { None } else { Some(seconds) };
    Row { name, is_violated, made, kept, seconds }
}

/// All rows. A negative time is not known.
pub const ROWS: [Row; 23] = [
    row("sb 1+1", true, 67, 41, 0.0),
    row("sb 2+2", true, 1_472, 508, 0.01),
    row("sb 3+3", true, 24_644, 6_342, 0.1),
    row("sb 4+5", true, 1_270_000, 255_000, 9.2),
    row("lb 1+1", false, 136, 45, -1.0),
    row("lb 2+2", false, 8_796, 1_331, 0.03),
    row("lb 3+3", false, 467_000, 46_800, 2.2),
    row("mp 1+1", false, 38, 17, -1.0),
    row("mp 4+5", false, 383_000, 32_700, 3.5),
    row("burns", true, 118, 66, -1.0),
    row("dekker", true, 1_981, 891, -1.0),
    row("peterson", true, 4_600, 2_020, -1.0),
    row("dijkstra", true, 5_129, 2_287, -1.0),
    row("lamport_fast", true, 5_463, 3_935, 0.04),
    row("bakery", true, 10_669, 5_443, 0.07),
    row("burns_fenced", false, 158, 62, -1.0),
    row("dekker_fenced", false, 19_268, 5_890, 0.08),
    row("peterson_fenced", false, 6_078, 1_776, -1.0),
    row("dijkstra_fenced", false, 29_284, 9_955, 0.14),
    row("lamport_fast_fenced", false, 83_000, 35_800, 0.75),
    row("bakery_fenced", false, 125_000, 50_000, 1.1),
    row("sense_rev_bar", false, 980, 378, -1.0),
    row("clh", false, 4_000_000, 1_300_000, 30.7),
];

impl Row {
    /// The text of the program.
    pub fn text(&self) -> std::io::Result<String> {
        match axiom(self.name) {
            Some(text) => Ok(text),
            None => {
                std::fs::read_to_string(root().join(format!("testdata/dual/{}.taut", self.name)))
            }
        }
    }
}

impl Row {
    /// The name of the program that Dual-TSO was given, in the folder `rmm` of the corpus; none of those with fences.
    pub fn original(&self) -> Option<String> {
        let name = match self.name.split_once(' ') {
            Some((kind, "1+1")) => kind.to_owned(),
            Some((kind, sizes)) => format!("{kind}_{}", sizes.replace('+', "_")),
            None if self.name.ends_with("_fenced") => return None,
            None if self.name == "bakery" => "bakery.bound2".to_owned(),
            None => self.name.to_owned(),
        };
        Some(format!("{name}.rmm"))
    }
}

/// Store buffering, load buffering or message passing, repeated, with several processes on each side: `sb 2+3`.
fn axiom(name: &str) -> Option<String> {
    let (kind, sizes) = name.split_once(' ')?;
    let (n, m) = sizes.split_once('+')?;
    let (n, m): (u32, u32) = (n.parse().ok()?, m.parse().ok()?);
    let (first, second) = match kind {
        "sb" => ("x := 1; await(y == 0);", "y := 1; await(x == 0);"),
        "lb" => ("await(x == 1); y := 1;", "await(y == 1); x := 1;"),
        "mp" => ("x := 1; y := 1;", "await(y == 1); await(x == 0);"),
        _ => return None,
    };
    let pairs = (0..n).flat_map(|i| (0..m).map(move |j| format!("p[{i}]@done && q[{j}]@done")));
    Some(format!(
        "shared bool x = 0, y = 0;
         process p[{n}](i) begin loop {{ {first} done: skip; }} end
         process q[{m}](i) begin loop {{ {second} done: skip; }} end
         forbid bad: {};",
        pairs.collect::<Vec<_>>().join(" || ")
    ))
}
