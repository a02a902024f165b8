"use strict";
// Zoom and pan: the part of the picture that is seen is the SVG's view box. At the start it is all of it.
(() => {
  const svg = document.querySelector("svg");
  const whole = svg.viewBox.baseVal;
  const all = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  let seen = { ...all };
  /** The smallest part that is worth looking at, in units of the picture. */
  const LEAST = 40;

  function show() {
    svg.setAttribute("viewBox", `${seen.x} ${seen.y} ${seen.width} ${seen.height}`);
  }

  /** Units of the picture for a pixel. */
  function unit() {
    return Math.max(seen.width / svg.clientWidth, seen.height / svg.clientHeight);
  }

  /** The point of the picture under a point of the window. */
  function under(x, y) {
    const size = unit();
    return {
      x: seen.x + seen.width / 2 + (x - svg.clientWidth / 2) * size,
      y: seen.y + seen.height / 2 + (y - svg.clientHeight / 2) * size,
    };
  }

  /** Shows a part that is so many times as large; the point under the pointer stays where it is. */
  function zoom(factor, x = svg.clientWidth / 2, y = svg.clientHeight / 2) {
    const width = Math.min(Math.max(seen.width * factor, LEAST), 4 * all.width);
    const by = width / seen.width;
    const fixed = under(x, y);
    seen = {
      x: fixed.x - (fixed.x - seen.x) * by, y: fixed.y - (fixed.y - seen.y) * by,
      width, height: seen.height * by,
    };
    show();
  }

  /** Moves the picture by so many pixels. */
  function pan(x, y) {
    const size = unit();
    seen = { ...seen, x: seen.x - x * size, y: seen.y - y * size };
    show();
  }

  function fit() {
    seen = { ...all };
    show();
  }

  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(Math.sign(event.deltaY) * 0.18), event.clientX, event.clientY);
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    svg.classList.add("moving");
  });
  svg.addEventListener("pointermove", (event) => {
    if (svg.classList.contains("moving")) pan(event.movementX, event.movementY);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    svg.addEventListener(name, () => svg.classList.remove("moving"));
  }
  const keys = {
    "+": () => zoom(0.8), "=": () => zoom(0.8), "-": () => zoom(1.25), "0": fit,
    ArrowLeft: () => pan(60, 0), ArrowRight: () => pan(-60, 0), ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60),
  };
  document.addEventListener("keydown", (event) => {
    const move = keys[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move();
  });
  const on = (id, act) => document.getElementById(id).addEventListener("click", act);
  on("closer", () => zoom(0.8));
  on("farther", () => zoom(1.25));
  on("fit", fit);
})();
