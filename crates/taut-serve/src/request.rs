//! Requests: what they say, what they may say, and the job that comes of them.

use hyper::StatusCode;
use serde::Deserialize;
use taut_page::{Job, Setup};

use crate::Limits;
use crate::answer::Refusal;

/// The longest name of a program, in bytes.
const LONGEST_NAME: usize = 100;
/// The least memory with which a job is worth starting.
const LEAST_MIB: u64 = 16;
/// How many bytes JSON may need for a byte of a text, as `\u0000`.
const ESCAPED: usize = 6;
/// The longest formula or list of names, in bytes.
const LONGEST_BESIDE: usize = 4096;
/// How many bytes the rest of a request may have.
const REST: usize = 4096 + 3 * ESCAPED * LONGEST_BESIDE;

/// A request as it is sent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What to do.
    pub task: String,
    /// What the program is called: a label, never a path.
    pub name: String,
    /// Its language.
    pub language: String,
    /// The program.
    pub text: String,
    /// The memory model.
    pub model: String,
    /// The engine.
    pub engine: String,
    /// Entries of a buffer; by default what is usual.
    #[serde(default)]
    pub bound: Option<u32>,
    /// A formula that is asked about, instead of the program's own questions.
    #[serde(default)]
    pub formula: Option<String>,
    /// Names of the questions that are answered, with commas between them.
    #[serde(default)]
    pub property: Option<String>,
    /// Names of variables that are observers', with commas between them.
    #[serde(default)]
    pub ghost: Option<String>,
    /// How many seconds it may take; at most what the server allows.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// How many MiB it may use; at most what the server allows.
    #[serde(default)]
    pub memory_mib: Option<u64>,
}

/// The most bytes of a request.
pub(crate) fn most_bytes(limits: &Limits) -> usize {
    limits.bytes.saturating_mul(ESCAPED).saturating_add(REST)
}

/// Reads a request and makes a job of it, if it is within what is offered.
pub(crate) fn read(body: &[u8], setup: &Setup, limits: &Limits) -> Result<Job, Refusal> {
    let request: Request = serde_json::from_slice(body).map_err(|error| {
        Refusal::bad(format!("the request is not understood: {error}"))
            .hint("a request is a JSON object; the book lists its fields under `taut serve`")
    })?;
    one_of("task", &request.task, setup.tasks.iter().copied())?;
    one_of("language", &request.language, setup.languages.iter().map(|l| l.name))?;
    one_of("model", &request.model, setup.models.iter().map(|m| m.name))?;
    one_of("engine", &request.engine, setup.engines.iter().map(|e| e.name))?;
    check_name(&request.name)?;
    check_size(&request.text, limits)?;
    let (seconds, memory_mib) = (seconds(&request, limits)?, memory(&request, limits)?);
    let beside = [&request.formula, &request.property, &request.ghost];
    check_beside(&beside.map(|text| text.as_deref().unwrap_or_default()))?;
    let Request { task, name, language, text, model, engine, bound, .. } = request;
    let Request { formula, property, ghost, .. } = request;
    Ok(Job {
        task,
        name,
        language,
        text,
        model,
        engine,
        bound,
        formula,
        property,
        ghost,
        seconds,
        memory_mib,
    })
}

fn one_of(
    field: &str,
    value: &str,
    allowed: impl Iterator<Item = &'static str> + Clone,
) -> Result<(), Refusal> {
    if allowed.clone().any(|name| name == value) {
        return Ok(());
    }
    let names: Vec<_> = allowed.map(|name| format!("`{name}`")).collect();
    Err(Refusal::bad(format!("`{field}` is none of {}", names.join(", "))))
}

fn check_name(name: &str) -> Result<(), Refusal> {
    let is_plain = |c: char| c.is_alphanumeric() || "._-+ ".contains(c);
    let fits = !name.is_empty() && name.len() <= LONGEST_NAME;
    if fits && !name.starts_with('.') && name.chars().all(is_plain) {
        return Ok(());
    }
    Err(Refusal::bad("`name` is not the plain name of a file")
        .hint("letters, digits, blanks and . _ - + make a name, such as `peterson.taut`"))
}

fn check_size(text: &str, limits: &Limits) -> Result<(), Refusal> {
    if text.len() <= limits.bytes {
        return Ok(());
    }
    let error =
        format!("the program has {} bytes, and at most {} are taken", text.len(), limits.bytes);
    let hint = "start the server with a larger --max-bytes, or use `taut check`";
    Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error).hint(hint))
}

