// What was typed survives a reload: it is kept for as long as the tab is open, if the browser allows that.

const KEPT = "taut-serve";

/** What was kept, or an empty object. */
function kept() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEPT));
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

/** Keeps what `now()` says, a moment after each call and when the page is left. */
function keeper(now) {
  let timer;

  function keep() {
    clearTimeout(timer);
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(now()));
    } catch {
      // Storage is full or denied: the page works without it.
    }
  }

  window.addEventListener("pagehide", keep);
  return () => {
    clearTimeout(timer);
    timer = setTimeout(keep, 300);
  };
}
