//! What a misspelt name was meant to be.

/// The candidate nearest to a misspelt name, if any is near enough to be meant.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // One wrong letter in a name of one letter is another name, not a slip.
    let limit = match name.chars().count() {
        0 | 1 => 0,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let near = |c: &str| name.eq_ignore_ascii_case(c) || distance(name, c) <= limit;
    let near = candidates.into_iter().filter(|c| *c != name && near(c));
    near.min_by_key(|&c| (distance(name, c), c))
}

/// The edit distance, where two letters swapped and a change of case only are 1. Long names are not
/// compared.
fn distance(a: &str, b: &str) -> usize {
    if a.eq_ignore_ascii_case(b) {
        return usize::from(a != b);
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().max(b.len()) > 64 {
        return usize::MAX;
    }
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 { i + j } else { cell(&table, &a, &b, i, j) };
        }
    }
    table[a.len()][b.len()]
}

/// One cell of the table of distances between beginnings of two names.
fn cell(table: &[Vec<usize>], a: &[char], b: &[char], i: usize, j: usize) -> usize {
    let changed = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
    let best = changed.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
    let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
    if swapped { best.min(table[i - 2][j - 2] + 1) } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_near() {
        assert_eq!(nearest("flga", ["flag", "turn"]), Some("flag"));
        assert_eq!(nearest("X", ["x", "y"]), Some("x"));
        assert_eq!(nearest("counter", ["x", "y"]), None);
    }
}
