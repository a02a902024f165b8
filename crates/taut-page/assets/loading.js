// Another text in the place of the one in a text area, such that undo brings the first one back.

/** Lines that the browser's own editing inserts in a moment; the time that it takes grows with their square. */
const MOST_INSERTED = 150;

/** What puts another text into an area. */
function loader(area) {
  let swapped;

  /** Replaces what is different: mostly that is little, also where the text is long. */
  function load(text) {
    const before = area.value;
    const same = commonEnds(before, text);
    const middle = text.slice(same.start, text.length - same.end);
    if (middle.split("\n").length <= MOST_INSERTED) return replaceText(area, same.start, before.length - same.end, middle);
    swap(text);
    swapped = { before, after: text };
  }

  /** A long text is not typed but set, and undo is for this file to do. */
  function swap(text) {
    area.value = text;
    area.dispatchEvent(new Event("input"));
  }

  area.addEventListener("keydown", (event) => {
    const undo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "z";
    if (!undo || !swapped || area.value !== swapped.after) return;
    event.preventDefault();
    swap(swapped.before);
    swapped = undefined;
  });
  return load;
}

/** How many characters two texts have in common at their start, and then at their end. */
function commonEnds(one, other) {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return { start, end };
}
