//! All sorted files of a search: the states that are not in memory.
//!
//! Every state is in one file. Files have a *rank*: what comes from memory has rank 0, and as soon as there are a few
//! files of one rank (four, if memory is not scarce) they are merged into one of the next rank. So a state is
//! rewritten a logarithmic number of times, and there are a logarithmic number of files to look into.
//!
//! States of the *next* level that leave the memory before the level ends are in files of their own, which are merged with
//! each other only until the level ends, because a reduced expansion must know whether its successors are of the next level
//! ([`crate::expander`]).

use std::ops::Range;

use super::blocks::Window;
use super::files::Files;
use super::run::{Key, Run, Writer, merge};
use crate::limits::{Limit, LimitMonitor};
use crate::sizes::Sizes;

/// Sorted files, with ranks that do not increase within a level.
pub(super) struct Runs {
    files: Files,
    words: usize,
    sizes: Sizes,
    runs: Vec<(u32, Run)>,
    /// The files from here on have states of the next level.
    next: usize,
    window: Window,
}

impl Runs {
    /// No files yet.
    pub(super) fn new(files: &Files, words: usize, sizes: Sizes) -> Runs {
        let (runs, window) = (Vec::new(), Window::default());
        Runs { files: files.clone(), words, sizes, runs, next: 0, window }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Bytes held in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.runs.iter().map(|(_, run)| run.bytes()).sum::<u64>() + self.window.bytes()
    }

    /// Looks sorted states up in every file and removes those that are found; `found` gets each, and whether it is of the
    /// next level.
    pub(super) fn look_up<'t>(
        &mut self,
        keys: &mut Vec<Key>,
        state_of: impl Fn(u32) -> &'t [u64] + Copy,
        watch: &LimitMonitor,
        mut found: impl FnMut(u32, bool),
    ) -> Result<(), Limit> {
        // The newest files first: most states that come again were new not long ago.
        for (i, (_, run)) in self.runs.iter().enumerate().rev() {
            // A window must not be taken for a part of another file.
            let mut window = std::mem::take(&mut self.window);
            let mut hits = Vec::new();
            let looked = run.look_up(keys, state_of, &mut window, watch, |at| hits.push(at));
            self.window = window.emptied();
            looked?;
            hits.iter().for_each(|&at| found(keys[at].1, i >= self.next));
            remove(keys, &hits);
        }
        Ok(())
    }

    /// Adds a file with sorted states that are in no other file, of the next level or of levels before.
    pub(super) fn add<'t>(
        &mut self,
        states: impl Iterator<Item = &'t [u64]>,
        are_next: bool,
        watch: &LimitMonitor,
    ) -> Result<(), Limit> {
        let mut writer = self.writer();
        for state in states {
            writer.push(state)?;
        }
        let run = (0, writer.finish()?);
        if are_next {
            self.runs.push(run);
            return self.merge(self.next..self.runs.len(), watch);
        }
        self.runs.insert(self.next, run);
        self.next += 1;
        let before = self.runs.len();
        self.merge(0..self.next, watch)?;
        self.next -= before - self.runs.len();
        Ok(())
    }

    /// Begins a new level: everything that is here belongs to levels that were found.
    pub(super) fn next_level(&mut self, watch: &LimitMonitor) -> Result<(), Limit> {
        if self.next < self.runs.len() {
            self.merge(0..self.runs.len(), watch)?;
            self.next = self.runs.len();
        }
        Ok(())
    }

    /// A new file. The more memory the indices take, the larger are its blocks, so that files can be hundreds of times
    /// larger than the memory.
    fn writer(&self) -> Writer {
        let indices: u64 = self.runs.iter().map(|(_, run)| run.bytes()).sum();
        let larger = (indices / self.sizes.index.max(1)).clamp(1, 64) as usize;
        let block = self.sizes.block * larger.next_power_of_two();
        Writer::new(&self.files, self.words, &Sizes { block, ..self.sizes })
    }

    /// Merges some of the files with each other until fewer than the fan are of one rank.
    fn merge(&mut self, mut range: Range<usize>, watch: &LimitMonitor) -> Result<(), Limit> {
        self.runs[range.clone()].sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        while let Some((start, rank)) = self.crowd(range.clone()) {
            let end = start + self.sizes.fan;
            let writer = self.writer();
            let parts: Vec<Run> = self.runs.drain(start..end).map(|(_, run)| run).collect();
            let merged = merge(&parts, writer, watch)?;
            debug_assert_eq!(merged.states(), parts.iter().map(Run::states).sum::<u64>());
            self.runs.insert(start, (rank + 1, merged));
            range.end -= self.sizes.fan - 1;
        }
        Ok(())
    }

    /// The first of as many files of one rank as are merged, and the rank. The smallest come first: what becomes of them
    /// may be merged on.
    fn crowd(&self, range: Range<usize>) -> Option<(usize, u32)> {
        let fan = self.sizes.fan;
        let starts = (range.start..(range.end + 1).saturating_sub(fan)).rev();
        let ranks = |start: usize| (self.runs[start].0, self.runs[start + fan - 1].0);
        starts
            .map(|start| (start, ranks(start)))
            .find(|(_, (a, b))| a == b)
            .map(|(s, (a, _))| (s, a))
    }

    /// Number of files.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }
}

