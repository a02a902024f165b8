//! A check as it was typed: what is refused before it starts, and what its options mean.

use taut::budget::Budget;
use taut::{Check, FullBuffer, Loaded, MemoryModel, Order, StoreKind};

use super::args::{BufferArgs, CheckingArgs, FullBufferArg, SearchArg, StoreArg};
use super::exit::Exit;
use super::input::shown;
use super::refused::Refused;
use super::{scope, temporal};

impl CheckingArgs {
    /// Reads the program together with the questions about its runs; bad input has been shown when this fails.
    pub fn read(&self) -> Result<Loaded, Exit> {
        shown(self.load())
    }

    /// The same, but that nothing is shown.
    pub fn load(&self) -> Result<Loaded, Refused> {
        temporal::load(&self.input, &self.runs)
    }

    /// Refuses what does not go together, with a message.
    pub fn refuse(&self, loaded: &Loaded, models: &[MemoryModel]) -> Result<(), Exit> {
        self.together(loaded, models).map_err(|refused| refused.show())
    }

    /// Whether everything that is asked goes together.
    pub fn together(&self, loaded: &Loaded, models: &[MemoryModel]) -> Result<(), Refused> {
        scope::refuse(loaded, models, &self.buffers, &self.search)?;
        let trouble = self.trouble_of_faults().map(String::from);
        let trouble = trouble.or_else(|| self.trouble_of_stores(loaded));
        match trouble.or_else(|| self.trouble_of_disk(loaded)) {
            None => Ok(()),
            Some(trouble) => Err(Refused::Message(trouble)),
        }
    }

    /// Faults that are asked for by name and left out.
    fn trouble_of_faults(&self) -> Option<&'static str> {
        let named = self.runs.property.iter().any(|name| name == "fault");
        (named && self.search.no_fault)
            .then_some("`--property fault` and `--no-fault` contradict each other")
    }

    /// Where states cannot be kept as asked. A search for runs needs every state that it has met: it goes through
    /// cycles again, and a state that is taken for another could close one that is none.
    fn trouble_of_stores(&self, loaded: &Loaded) -> Option<String> {
        let store = self.search.speed.store;
        let choice = scope::engine(&self.search);
        let no_store = choice.engine().and_then(|engine| engine.capabilities().no_store);
        if let Some(refusal) = no_store.filter(|_| store != StoreArg::Exact) {
            return Some(refusal.into());
        }
        if !StoreKind::from(store).is_lossy() {
            return None;
        }
        let check = temporal::configure(Check::of(loaded), &self.runs);
        let asked = check.temporal_properties().next()?;
        Some(format!(
            "`{asked}` is about runs, and a store that can miss states cannot answer that; use --store tree, or \
             leave it out with --no-ltl or --property"
        ))
    }

    /// Where states cannot be kept in files.
    fn trouble_of_disk(&self, loaded: &Loaded) -> Option<String> {
        let speed = &self.search.speed;
        if speed.store != StoreArg::Disk {
            let is_asked = speed.disk() != taut::DiskOptions::default();
            return is_asked
                .then(|| "--disk-dir, --max-disk and --disk-memory are for --store disk".into());
        }
        if self.search.search == SearchArg::Dfs {
            return Some("--store disk searches breadth first; leave --search out".into());
        }
        let check = temporal::configure(Check::of(loaded), &self.runs);
        if let Some(asked) = check.temporal_properties().next() {
            return Some(format!(
                "`{asked}` is about runs, and searches for runs keep their states in memory; leave --store disk out, or \
                 leave `{asked}` out with --no-ltl or --property"
            ));
        }
        let directory = speed.disk().directory();
        let error = taut::scratch_file(&directory).err()?;
        Some(format!("no file can be created in `{}`: {error}", directory.display()))
    }

    /// The check under one memory model, within a budget.
    pub fn check<'l>(&self, loaded: &'l Loaded, model: MemoryModel, budget: &Budget) -> Check<'l> {
        let CheckingArgs { buffers, search, limits, .. } = self;
        let order = match search.search {
            SearchArg::Bfs => Order::Bfs,
            SearchArg::Dfs => Order::Dfs,
        };
        let check = Check::of(loaded)
            .model(model)
            .full_buffer(full_buffer(buffers))
            .engine(scope::engine(search))
            .order(order)
            .deadlock(!search.no_deadlock)
            .asserts(!search.no_assert)
            .faults(!search.no_fault)
            .robust(search.robust)
            .reduce(search.speed.reduce.into())
            .store(search.speed.store.into())
            .disk(search.speed.disk())
            .threads(search.speed.threads())
            .max_states(limits.max_states)
            .budget(budget);
        let check = match buffers.bound {
            Some(bound) => check.bound(bound.0),
            None => check,
        };
        temporal::configure(check, &self.runs)
    }
}

/// What a store into a full buffer does, as the arguments say.
pub fn full_buffer(buffers: &BufferArgs) -> FullBuffer {
    match buffers.full_buffer {
        FullBufferArg::Wait => FullBuffer::Wait,
        FullBufferArg::Error => FullBuffer::Error,
    }
}
