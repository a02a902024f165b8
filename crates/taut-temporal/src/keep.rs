//! A search for runs that stands still, in a checkpoint.
//!
//! **One thread**, by components or by nested search: the cut is after a node was opened. The walk (nodes with their parents,
//! transitions of the path in hand, counts) and the search (`Dive`: the path, components or colours) are written as they
//! are, so the search goes on with the next transition, as if nothing had happened. If a limit was met while
//! a node was being opened, the node is opened again.
//!
//! **Several threads**: see [`super::parallel`].
//!
//! Which of the two goes on does not depend on the number of threads. A search that one thread has begun is ended by one
//! thread, unless it is so small that the others would not have helped yet; one of several threads is ended by as
//! many as there are.

use std::fmt::Write as _;
use std::io;

use taut_ir::Memory;
use taut_memory::MemorySystem;

use super::method::Method;
use super::parallel::Standstill;
use super::product::Product;
use super::product_dfs::{Terms, Walk};
use super::restore::Transitions;
use super::{Job, Search, TemporalOptions, nested, scc};
use taut_explicit::Completion;
use taut_explicit::checkpoint::{Extent, Fingerprint, Keeper, Reader, Saved, damaged, saved};
use taut_explicit::limits::Limit;

/// A search that stands still.
pub(super) enum Kept<'a, M> {
    Components(Walk<'a, M>, scc::Dive),
    Nested(Walk<'a, M>, nested::Dive),
    Shared(Standstill),
    /// A limit leaves no room for the nodes that were stored.
    NoRoom(Extent, Limit),
}

impl<'a, M: MemorySystem> Kept<'a, M> {
    /// The search in the checkpoint, if there is one.
    pub(super) fn find(product: &'a Product<'a, M>, terms: Terms<'a>) -> Option<Kept<'a, M>> {
        terms.keeper?.state(|extent, from| match terms.watch.check(extent.bytes) {
            Some(limit @ Limit::Bytes(_)) => Ok(Kept::NoRoom(extent, limit)),
            _ => Kept::restore(product, terms, from),
        })
    }

    fn restore(
        product: &'a Product<'a, M>,
        terms: Terms<'a>,
        from: &mut Reader<'_>,
    ) -> io::Result<Kept<'a, M>> {
        let unfit = || damaged("a path leads through unknown nodes");
        match Method::restore(from)? {
            Method::Components => {
                let dive = scc::Dive::restore(from)?;
                let walk = Walk::restore(product, terms, from)?;
                let fits = dive.fits(&walk);
                fits.then(|| Kept::Components(walk, dive)).ok_or_else(unfit)
            }
            Method::Nested => {
                let dive = nested::Dive::restore(from)?;
                let walk = Walk::restore(product, terms, from)?;
                let fits = dive.fits(&walk);
                fits.then(|| Kept::Nested(walk, dive)).ok_or_else(unfit)
            }
            Method::Shared => Standstill::restore(product, from).map(Kept::Shared),
        }
    }
}

saved!(Transitions { all, cycle });
saved!(Search { found, completion, bounds_met, stats });

impl Job<'_> {
    /// The checkpoint of a search, if there are any.
    pub(super) fn keeper<M>(
        self,
        product: &Product<'_, M>,
        terms: Terms<'_>,
        memory: Memory,
    ) -> Option<Keeper> {
        let limits = self.watch.limits();
        let checkpoints = limits.checkpoints.as_ref().filter(|_| !self.whole)?;
        let TemporalOptions { fairness, emptiness, reduce, spawn_all, alone, .. } = self.options;
        let options = (fairness, emptiness, reduce, spawn_all, alone, limits.states);
        let own = (product.ends_early, terms.must_fit, product.reduction.is_some());
        let (program, violation) = (self.program, self.violation.text());
        let mut print = Fingerprint::default();
        let written = write!(print, "runs {program:?} {memory:?} {violation} {options:?} {own:?}");
        written.is_ok().then(|| Keeper::new(checkpoints, print))
    }

    /// Searches a product, from the start or from where a checkpoint says; `None` if the search ended early at a prefix
    /// that is not plainly bad.
    pub(super) fn search<M: MemorySystem + Sync>(
        self,
        product: &Product<'_, M>,
        terms: Terms<'_>,
        memory: Memory,
    ) -> Option<Search> {
        let Some(keeper) = self.keeper(product, terms, memory) else {
            return self.search_kept(product, terms, memory).search;
        };
        if let Some(search) = keeper.result() {
            return search;
        }
        let terms = Terms { keeper: Some(&keeper), ..terms };
        let Searched { search, nodes, is_raced } = self.search_kept(product, terms, memory);
        let is_cut = search.as_ref().is_some_and(|s| s.completion.is_cut());
        // Where time ran out meanwhile, the run may be longer than it has to be.
        if !is_cut && !is_raced && self.watch.check_steady().is_none() {
            keeper.finish(nodes, &search);
        }
        search
    }

    /// The result of a search that stays where it is.
    pub(super) fn no_room<M: MemorySystem>(
        self,
        walk: &Walk<'_, M>,
        memory: Memory,
        (extent, limit): (Extent, Limit),
    ) -> Searched {
        let mut stats = self.stats(walk, memory);
        stats.states = extent.states;
        let (completion, bounds_met) = (Completion::Limit(limit), walk.bounds_met());
        let search = Some(Search { found: None, completion, bounds_met, stats });
        Searched { search, nodes: extent.states, is_raced: false }
    }
}

/// What a search of a product came to.
pub(super) struct Searched {
    pub(super) search: Option<Search>,
    pub(super) nodes: u64,
    /// Whether the result depends on the speed of threads.
    pub(super) is_raced: bool,
}
