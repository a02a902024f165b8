// Stepping: buttons, a slider, keys, and playing.

/** Milliseconds that a row is shown while playing. */
const PACE = 700;
/** Rows that a page is. */
const PAGE = 10;

/** The controls of a run; `moved(position)` is called for every move. */
function controlsView(run, moved) {
  const length = run.rows.length;
  const again = run.lasso && run.lasso.before < length ? run.lasso.before : undefined;
  let position = 0;
  let timer;
  const slider = element("input", {
    type: "range", min: 0, max: length, value: 0, step: 1, "aria-label": "row", oninput: () => go(Number(slider.value)),
  });
  const where = element("output", { class: "where" });
  const play = button("▶", "play", toggle, { class: "play", "aria-pressed": "false" });
  const root = element("div", { class: "controls", role: "group", "aria-label": "step through the run" },
    button("⇤", "to the start", () => go(0)), button("←", "one row back", () => go(position - 1)),
    play, button("→", "one row on", () => go(position + 1)), button("⇥", "to the end", () => go(length)),
    slider, where);

  function go(to) {
    position = Math.max(0, Math.min(length, to));
    slider.value = position;
    const text = position ? `row ${position} of ${length}` : `start, ${counted(length, "row")}`;
    where.textContent = text;
    slider.setAttribute("aria-valuetext", text);
    moved(position);
  }

  function stop() {
    clearInterval(timer);
    timer = undefined;
    play.textContent = "▶";
    play.setAttribute("aria-pressed", "false");
  }

  function toggle() {
    if (timer !== undefined) return stop();
    if (position === length && again === undefined) go(0);
    play.textContent = "❚❚";
    play.setAttribute("aria-pressed", "true");
    timer = setInterval(tick, PACE);
  }

  /** One row on; a cycle goes on for ever, another run ends. */
  function tick() {
    if (position < length) go(position + 1);
    else if (again !== undefined) go(again + 1);
    if (position === length && again === undefined) stop();
  }

  const moves = {
    ArrowRight: () => go(position + 1), ArrowDown: () => go(position + 1),
    ArrowLeft: () => go(position - 1), ArrowUp: () => go(position - 1),
    PageDown: () => go(position + PAGE), PageUp: () => go(position - PAGE),
    Home: () => go(0), End: () => go(length), " ": toggle,
  };

  /** What a key does; whether it does anything. */
  function key(event) {
    const move = moves[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return false;
    if (event.key === " " && event.target.closest("button, summary, a")) return false;
    move();
    return true;
  }

  return { root, go, key, stop, position: () => position, isPlaying: () => timer !== undefined };
}
