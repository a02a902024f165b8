//! Finite runs after which a formula cannot hold any more.
//!
//! The tableau of the formula is followed along a run with all guesses that agree with it so far. A guess
//! is *live* if some word goes on from it for ever and keeps all that is promised. A run that has no live
//! guess left is beyond fixing: no word at all continues it in a way that satisfies the formula.

use std::collections::HashSet;

use taut_ltl::Formula;

use super::graph::{Edge, Graph};
use super::product::Reader;
use super::scc::components;
use super::tableau::Tableau;

/// The most atoms and temporal subformulas together for which all words are looked at.
const MOST_BITS: usize = 16;

/// What can still become of runs: the tableau over all words, and the guesses that are live.
pub(crate) struct Outlook {
    tableau: Tableau,
    live: Vec<bool>,
    /// The bits of a valuation that the formula looks at.
    mask: u64,
}

impl Outlook {
    /// The outlook on a formula; none if it has too many atoms and temporal subformulas to tell.
    pub fn new(formula: &Formula) -> Option<Outlook> {
        let atoms = formula.atoms().last().map_or(0, |atom| atom.index() + 1);
        if atoms > MOST_BITS / 2 {
            return None;
        }
        let words = 1 << atoms;
        let tableau = Tableau::new(formula, true, MOST_BITS - atoms, 0..words)?;
        let live = live(&tableau, words);
        Some(Outlook { tableau, live, mask: words - 1 })
    }

    /// The live guesses at a first position.
    fn first(&self, valuation: u64) -> Vec<u32> {
        let mut all = self.tableau.initial(valuation & self.mask);
        all.retain(|&guess| self.live[guess as usize]);
        all
    }

    /// The live guesses at a position after one with these guesses.
    fn next(&self, guesses: &[u32], before: u64, valuation: u64) -> Vec<u32> {
        let (before, now) = (before & self.mask, valuation & self.mask);
        let read = |&guess: &u32| self.tableau.read(guess, before, now);
        let to = guesses.iter().flat_map(read).map(|(to, _)| to);
        let mut all: Vec<u32> = to.filter(|&guess| self.live[guess as usize]).collect();
        all.sort_unstable();
        all
    }

    /// Whether no word that begins with these valuations satisfies the formula.
    pub fn is_lost(&self, word: &[u64]) -> bool {
        let Some((&first, rest)) = word.split_first() else { return false };
        let start = (self.first(first), first);
        let after = |(guesses, before): (Vec<u32>, u64), &now: &u64| {
            (self.next(&guesses, before, now), now)
        };
        rest.iter().fold(start, after).0.is_empty()
    }
}

/// The guesses from which some word goes on and keeps all that is promised. Which guesses may come next
/// depends on the guess alone, so they are the nodes, and every valuation at the next position gives edges.
fn live(tableau: &Tableau, words: u64) -> Vec<bool> {
    let count = 1 << tableau.sets();
    let mut successors = vec![Vec::new(); count];
    let mut arcs = Vec::new();
    for (before, to, kept) in (0..words).flat_map(|v| tableau.arcs(v)) {
        successors[before as usize].push(to as usize);
        arcs.push((before as usize, to as usize, kept));
    }
    let component = components(&successors);
    let mut kept_in = vec![None; count];
    for &(from, to, kept) in &arcs {
        if component[from] == component[to] {
            *kept_in[component[from]].get_or_insert(0) |= kept;
        }
    }
    let all = (1 << tableau.sets()) - 1;
    let mut live: Vec<bool> = component.iter().map(|&c| kept_in[c] == Some(all)).collect();
    let mut predecessors = vec![Vec::new(); count];
    arcs.iter().for_each(|&(from, to, _)| predecessors[to].push(from));
    let mut left: Vec<usize> = (0..count).filter(|&guess| live[guess]).collect();
    while let Some(guess) = left.pop() {
        for &before in &predecessors[guess] {
            if !std::mem::replace(&mut live[before], true) {
                left.push(before);
            }
        }
    }
    live
}

/// The edges of a shortest run that nothing can fix; none within it if there is no such run, none at all if
/// it takes more than `limit` nodes to tell.
pub(super) fn beyond_fixing<'g>(
    graph: &'g Graph,
    formula: &Formula,
    limit: usize,
) -> Option<Option<Vec<&'g Edge>>> {
    let outlook = Outlook::new(formula)?;
    let mut search = Search { graph, seen: HashSet::new(), nodes: Vec::new() };
    search.enter(0, outlook.first(graph.nodes[0].valuation), None);
    let mut done = 0;
    while done < search.nodes.len() {
        let (state, guesses) = (search.nodes[done].state, search.nodes[done].guesses.clone());
        if guesses.is_empty() {
            return Some(Some(search.path(done)));
        }
        let here = &graph.nodes[state];
        for (number, edge) in here.edges.iter().enumerate() {
            let next = outlook.next(&guesses, here.valuation, graph.nodes[edge.to].valuation);
            search.enter(edge.to, next, Some((done, number)));
        }
        if search.nodes.len() > limit {
            return None;
        }
        done += 1;
    }
    Some(None)
}

/// Breadth-first search over states with the guesses that are left there.
struct Search<'g> {
    graph: &'g Graph,
    seen: HashSet<(usize, Vec<u32>)>,
    nodes: Vec<SearchNode>,
}

struct SearchNode {
    state: usize,
    guesses: Vec<u32>,
    parent: Option<(usize, usize)>,
}

impl<'g> Search<'g> {
    fn enter(&mut self, state: usize, guesses: Vec<u32>, parent: Option<(usize, usize)>) {
        if self.seen.insert((state, guesses.clone())) {
            self.nodes.push(SearchNode { state, guesses, parent });
        }
    }

    fn path(&self, mut node: usize) -> Vec<&'g Edge> {
        let mut edges = Vec::new();
        while let Some((from, edge)) = self.nodes[node].parent {
            edges.push(&self.graph.nodes[self.nodes[from].state].edges[edge]);
            node = from;
        }
        edges.reverse();
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_lost(text: &str, word: &[u64]) -> bool {
        let formula = taut_ltl::parse(text).expect("a formula").formula;
        Outlook::new(&formula).expect("small").is_lost(word)
    }

    #[test]
    fn safety_is_lost_when_it_is_broken_and_liveness_never() {
        assert!(!is_lost("[] a", &[1, 1]));
        assert!(is_lost("[] a", &[1, 0]));
        assert!(is_lost("[] a", &[1, 0, 1]));
        assert!(!is_lost("<> a", &[0, 0, 0]));
        assert!(!is_lost("[] <> a && <> b", &[0, 0]));
        assert!(is_lost("X X a", &[0, 0, 0]));
        assert!(!is_lost("X X a", &[0, 0]));
        assert!(is_lost("a U b", &[1, 0]));
    }

    #[test]
    fn what_contradicts_itself_is_lost_at_once() {
        assert!(is_lost("[] <> a && <> [] ! a", &[0]));
        assert!(is_lost("<> a && [] (a -> b) && [] ! b", &[2]));
        assert!(is_lost("<> (a && X ! a) && [] a", &[1]));
        assert!(!is_lost("[] <> a && [] <> ! a", &[0]));
        assert!(is_lost("(a U b) && [] ! b", &[1]) && is_lost("! (a W b) && [] a", &[1]));
        assert!(is_lost("! (a V b) && [] b", &[2]));
    }
}
