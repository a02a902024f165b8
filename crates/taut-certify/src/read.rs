//! The program, read again as the certificate says.
//!
//! The text is the one that the checker was given; the certificate has its hash, so that a certificate of another text is
//! refused with that reason and not with an obscure one. The options of the language come from the certificate, because
//! they are a part of what is claimed; they are part of what is printed in the end.

use std::collections::BTreeMap;

use taut_ir::frontend::{
    FileAccess, Frontend, LoadContext, Lowered, Model, NamedText, OptionKind, OptionValues,
    RaceProgram,
};
use taut_ir::granularity::{Most, split_program};
use taut_ir::{Claim as Asked, Granularity, Program};
use taut_proof::{Claim, Header, Outside, sha256};
use taut_source::{Diagnostics, FileId, SourceMap};

use crate::{Refusal, asked};

/// The languages that are read.
pub(crate) const FRONTENDS: &[&dyn Frontend] = &[
    &taut_lang::TautLanguage,
    &taut_litmus::Litmus,
    &taut_promela::Promela,
    &taut_dve::Dve,
    &taut_c::C,
    &taut_rmm::Rmm,
];

/// Number of processes of each definition, for a model that can start any number.
type Slots = Option<BTreeMap<String, u32>>;

/// A program that was read, as its front end knows it.
pub(crate) struct Reading {
    pub(crate) language: &'static dyn Frontend,
    granularity: Granularity,
    asked: Vec<Outside>,
    claims: Vec<Asked>,
    pub(crate) sources: SourceMap,
    pub(crate) file: FileId,
    pub(crate) model: Box<dyn Model>,
    program: Program,
}

impl Reading {
    /// Reads the program that a certificate is about.
    pub(crate) fn new(file: &str, text: &[u8], header: &Header) -> Result<Reading, Refusal> {
        check_hash(file, text, header)?;
        Reading::of(file, text, header)
    }

    /// Reads a program in the same way.
    pub(crate) fn of(file: &str, text: &[u8], header: &Header) -> Result<Reading, Refusal> {
        let language = FRONTENDS.iter().find(|known| known.name() == header.language);
        let language = *language
            .ok_or_else(|| Refusal::proof(format!("there is no language `{}`", header.language)))?;
        let granularity = granularity(header)?.unwrap_or(language.granularity());
        let values = values(language, header)?;
        let mut sources = SourceMap::new();
        let expanded = language.expand(file, text.to_vec(), &values, &mut sources);
        let expanded = expanded.map_err(|found| messages(&sources, &(*found).into()))?;
        let mut sources = SourceMap::new();
        let id = sources.add_bytes(file, expanded);
        let id = id.map_err(|found| messages(&SourceMap::new(), &(*found).into()))?;
        let claims = asked::claims(&header.asked, &mut sources);
        let claims = claims.map_err(|found| messages(&sources, &found))?;
        let mut context = LoadContext::new(&mut sources, id, &values);
        context.access = FileAccess::Allowed;
        context.granularity = granularity;
        context.claims = &claims;
        let read = language.load(&mut context).map_err(|found| messages(&sources, &found))?;
        let (model, asked) = (read.model, header.asked.clone());
        let program = Program::default();
        let mut reading =
            Reading { language, granularity, asked, claims, sources, file: id, model, program };
        reading.check_included(header)?;
        reading.program = reading.finish(read.lowered, &reading.asked)?;
        Ok(reading)
    }

    /// The program, with so many processes of each definition.
    pub(crate) fn with_slots(&self, slots: &Slots) -> Result<Program, Refusal> {
        self.sized(&*self.model, slots, &self.asked, &self.program)
    }

    /// The program of a claim, with as many processes as it says.
    pub(crate) fn program(&self, claim: &Claim) -> Result<Program, Refusal> {
        let raced = match claim.races {
            false => None,
            true => match self.model.races(&self.sources) {
                RaceProgram::Search(read) => Some(*read),
                _ => return Err(Refusal::proof("the program has no question about data races")),
            },
        };
        let model = raced.as_ref().map_or(&*self.model, |read| &*read.model);
        // The program that looks for races has no questions from outside.
        let asked: &[Outside] = if raced.is_some() { &[] } else { &self.asked };
        let program = raced.as_ref().map_or(&self.program, |read| &read.lowered.program);
        self.sized(model, &claim.slots, asked, program)
    }