/// What is asked beside the program is short: a request has limits, and so have its parts.
fn check_beside(texts: &[&str]) -> Result<(), Refusal> {
    let long = texts.iter().any(|text| text.len() > LONGEST_BESIDE);
    match long {
        true => Err(Refusal::bad(format!(
            "`formula`, `property` and `ghost` have at most {LONGEST_BESIDE} bytes each"
        ))),
        false => Ok(()),
    }
}

fn seconds(request: &Request, limits: &Limits) -> Result<f64, Refusal> {
    let most = limits.time.as_secs_f64();
    match request.seconds {
        None => Ok(most),
        Some(seconds) if seconds > 0.0 => Ok(seconds.min(most)),
        Some(_) => Err(Refusal::bad("`seconds` is not more than 0")),
    }
}

fn memory(request: &Request, limits: &Limits) -> Result<u64, Refusal> {
    match request.memory_mib {
        None => Ok(limits.memory_mib),
        Some(mib) if mib >= LEAST_MIB => Ok(mib.min(limits.memory_mib)),
        Some(_) => Err(Refusal::bad(format!("`memory_mib` is less than {LEAST_MIB}"))),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use taut_page::{Named, NamedLanguage};

    use super::*;

    const LIMITS: Limits =
        Limits { bytes: 10, time: Duration::from_secs(30), memory_mib: 1024, jobs: 1, waiting: 1 };

    fn setup() -> Setup {
        let named = |name| vec![Named { name, title: "" }];
        Setup {
            version: String::new(),
            tasks: vec!["check"],
            models: named("tso"),
            engines: named("auto"),
            languages: vec![NamedLanguage { name: "taut", ..NamedLanguage::default() }],
            examples: Vec::new(),
            book: Vec::new(),
        }
    }

    fn with(field: &str, value: Value) -> Result<Job, Refusal> {
        let mut request = json!({
            "task": "check", "name": "p.taut", "language": "taut", "text": "skip",
            "model": "tso", "engine": "auto",
        });
        request[field] = value;
        read(request.to_string().as_bytes(), &setup(), &LIMITS)
    }

    #[test]
    fn limits_can_be_lowered_and_not_raised() {
        let job = |field, value| with(field, value).expect("a job");
        assert_eq!(job("seconds", json!(2.5)).seconds, 2.5);
        assert_eq!(job("seconds", json!(1e9)).seconds, 30.0);
        assert_eq!(job("memory_mib", json!(64)).memory_mib, 64);
        assert_eq!(job("memory_mib", json!(u64::MAX)).memory_mib, 1024);
        let plain = job("bound", Value::Null);
        assert_eq!((plain.seconds, plain.memory_mib, plain.bound), (30.0, 1024, None));
    }

    #[test]
    fn what_is_not_offered_is_refused() {
        for (field, value) in [
            ("task", json!("shell")),
            ("model", json!("arm")),
            ("engine", json!("")),
            ("language", json!("c")),
            ("seconds", json!(0)),
            ("seconds", json!(-1)),
            ("seconds", json!("1")),
            ("memory_mib", json!(1)),
            ("memory_mib", json!(-64)),
            ("bound", json!(-1)),
            ("bound", json!(1.5)),
            ("text", json!(["skip"])),
            ("path", json!("/etc/passwd")),
            ("formula", json!("x".repeat(5000))),
            ("property", json!(["mutex"])),
        ] {
            let refusal = with(field, value.clone()).expect_err(field);
            assert_eq!(refusal.status(), StatusCode::BAD_REQUEST, "{field} {value}");
        }
        let refusal = with("text", json!("12345678901")).expect_err("too large");
        assert_eq!(refusal.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }

    #[test]
    fn names_are_plain() {
        for name in ["p", "Peterson 2.taut", "größe.pml", "a_b-c+d.dve"] {
            assert!(with("name", json!(name)).is_ok(), "{name}");
        }
        for name in
            ["", ".", "..", "../p", "/etc/passwd", "a/b", "a\\b", "a\0", "a\nb", "<b>", "c:p"]
        {
            assert!(with("name", json!(name)).is_err(), "{name}");
        }
        assert!(with("name", json!("x".repeat(101))).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        let deep = "[".repeat(100_000);
        for body in ["", "{}", "null", "[1]", "{\"task\":", deep.as_str(), "\u{feff}{}"] {
            assert!(read(body.as_bytes(), &setup(), &LIMITS).is_err());
        }
        assert!(read(b"\xff\xfe", &setup(), &LIMITS).is_err());
    }
}
