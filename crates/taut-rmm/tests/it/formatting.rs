//! The usual layout: the same words and comments, and the same text when it is laid out again.

use taut_source::SourceMap;
use taut_testkit::corpus;
use taut_testkit::suite::root;

fn format(text: &str) -> String {
    let mut map = SourceMap::new();
    let file = map.add("p.rmm", text);
    taut_rmm::format(&map, file).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// A text without blanks.
fn words(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn stays(text: &str) {
    let formatted = format(text);
    assert_eq!(words(text), words(&formatted));
    assert_eq!(format(&formatted), formatted);
}

#[test]
fn the_layout_is_the_usual_one() {
    let text = "forbidden CS CS;CS *\npredicates $a=0\ndata x=*:[0:1]\n y = -1:[-1:1]   process(2) registers $a=0:[0:1]\ntext
/* here */
CS :write :x:=- 1+$a;   /* and here */


either{ read:x[my]=0\nor\nread:[$a]=1 ; nop};
if not[$a=1||true] then
goto CS
else { nop };
cas( x,0 , 1 )";
    let expected = "forbidden CS CS; CS *
predicates $a = 0
data x = * : [0:1]
  y = -1 : [-1:1]
process(2)
registers $a = 0 : [0:1]
text
  /* here */
  CS: write: x := -1 + $a; /* and here */

  either { read: x[my] = 0
  or
    read: [$a] = 1; nop };
  if not [$a = 1 || true] then
    goto CS
  else { nop };
  cas(x, 0, 1)
";
    assert_eq!(format(text), expected);
    stays(text);
}

#[test]
fn examples_are_laid_out() {
    let entries = std::fs::read_dir(root().join("examples/rmm")).expect("examples");
    let paths = entries.map(|e| e.expect("an entry").path());
    let mut count = 0;
    for path in paths.filter(|p| p.extension().is_some_and(|e| e == "rmm")) {
        let text = std::fs::read_to_string(&path).expect("a text");
        assert_eq!(format(&text), text, "{}", path.display());
        count += 1;
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn programs_of_others_keep_their_words() {
    let Some(folder) = corpus::find("the layout of RMM programs") else { return };
    let entries = std::fs::read_dir(folder.join("rmm")).expect("the programs");
    let mut count = 0;
    for entry in entries {
        stays(&std::fs::read_to_string(entry.expect("an entry").path()).expect("a text"));
        count += 1;
    }
    assert!(count >= 38, "{count}");
}
