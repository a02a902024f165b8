// A long list of which only what can be seen is in the page. All items are equally high, so where an item is, and which
// ones can be seen, is a multiplication.

/** How many items beyond the edges are kept, so that scrolling shows no gaps. */
const SPARE = 8;

/**
 * A list in `content`, which is scrolled in `scroller` (a positioned element): `draw(index)` makes an item, `height()`
 * is that of one in pixels. Whoever makes it calls `refresh` when sizes may have changed.
 */
function longList({ scroller, content, count, height, draw }) {
  const shown = new Map();
  let view = { top: 0, height: 0, item: 1, above: 0 };

  /** Asks the page for its measures; only when they can have changed, since asking is slow. */
  function measure() {
    view = {
      top: scroller.scrollTop,
      height: scroller.clientHeight,
      item: height(),
      above: content.offsetTop,
    };
    content.style.height = `${count * view.item}px`;
  }

  function place(item, index) {
    item.style.top = `${index * view.item}px`;
  }

  function fill() {
    const first = Math.max(0, Math.floor((view.top - view.above) / view.item) - SPARE);
    const last = Math.min(count, Math.ceil((view.top + view.height - view.above) / view.item) + SPARE);
    for (const [index, item] of shown) {
      if (index < first || index >= last) {
        item.remove();
        shown.delete(index);
      }
    }
    for (let index = first; index < last; index++) {
      if (!shown.has(index)) add(index);
    }
  }

  function add(index) {
    const item = draw(index);
    place(item, index);
    shown.set(index, item);
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

  /** Scrolls as little as it takes to see an item with some room around it. */
  function reveal(index) {
    const room = Math.min(2 * view.item, view.height / 4);
    const top = index * view.item;
    const bottom = view.above + top + view.item;
    let to = view.top;
    if (bottom + room > to + view.height) to = bottom + room - view.height;
    if (top - room < to) to = Math.max(0, top - room);
    if (to === view.top) return;
    scroller.scrollTop = to;
    view.top = to;
    fill();
  }

  function refresh() {
    measure();
    for (const [index, item] of shown) place(item, index);
    fill();
  }

  function scrolled() {
    view.top = scroller.scrollTop;
    fill();
  }

  scroller.addEventListener("scroll", scrolled, { passive: true });
  const stop = () => scroller.removeEventListener("scroll", scrolled);
  return { refresh, redraw, reveal, stop, item: (index) => shown.get(index) };
}

/** Calls a function whenever an element has another size; the function that ends it. */
function whenResized(watched, changed) {
  const watcher = new ResizeObserver(changed);
  watcher.observe(watched);
  return () => watcher.disconnect();
}
