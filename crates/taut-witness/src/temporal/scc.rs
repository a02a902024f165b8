//! Strongly connected components, by Kosaraju's two passes without recursion.

/// The component of every node of a graph.
pub(super) fn components(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut backwards = vec![Vec::new(); successors.len()];
    for (from, all) in successors.iter().enumerate() {
        all.iter().for_each(|&to| backwards[to].push(from));
    }
    let mut component = vec![usize::MAX; successors.len()];
    // A node that is finished last in its component is met first here, and nothing outside of the
    // component that leads to it is left.
    for &root in finished(successors).iter().rev() {
        if component[root] != usize::MAX {
            continue;
        }
        component[root] = root;
        let mut left = vec![root];
        while let Some(node) = left.pop() {
            for &from in &backwards[node] {
                if component[from] == usize::MAX {
                    component[from] = root;
                    left.push(from);
                }
            }
        }
    }
    component
}

/// The nodes in the order in which a depth-first search leaves them.
fn finished(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    for root in 0..successors.len() {
        let mut path = Vec::new();
        if !std::mem::replace(&mut seen[root], true) {
            path.push((root, 0));
        }
        while let Some((node, next)) = path.last_mut() {
            match successors[*node].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[to], true) {
                        path.push((to, 0));
                    }
                }
                None => {
                    order.push(*node);
                    path.pop();
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_on_a_common_cycle_share_a_component_and_others_do_not() {
        let graph = [vec![1], vec![2, 3], vec![0], vec![4, 4], vec![3], vec![5]];
        let of = components(&graph);
        assert!(of[0] == of[1] && of[1] == of[2]);
        assert_eq!(of[3], of[4]);
        assert!(of[0] != of[3] && of[5] != of[0] && of[5] != of[3]);
    }
}
