// A long list of which only what can be seen is in the page. Items are equally high, or as high as what they say: then each
// is taken for one line high until it is drawn and measured.

/** How many items beyond the edges are kept, so that scrolling shows no gaps. */
const SPARE = 8;
/** How often what can be seen is looked up again while items turn out higher than they were taken for. */
const ROUNDS = 6;

/**
 * A list in `content`, which is scrolled in `scroller` (a positioned element): `draw(index)` makes an item, `height()`
 * is that of one in pixels, the least if items are `measured`. Whoever makes it calls `refresh` when sizes may have changed.
 */
function longList({ scroller, content, count, height, draw, measured = false }) {
  const shown = new Map();
  let fresh = [];
  let view = { top: 0, height: 0, width: 0, item: 1, above: 0 };
  let heights = [];
  let offsets = [];

  /** Asks the page for its measures; only when they can have changed, since asking is slow. */
  function measure() {
    const width = scroller.clientWidth;
    if (width !== view.width) forget();
    view = {
      top: scroller.scrollTop, height: scroller.clientHeight, width, item: height(), above: content.offsetTop,
    };
    layOut();
  }

  /** Forgets how high items are: they are broken into lines in another way. */
  function forget() {
    heights = [];
    fresh = [...shown.keys()];
  }

  const tall = (index) => heights[index] ?? view.item;
  const offset = (index) => (measured ? offsets[index] ?? 0 : index * view.item);

  /** Says where every item is. */
  function layOut() {
    if (measured) {
      offsets = [0];
      for (let index = 0; index < count; index++) offsets.push(offsets[index] + tall(index));
    }
    content.style.height = `${offset(count)}px`;
    for (const [index, item] of shown) place(item, index);
  }

  function place(item, index) {
    item.style.top = `${offset(index)}px`;
  }

  /** The item at a distance from the top. */
  function itemAt(distance) {
    if (!measured) return Math.floor(distance / view.item);
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (offsets[middle] <= distance) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function fill() {
    for (let round = 0; round < ROUNDS; round++) {
      const first = Math.max(0, itemAt(view.top - view.above) - SPARE);
      const last = Math.min(count, itemAt(view.top + view.height - view.above) + 1 + SPARE);
      for (const [index, item] of shown) {
        if (index < first || index >= last) {
          item.remove();
          shown.delete(index);
        }
      }
      for (let index = first; index < last; index++) {
        if (!shown.has(index)) add(index);
      }
      if (!learnHeights()) return;
    }
  }

  /** Measures the items that were drawn; whether one is not as high as it was taken for. */
  function learnHeights() {
    if (!measured) return false;
    let above = 0;
    let differ = false;
    for (const index of fresh.splice(0)) {
      const now = Math.ceil(shown.get(index)?.getBoundingClientRect().height ?? 0);
      if (!now || now === tall(index)) continue;
      if (offsets[index + 1] <= view.top - view.above) above += now - tall(index);
      heights[index] = now;
      differ = true;
    }
    if (differ) layOut();
    if (above) {
      // What is seen stays where it is, though items above it have grown.
      scroller.scrollTop += above;
      view.top = scroller.scrollTop;
    }
    return differ;
  }

  function add(index) {
    const item = draw(index);
    place(item, index);
    shown.set(index, item);
    fresh.push(index);
    content.append(item);
  }

  /** Draws an item again, if it is there. */
  function redraw(index) {
    const old = shown.get(index);
    if (!old) return;
    const item = draw(index);
    place(item, index);
    shown.set(index, item);
    old.replaceWith(item);
  }

  /** Draws all again, since there are other items. */
  function reset(number) {
    count = number;
    for (const item of shown.values()) item.remove();
    shown.clear();
    heights = [];
    fresh = [];
    measure();
    fill();
  }

  /** Scrolls as little as it takes to see an item with some room around it. */
  function reveal(index) {
    for (let round = 0; round < ROUNDS; round++) {
      const room = Math.min(2 * view.item, view.height / 4);
      const top = offset(index);
      const bottom = view.above + top + tall(index);
      let to = view.top;
      if (bottom + room > to + view.height) to = bottom + room - view.height;
      if (top - room < to) to = Math.max(0, top - room);
      if (to === view.top) return;
      scroller.scrollTop = to;
      if (scroller.scrollTop === view.top) return;
      view.top = scroller.scrollTop;
      fill();
    }
  }

  function refresh() {
    measure();
    fill();
  }

  function scrolled() {
    view.top = scroller.scrollTop;
    fill();
  }

  scroller.addEventListener("scroll", scrolled, { passive: true });
  const stop = () => scroller.removeEventListener("scroll", scrolled);
  return { refresh, redraw, reset, reveal, stop, item: (index) => shown.get(index) };
}

/** Calls a function whenever an element has another size; the function that ends it. */
function whenResized(watched, changed) {
  const watcher = new ResizeObserver(changed);
  watcher.observe(watched);
  return () => watcher.disconnect();
}
