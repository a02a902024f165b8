//! The files of the static folder, but for the engine.

use std::io;
use std::path::Path;

use taut_page::{BOOK, HTML, JobHost, Offer, OfferedLimits, WORKER};

/// What a job may cost in a browser. A page has one worker at a time, and 32-bit memory.
pub const LIMITS: OfferedLimits =
    OfferedLimits { bytes: 256 << 10, seconds: 60.0, memory_mib: 1024, jobs: 1, waiting: 0 };

/// The policy of the page: its own files, its own worker, no one else's anything.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
     connect-src 'self'; worker-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

/// Writes the folder: the page around an engine that was compiled.
pub fn write(engine: &Path, folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder.join("book"))?;
    let put = |name: &str, text: &str| std::fs::write(folder.join(name), text);
    put("index.html", &document())?;
    put("page.js", &taut_page::script(JobHost::Worker))?;
    put("page.css", &taut_page::style())?;
    put("worker.js", WORKER)?;
    put("setup.json", &setup()?)?;
    for chapter in BOOK {
        put(&format!("book/{}", chapter.file), chapter.text)?;
    }
    std::fs::copy(engine, folder.join("taut.wasm")).map(|_| ())
}

/// The document of the page. A server would send the policy in a header; here the document says it.
fn document() -> String {
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    HTML.replacen("<meta charset=\"utf-8\">", &format!("<meta charset=\"utf-8\">\n{policy}"), 1)
}

fn setup() -> io::Result<String> {
    let setup = taut_job::setup();
    Ok(serde_json::to_string(&Offer { setup: &setup, limits: LIMITS })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_its_policy() {
        assert!(document().contains("wasm-unsafe-eval"));
    }

    #[test]
    fn the_page_is_told_what_it_offers() {
        let setup = setup().expect("JSON");
        assert!(setup.contains("peterson.taut") && setup.contains("\"memory_mib\":1024"));
    }
}