/// Removes the elements at sorted positions.
fn remove(keys: &mut Vec<Key>, positions: &[usize]) {
    let mut positions = positions.iter().copied().peekable();
    let mut at = 0;
    keys.retain(|_| {
        let is_removed = positions.next_if_eq(&at).is_some();
        at += 1;
        !is_removed
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    const TINY: Sizes = Sizes { table: 8, filter: 3, index: 200, buffer: 64, block: 24, fan: 2 };

    fn runs(fan: usize) -> Runs {
        let files = Files::new(std::env::temp_dir(), u64::MAX);
        Runs::new(&files, 2, Sizes { fan, ..TINY })
    }

    fn watch() -> LimitMonitor {
        LimitMonitor::new(Limits::default())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_was_added_is_found_and_nothing_else(
            parts in prop::collection::vec(prop::collection::btree_set((0_u64..6, 0_u64..40), 1..30), 1..12),
            wanted in prop::collection::btree_set((0_u64..7, 0_u64..41), 0..80),
            level_after in 0_usize..12,
            olds in any::<u16>(),
            fan in 2_usize..5,
        ) {
            let mut runs = runs(fan);
            let mut known: BTreeMap<Vec<u64>, bool> = BTreeMap::new();
            for (i, part) in parts.iter().enumerate() {
                if i == level_after {
                    runs.next_level(&watch()).expect("room");
                    known.values_mut().for_each(|next| *next = false);
                }
                let new: BTreeSet<Vec<u64>> =
                    part.iter().map(|&(a, b)| vec![a, b]).filter(|s| !known.contains_key(s)).collect();
                if new.is_empty() {
                    continue;
                }
                let are_next = olds >> i & 1 == 0;
                runs.add(new.iter().map(Vec::as_slice), are_next, &watch()).expect("room");
                known.extend(new.into_iter().map(|state| (state, are_next)));
            }
            let wanted: Vec<[u64; 2]> = wanted.into_iter().map(|(a, b)| [a, b]).collect();
            let mut keys: Vec<Key> = (0..wanted.len()).map(|i| (wanted[i][0], i as u32)).collect();
            let mut found = BTreeMap::new();
            let state_of = |id: u32| wanted[id as usize].as_slice();
            runs.look_up(&mut keys, state_of, &watch(), |id, next| {
                found.insert(wanted[id as usize].to_vec(), next);
            }).expect("a whole file");
            let expected: BTreeMap<Vec<u64>, bool> = wanted
                .iter()
                .filter_map(|state| known.get_key_value(state.as_slice()))
                .map(|(state, next)| (state.clone(), *next))
                .collect();
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(keys.len(), wanted.len() - found.len());
            prop_assert!(runs.len() <= 2 * fan * 4, "{} files", runs.len());
        }
    }

    #[test]
    fn a_damaged_file_is_noticed_where_it_is_looked_into() {
        let mut runs = runs(2);
        let states: Vec<[u64; 2]> = (0..200).map(|i| [i, i * i]).collect();
        runs.add(states.iter().map(|s| s.as_slice()), true, &watch()).expect("room");
        runs.runs[0].1.damage(700);
        let mut keys: Vec<Key> = (0..200).map(|i| (u64::from(i), i)).collect();
        let state_of = |id: u32| states[id as usize].as_slice();
        let looked = runs.look_up(&mut keys, state_of, &watch(), |_, _| ());
        assert_eq!(looked, Err(Limit::Disk(crate::limits::DiskTrouble::Damaged)));
        let merged = runs.add([[1000_u64, 0].as_slice()].into_iter(), true, &watch());
        merged.expect_err("a merge reads it, too");
    }
}
