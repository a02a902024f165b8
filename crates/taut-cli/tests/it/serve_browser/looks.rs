//! How it looks, and that text stays text.

use serde_json::{Value, json};

use crate::serve_browser::page::Page;
use crate::serve_support::example;

/// Text that would like to be markup, in a program with a mistake on its third line.
const HOSTILE: &str = "\
/* </textarea></script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'> */
byte x;
active proctype p() { printf(\"<b>bold</b>\"); y = 1 }
";

pub fn is_light_and_dark(page: &Page) {
    page.set("peterson.taut", &example("peterson.taut"));
    page.finish("check");
    let colours = || {
        page.run(
            "const of = (what) => getComputedStyle(document.querySelector(what));
             return [of('body').backgroundColor, of('.diagram').backgroundColor, of('.paint').color]",
        )
    };
    let light = colours();
    page.browser.prefer("screen", &[("prefers-color-scheme", "dark")]);
    let dark = colours();
    for part in 0..3 {
        assert_ne!(light[part], dark[part]);
    }
    page.picture("dark");
    page.browser.click(".theme");
    assert_eq!(colours(), light, "light, whatever the system says; the report, too");
    page.browser.prefer("screen", &[("prefers-color-scheme", "light")]);
    page.browser.click(".theme");
    assert_eq!(colours(), dark);
    page.open();
    let background = page.run("return getComputedStyle(document.body).backgroundColor");
    assert_eq!(background, dark[0], "a reload does not change it");
    page.browser.click(".theme");
}

pub fn fits_small_and_large_pages(page: &Page) {
    page.finish("repair");
    for (width, height) in [(360, 3000), (768, 1600), (1920, 1600)] {
        page.browser.resize(width, height);
        let wide = page.run("return document.documentElement.scrollWidth");
        assert_eq!(wide, json!(width), "nothing sticks out");
        page.run("scrollTo(0, 0)");
        page.picture(&format!("{width}"));
    }
    page.browser.resize(1440, 1000);
    page.is_silent_and_alone();
}

pub fn takes_text_for_text(page: &Page) {
    page.set("hostile.pml", HOSTILE);
    page.finish("check");
    assert!(page.browser.count(".message.error") > 0);
    assert_eq!(page.marked()[0], json!(["3"]));
    let first = page.browser.text(".paint-line code");
    assert_eq!(first, HOSTILE.lines().next().expect("a line"));
    page.set("hostile.pml", &HOSTILE.replace("y = 1", "assert(x == 1)"));
    page.finish("check");
    assert!(page.browser.text(".rows").contains("<b>bold</b>"));
    assert_eq!(page.run("return window.hacked ?? null"), Value::Null);
    assert_eq!(page.browser.count("img, b b, script:not([src])"), 0);
    page.is_silent_and_alone();
}