    fn sized(
        &self,
        model: &dyn Model,
        slots: &Slots,
        asked: &[Outside],
        program: &Program,
    ) -> Result<Program, Refusal> {
        let Some(slots) = slots else { return Ok(program.clone()) };
        let lowered = model.growth().and_then(|growth| growth.with_slots(slots));
        let none = || Refusal::proof("the program cannot have as many processes");
        self.finish(lowered.ok_or_else(none)?, asked)
    }

    /// Adds the questions from outside and splits statements, as reading a program does.
    fn finish(&self, lowered: Lowered, asked: &[Outside]) -> Result<Program, Refusal> {
        let Lowered { mut program, labelled, .. } = lowered;
        if !self.language.reads_claims() && !asked.is_empty() {
            let found = taut_lang::claims(&program, &self.sources, &self.claims);
            let found = found.map_err(|found| messages(&self.sources, &found))?;
            program.properties.extend(found);
        }
        asked::add_labels(asked, &mut program, labelled);
        let usual = self.language.granularity();
        if self.granularity == Granularity::Access && usual == Granularity::Statement {
            program = split_program(program, Most::default())
                .map_err(|_| Refusal::proof("with one access per step the program is too large"))?;
        }
        program.granularity = Some(self.granularity).filter(|&granularity| granularity != usual);
        Ok(program)
    }

    /// Refuses included files that are not those of the certificate.
    fn check_included(&self, header: &Header) -> Result<(), Refusal> {
        for id in self.model.included() {
            let file = self.sources.file(id);
            let (name, hash) = (file.name(), sha256(file.text().as_bytes()));
            if !header.sources.iter().any(|known| known.sha256 == hash) {
                let why = format!("`{name}` is not the file that the certificate is about");
                return Err(Refusal::Proof(why));
            }
        }
        Ok(())
    }
}

/// Refuses a certificate of another text.
fn check_hash(file: &str, text: &[u8], header: &Header) -> Result<(), Refusal> {
    let found = sha256(text);
    match header.sources.first() {
        Some(known) if known.sha256 == found => Ok(()),
        Some(known) => Err(Refusal::Proof(format!(
            "it is about another text: `{}` with sha256 {:.16}, and `{file}` has sha256 {found:.16}",
            known.file, known.sha256
        ))),
        None => Err(Refusal::proof("it does not say which text it is about")),
    }
}

fn granularity(header: &Header) -> Result<Option<Granularity>, Refusal> {
    match header.granularity.as_deref() {
        None => Ok(None),
        Some("access") => Ok(Some(Granularity::Access)),
        Some("statement") => Ok(Some(Granularity::Statement)),
        Some(other) => Err(Refusal::Proof(format!("there is no granularity `{other}`"))),
    }
}

/// The options of the language, as the certificate has them.
fn values(language: &dyn Frontend, header: &Header) -> Result<OptionValues, Refusal> {
    let mut values = OptionValues::default();
    let find = |name: &str| {
        let found = language.options().iter().find(|option| option.name == name);
        found.ok_or_else(|| Refusal::Proof(format!("the language has no option `{name}`")))
    };
    for (name, words) in &header.options {
        for word in words {
            values.set(find(name)?, word.clone()).map_err(Refusal::Proof)?;
        }
    }
    for (name, file) in &header.files {
        let option = find(name)?;
        if option.kind != OptionKind::File {
            return Err(Refusal::Proof(format!("the option `{name}` is no file")));
        }
        let text = NamedText { name: file.name.clone(), text: file.text.clone() };
        values.set_file(option, text);
    }
    Ok(values)
}

pub(crate) fn messages(sources: &SourceMap, found: &Diagnostics) -> Refusal {
    Refusal::Program(taut_source::render_all(sources, found, false))
}
