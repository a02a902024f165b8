//! The page of `taut serve` in a real browser, with a real server behind it.
//!
//! One browser and one server serve all of it; pictures of the main views are kept beside those of reports,
//! in `report-screenshots` of the target folder.

#![cfg(target_os = "linux")]

mod editing;
mod jobs;
mod looks;
mod page;
use crate::serve_support;

use page::Page;
use serve_support::Server;
use taut_testkit::browser::Browser;

#[test]
fn the_page_in_a_browser() {
    let server = Server::start(&["--jobs", "1", "--timeout", "20s"]);
    let page = Page { browser: Browser::start(), server };
    page.browser.resize(1440, 1000);
    page.browser.prefer("screen", &[("prefers-color-scheme", "light")]);
    page.open();
    editing::loads_examples(&page);
    jobs::checks_what_is_typed(&page);
    editing::lets_the_keyboard_go(&page);
    editing::undoes_and_pages(&page);
    editing::marks_mistakes(&page);
    jobs::compares(&page);
    jobs::repairs_and_takes_over(&page);
    jobs::shows_progress_and_cancels(&page);
    jobs::waits_for_others(&page);
    jobs::refuses_what_cannot_be_asked(&page);
    editing::opens_files(&page);
    editing::keeps_what_was_typed(&page);
    looks::is_light_and_dark(&page);
    looks::fits_small_and_large_pages(&page);
    looks::takes_text_for_text(&page);
    editing::works_without_storage(&page);
    jobs::tells_that_the_server_is_gone(page);
}
