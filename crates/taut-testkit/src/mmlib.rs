//! The models of mmlib, the SPIN library for TSO and PSO, with what SPIN says about them.

use std::path::{Path, PathBuf};

use crate::table::{Row, rows};

/// One question about one model: a row of the corpus' table.
pub struct Case {
    /// The model's file.
    pub path: PathBuf,
    row: Row,
}

impl Case {
    /// All rows, in the order of the table.
    pub fn all(folder: &Path) -> Vec<Case> {
        let case = |row: Row| {
            let file =
                format!("{}/{}/{}.pml", row.get("suite"), row.get("version"), row.get("model"));
            Case { path: folder.join(file), row }
        };
        rows(&folder.join("spin.csv")).into_iter().map(case).collect()
    }

    /// A column of the table.
    pub fn get(&self, column: &str) -> &str {
        self.row.get(column)
    }

    /// A column that is a number; none if it is not.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.row.get(column).parse().ok()
    }

    /// What to call it.
    pub fn name(&self) -> String {
        ["version", "model", "memory", "fence"].map(|column| self.get(column)).join(" ")
    }

    /// The model as mmlib's user writes it: with its header, and with the fences that the row names.
    pub fn text(&self) -> String {
        let mut text = read(&self.path);
        if self.get("memory") != "plain" {
            text = text.replace("sc.h", &format!("{}.h", self.get("memory")));
        }
        for fence in self.get("fence").split('+').filter(|fence| *fence != "none") {
            let comment = format!("/* {fence} needed */");
            assert!(text.contains(&comment), "{} has no {comment}", self.path.display());
            text = text.replace(&comment, "FENCE();");
        }
        text
    }
}

/// What a file holds; some of the models are not UTF-8 in their comments.
pub fn read(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}
