//! The table: a row for each question and tool, printed as soon as it is known, and what the rows come to.

use serde_json::{Map, Value, json};

use super::figures::Figures;

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The part of the benchmark.
    pub part: u8,
    /// What is asked about.
    pub name: String,
    /// How many processes there are, where that is what grows.
    pub processes: Option<u32>,
    /// How many variables each process has, where that is what grows.
    pub variables: Option<u32>,
    /// The size of the buffers, where there are any.
    pub bound: Option<u32>,
}

impl Question {
    /// A question of a part, of no particular size.
    pub fn new(part: u8, name: impl Into<String>) -> Question {
        Question { part, name: name.into(), processes: None, variables: None, bound: None }
    }
}

/// A tool's answer, or why there is none.
pub struct Row {
    pub question: Question,
    pub tool: &'static str,
    pub answer: Result<Figures, String>,
}

/// All rows.
#[derive(Default)]
pub struct Table {
    rows: Vec<Row>,
    /// What a part comes to, in words and as a number.
    conclusions: Vec<(String, f64)>,
    wrong: Vec<String>,
}

impl Table {
    /// Prints the heading.
    pub fn begin() -> Table {
        println!(
            "| part | question | processes | variables | bound | tool | verdict | states | transitions | states/s | bytes a \
             state | MiB | search, s | from the file, s |"
        );
        println!("|{}", " --- |".repeat(14));
        Table::default()
    }

    /// Prints a row and keeps it.
    pub fn add(
        &mut self,
        question: &Question,
        tool: &'static str,
        answer: Result<Figures, String>,
    ) {
        let Question { part, name, processes, variables, bound } = question;
        let number = |n: &Option<u32>| n.map_or("–".into(), |n| n.to_string());
        let cells = match &answer {
            Ok(figures) => figures.cells(),
            Err(why) => {
                let why = why.lines().next().unwrap_or("an error").replace('|', "/");
                format!("{why} | – | – | – | – | – | – | –")
            }
        };
        println!(
            "| {part} | {name} | {} | {} | {} | {tool} | {cells} |",
            number(processes),
            number(variables),
            number(bound)
        );
        self.rows.push(Row { question: question.clone(), tool, answer });
    }

    /// The figures of a tool for a question.
    pub fn figures(&self, question: &Question, tool: &str) -> Option<&Figures> {
        let row = self.rows.iter().find(|row| row.question == *question && row.tool == tool)?;
        row.answer.as_ref().ok()
    }

    /// About how many states a question has: the most that anybody has found.
    pub fn states(&self, question: &Question) -> u64 {
        let rows = self.rows.iter().filter(|row| row.question == *question);
        rows.filter_map(|row| row.answer.as_ref().ok()).map(|f| f.states).max().unwrap_or(1)
    }

    /// The questions of a part, each once.
    pub fn questions(&self, part: u8) -> Vec<&Question> {
        let mut all: Vec<&Question> = Vec::new();
        for row in self.rows.iter().filter(|row| row.question.part == part) {
            if all.last() != Some(&&row.question) {
                all.push(&row.question);
            }
        }
        all
    }

    /// The figures of two tools for all questions of a part that both finished.
    pub fn pairs(&self, part: u8, one: &str, other: &str) -> Vec<(&Figures, &Figures)> {
        let pair = |question: &Question| {
            let (one, other) = (self.figures(question, one)?, self.figures(question, other)?);
            (one.is_complete() && other.is_complete()).then_some((one, other))
        };
        self.questions(part).into_iter().filter_map(pair).collect()
    }

    /// Notes what a part comes to.
    pub fn conclude_that(&mut self, words: impl Into<String>, number: f64) {
        self.conclusions.push((words.into(), number));
    }

    /// Notes that something is not as it must be.
    pub fn complain(&mut self, what: String) {
        self.wrong.push(what);
    }

    /// Looks for verdicts that differ.
    pub fn end_part(&mut self, part: u8) {
        for question in self.questions(part).into_iter().cloned().collect::<Vec<_>>() {
            let of_question = self.rows.iter().filter(|row| row.question == question);
            let decided = of_question.filter_map(|row| row.answer.as_ref().ok());
            let mut outcomes: Vec<_> =
                decided.filter(|f| f.is_complete()).map(|f| f.outcome).collect();
            outcomes.sort_unstable();
            outcomes.dedup();
            if outcomes.len() > 1 {
                self.complain(format!("{}: verdicts differ", question.name));
            }
        }
    }

    /// Prints what everything comes to.
    pub fn conclude(&self) {
        println!();
        for (words, number) in &self.conclusions {
            println!("{words}: {number:.2}");
        }
    }

    /// An error if something is not as it must be.
    pub fn complaints(&self) -> Result<(), String> {
        if self.wrong.is_empty() { Ok(()) } else { Err(self.wrong.join("; ")) }
    }

    /// For a file.
    pub fn json(&self) -> Value {
        let conclusions: Map<String, Value> =
            self.conclusions.iter().map(|(words, number)| (words.clone(), json!(number))).collect();
        let rows: Vec<_> = self.rows.iter().map(Row::json).collect();
        json!({ "rows": rows, "conclusions": conclusions, "wrong": self.wrong })
    }
}

impl Row {
    fn json(&self) -> Value {
        let Question { part, name, processes, variables, bound } = &self.question;
        let mut row = match &self.answer {
            Ok(figures) => figures.json(),
            Err(why) => json!({ "complete": false, "error": why }),
        };
        row["part"] = json!(part);
        row["question"] = json!(name);
        row["processes"] = json!(processes);
        row["variables"] = json!(variables);
        row["bound"] = json!(bound);
        row["tool"] = json!(self.tool);
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(outcome: &'static str) -> Result<Figures, String> {
        let (search_seconds, total_seconds, bytes) = (0.5, 1.0, 80.0);
        Ok(Figures { outcome, states: 10, transitions: 20, search_seconds, total_seconds, bytes })
    }

    #[test]
    fn verdicts_that_differ_are_complained_of_and_only_finished_searches_are_paired() {
        let mut table = Table::default();
        let question = |name: &str| Question::new(3, name);
        table.add(&question("a"), "Taut", figures("holds"));
        table.add(&question("a"), "SPIN", figures("cut off"));
        table.add(&question("b"), "Taut", figures("holds"));
        table.add(&question("b"), "SPIN", figures("holds"));
        table.end_part(3);
        assert_eq!(table.complaints(), Ok(()));
        assert_eq!(table.pairs(3, "Taut", "SPIN").len(), 1);
        table.add(&question("c"), "Taut", figures("holds"));
        table.add(&question("c"), "SPIN", figures("violated"));
        table.end_part(3);
        assert_eq!(table.complaints(), Err("c: verdicts differ".into()));
    }
}
