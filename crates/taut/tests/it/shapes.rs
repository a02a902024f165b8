//! What the automatic choice says of programs that languages of buffers do not converge on: an answer for buffers of
//! every size, to every question.

use std::time::Duration;

use taut::load::from_text;
use taut::{Check, MemoryModel, Verdict};
use taut_testkit::shapes::shapes;

#[test]
fn auto_answers_every_shape() {
    let mut answers = 0;
    for shape in shapes() {
        let loaded = from_text("shape.taut", &shape.text).unwrap_or_else(|e| panic!("{e}"));
        let check = Check::of(&loaded).model(MemoryModel::Tso).all(true);
        let report = check.timeout(Duration::from_secs(60)).run().expect("a report");
        for result in &report.results {
            let is_answer = match &result.verdict {
                Verdict::Holds(coverage) => coverage.is_everything(),
                Verdict::Violated(_) => true,
                _ => false,
            };
            assert!(is_answer, "{}: {} {:?}", shape.name, result.name, result.verdict);
            answers += 1;
        }
        assert_eq!(report.is_violated(), shape.is_violated, "{}", shape.name);
    }
    assert!(answers >= 30, "{answers}");
}
