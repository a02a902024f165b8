//! Line charts with a logarithmic scale, one below the other, written as SVG.
//!
//! Charts of a few lines are all that is drawn here, so it is written by hand; the crates that draw charts bring
//! fonts, bitmaps and dates with them.

use std::fmt::Write;

/// A chart of values for some number, the next one, and so on.
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// What the numbers at the bottom are.
    pub across: String,
    /// What the numbers at the side are.
    pub upwards: String,
    /// The first number at the bottom.
    pub first: usize,
    /// The lines.
    pub lines: Vec<Line>,
}

/// Two lines of one colour: one that goes through values, and a dashed one at a level.
pub struct Line {
    /// Its name, beside the chart.
    pub name: String,
    /// Values from the first number on.
    pub rising: Vec<f64>,
    /// A level.
    pub level: Option<f64>,
}

/// Colours that can be told apart with any kind of colour vision (M. Okabe and K. Ito, 2002).
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

const WIDTH: f64 = 820.0;
const HEIGHT: f64 = 480.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 200.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 60.0;

/// Where values are on the page.
struct Scale {
    columns: usize,
    /// Powers of ten at the bottom and at the top.
    decades: (i32, i32),
}

impl Scale {
    fn of(lines: &[Line]) -> Scale {
        let columns = lines.iter().map(|line| line.rising.len()).max().unwrap_or(0).max(2);
        let values = lines.iter().flat_map(|line| line.rising.iter().chain(&line.level));
        let logs: Vec<f64> = values.map(|value| value.max(1.0).log10()).collect();
        let lowest = logs.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match logs.is_empty() {
            true => Scale { columns, decades: (0, 1) },
            false => {
                let bottom = lowest.floor() as i32;
                Scale { columns, decades: (bottom, (highest.ceil() as i32).max(bottom + 1)) }
            }
        }
    }

    /// The place of the column with this number, from 1.
    fn x(&self, column: usize) -> f64 {
        let width = WIDTH - LEFT - RIGHT;
        LEFT + width * (column as f64 - 1.0) / (self.columns as f64 - 1.0)
    }

    fn y(&self, value: f64) -> f64 {
        let (bottom, top) = self.decades;
        let share = (value.max(1.0).log10() - f64::from(bottom)) / f64::from(top - bottom);
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share
    }
}

/// Charts as a file.
pub fn svg(plots: &[Plot]) -> String {
    let height = HEIGHT * plots.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (i, plot) in plots.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">", HEIGHT * i as f64);
        plot.draw(&mut svg);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

impl Plot {
    fn draw(&self, svg: &mut String) {
        let scale = Scale::of(&self.lines);
        label(svg, (LEFT, TOP - 22.0), "start", &self.title);
        self.axes(svg, &scale);
        for (i, line) in self.lines.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            draw(svg, &scale, line, colour);
            let at = TOP + 12.0 + 22.0 * i as f64;
            let from = WIDTH - RIGHT + 20.0;
            segment(svg, (from, at - 4.0), (from + 24.0, at - 4.0), colour, "");
            label(svg, (from + 32.0, at), "start", &line.name);
        }
    }

    fn axes(&self, svg: &mut String, scale: &Scale) {
        let (left, right, bottom) = (LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM);
        for decade in scale.decades.0..=scale.decades.1 {
            let y = scale.y(10_f64.powi(decade));
            segment(svg, (left, y), (right, y), "#dddddd", "");
            label(svg, (left - 8.0, y + 4.0), "end", &thousands(decade));
        }
        for column in 1..=scale.columns {
            let x = scale.x(column);
            segment(svg, (x, bottom), (x, bottom + 5.0), "#000000", "");
            label(svg, (x, bottom + 20.0), "middle", &(self.first + column - 1).to_string());
        }
        segment(svg, (left, bottom), (right, bottom), "#000000", "");
        segment(svg, (left, TOP), (left, bottom), "#000000", "");
        label(svg, ((left + right) / 2.0, HEIGHT - 16.0), "middle", &self.across);
        label(svg, (left - 8.0, TOP - 8.0), "end", &self.upwards);
    }
}

fn draw(svg: &mut String, scale: &Scale, line: &Line, colour: &str) {
    let points: Vec<_> =
        line.rising.iter().enumerate().map(|(i, &v)| (scale.x(i + 1), scale.y(v))).collect();
    for pair in points.windows(2) {
        segment(svg, pair[0], pair[1], colour, "");
    }
    for (x, y) in points {
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
    }
    if let Some(level) = line.level {
        let y = scale.y(level);
        segment(svg, (LEFT, y), (WIDTH - RIGHT, y), colour, " stroke-dasharray=\"6 4\"");
    }
}

fn segment(svg: &mut String, from: (f64, f64), to: (f64, f64), colour: &str, more: &str) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" \
         stroke-width=\"1.5\"{more}/>"
    );
}

fn label(svg: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
}

/// A power of ten in full.
fn thousands(decade: i32) -> String {
    let digits = format!("1{}", "0".repeat(decade.max(0) as usize));
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_higher_and_stays_on_the_page() {
        let line = Line { name: "a<b".into(), rising: vec![3.0, 40.0, 5000.0], level: Some(20.0) };
        let scale = Scale::of(std::slice::from_ref(&line));
        assert_eq!(scale.decades, (0, 4));
        assert!(scale.y(40.0) < scale.y(3.0), "SVG counts from the top");
        for value in [1.0, 20.0, 5000.0] {
            assert!((TOP..=HEIGHT - BOTTOM).contains(&scale.y(value)), "{value}");
        }
        let plot = Plot {
            title: String::new(),
            across: String::new(),
            upwards: String::new(),
            first: 5,
            lines: vec![line],
        };
        let svg = svg(&[plot]);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert_eq!(svg.matches("stroke-dasharray").count(), 1);
        assert!(svg.contains("a&lt;b") && svg.contains("10 000"));
        assert!(svg.contains(">7</text>"), "the third column is that of 7");
    }

    #[test]
    fn nothing_can_be_drawn() {
        let none = String::new;
        let lines = Vec::new();
        let plot = Plot { title: none(), across: none(), upwards: none(), first: 1, lines };
        assert!(!svg(&[plot]).contains("NaN"));
    }
}
