//! Links lead somewhere: to a file that is there, and in it to a heading that is there. Nothing is asked of the
//! network.

use std::path::Path;

use super::{book, pages};
use taut_testkit::suite::root;

fn read(page: &Path) -> String {
    std::fs::read_to_string(page).unwrap_or_else(|e| panic!("{}: {e}", page.display()))
}

/// The lines of a page that are not code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

/// A line without what stands in backticks: programs have `](` in them, too.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Where the links and pictures of a page lead.
fn targets(text: &str) -> Vec<String> {
    let text = prose(text).map(without_code).collect::<Vec<_>>().join("\n");
    let mut all = Vec::new();
    for (start, end) in [("](", ')'), ("src=\"", '"'), ("data=\"", '"')] {
        let parts = text.split(start).skip(1).filter_map(|rest| rest.split(end).next());
        all.extend(parts.map(|target| target.replace('\n', " ").trim().to_owned()));
    }
    all.retain(|target| !target.contains("://"));
    all
}

/// The anchor that mdBook and GitHub give to a heading.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || ['-', '_'].contains(c);
    heading.trim().to_lowercase().replace(' ', "-").chars().filter(kept).collect()
}

fn has_anchor(page: &Path, wanted: &str) -> bool {
    let text = read(page);
    let headings = prose(&text).filter_map(|line| line.strip_prefix('#'));
    let mut anchors = headings.map(|line| anchor(line.trim_start_matches('#')));
    anchors.any(|found| found == wanted)
}

/// What is wrong with a link of a page, if anything is.
fn trouble(page: &Path, target: &str) -> Option<String> {
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let path = match file {
        "" => page.to_owned(),
        _ => page.parent().expect("a folder").join(file),
    };
    if !path.exists() {
        return Some(format!("{}: there is no {file}", page.display()));
    }
    // mdBook copies what is in the book and nothing else.
    let real = |path: &Path| path.canonicalize().expect("a path that exists");
    if page.starts_with(book()) && !real(&path).starts_with(real(&book())) {
        return Some(format!("{}: {file} is outside of the book", page.display()));
    }
    let leads = heading.is_empty() || has_anchor(&path, heading);
    (!leads).then(|| format!("{}: {target} has no such heading", page.display()))
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in pages() {
        for target in targets(&read(&page)) {
            count += 1;
            wrong.extend(trouble(&page, &target));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(count >= 200, "the pages have links: {count}");
}

/// mdBook puts the text of these files into the page.
#[test]
fn every_included_file_is_there() {
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        let parts = text.split("{{#include ").skip(1);
        for name in parts.filter_map(|rest| rest.split("}}").next()) {
            count += 1;
            let path = page.parent().expect("a folder").join(name);
            assert!(path.is_file(), "{}: there is no {name}", page.display());
        }
    }
    assert!(count >= 4, "the grammars are included: {count}");
}

#[test]
fn wrong_links_are_found() {
    let page = book().join("introduction.md");
    assert!(trouble(&page, "no-such-page.md").is_some());
    assert!(trouble(&page, "memory-models.md#no-such-heading").is_some());
    assert!(trouble(&page, "../../examples/sb.taut").is_some_and(|t| t.contains("outside")));
    assert_eq!(trouble(&page, "memory-models.md#what-each-operation-does"), None);
    assert_eq!(targets("[a](b.md)\n```\n[c](d.md)\n```\n`[e](f.md)`"), ["b.md"]);
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = read(&book().join("SUMMARY.md"));
    for page in pages() {
        let Ok(name) = page.strip_prefix(book()) else { continue };
        let name = name.to_str().expect("UTF-8");
        let listed = name == "SUMMARY.md" || summary.contains(&format!("({name})"));
        assert!(listed, "{name} is not in the summary");
    }
}

/// A picture that no page shows is forgotten, and one without words says nothing to those who cannot see it.
#[test]
fn every_picture_is_shown_and_has_words() {
    let shown: Vec<String> = pages().iter().flat_map(|page| targets(&read(page))).collect();
    for entry in std::fs::read_dir(book().join("pictures")).expect("the pictures") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_str().expect("UTF-8");
        assert!(shown.iter().any(|target| target.ends_with(name)), "no page shows {name}");
        let text = read(&path);
        let picture = roxmltree::Document::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        for words in ["title", "desc"] {
            let there = picture.descendants().any(|node| node.has_tag_name(words));
            assert!(there, "{name} has no <{words}>");
        }
    }
}

/// Programs are also named in the text, without a link.
#[test]
fn every_example_that_is_named_is_there() {
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        let names = text.split(|c: char| !(c.is_ascii_alphanumeric() || "._/-".contains(c)));
        let of_programs = |name: &&str| {
            let program = [".taut", ".pml", ".dve", ".ltl", ".hoa"];
            name.starts_with("examples/") && program.iter().any(|end| name.ends_with(end))
        };
        for name in names.filter(of_programs) {
            count += 1;
            assert!(root().join(name).exists(), "{}: there is no {name}", page.display());
        }
    }
    assert!(count >= 150, "examples are named: {count}");
}
