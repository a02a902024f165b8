//! Strongly connected components, by Tarjan's algorithm without recursion.

/// The component of every node, numbered so that edges between components lead to smaller numbers,
/// and how many there are.
pub(crate) fn components(successors: &[Vec<u32>]) -> (Vec<u32>, u32) {
    let mut tarjan = Tarjan::new(successors.len());
    for node in 0..successors.len() as u32 {
        if tarjan.order[node as usize] == UNSEEN {
            tarjan.visit(node, successors);
        }
    }
    (tarjan.component, tarjan.components)
}

const UNSEEN: u32 = u32::MAX;

struct Tarjan {
    order: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    stack: Vec<u32>,
    seen: u32,
    components: u32,
}

impl Tarjan {
    fn new(nodes: usize) -> Tarjan {
        let unseen = vec![UNSEEN; nodes];
        Tarjan {
            order: unseen.clone(),
            low: unseen.clone(),
            component: unseen,
            stack: vec![],
            seen: 0,
            components: 0,
        }
    }

    fn visit(&mut self, root: u32, successors: &[Vec<u32>]) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            match successors[node as usize].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if self.order[to as usize] == UNSEEN {
                        self.enter(to);
                        path.push((to, 0));
                    } else if self.component[to as usize] == UNSEEN {
                        self.lower(node, self.order[to as usize]);
                    }
                }
                None => {
                    path.pop();
                    self.leave(node);
                    if let Some((parent, _)) = path.last() {
                        self.lower(*parent, self.low[node as usize]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.order[node as usize] = self.seen;
        self.low[node as usize] = self.seen;
        self.seen += 1;
        self.stack.push(node);
    }

    fn lower(&mut self, node: u32, to: u32) {
        let low = &mut self.low[node as usize];
        *low = to.min(*low);
    }

    /// Closes the component of which the node is the first seen.
    fn leave(&mut self, node: u32) {
        if self.low[node as usize] != self.order[node as usize] {
            return;
        }
        while let Some(member) = self.stack.pop() {
            self.component[member as usize] = self.components;
            if member == node {
                break;
            }
        }
        self.components += 1;
    }
}
