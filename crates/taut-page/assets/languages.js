// The languages as the editor sees them: comments, words and texts. It only colours; what a program means is for the server.

/** Lines that are longer than this are not coloured. */
const LONGEST_COLOURED = 2000;

/** A regular expression of parts, of which each may have a line. */
function anyOf(...parts) {
  return new RegExp(parts.map((part) => part.source).join("|"), "g");
}

/** A text as a part of a regular expression. */
function literally(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** A mark that no text has. */
const NEVER = "(?!)";

/** The syntax of a language of the setup; one that is not known has no colours. */
function syntaxOf(language = { keywords: [] }) {
  const { keywords, ignores_case, line_comment, block_comment } = language;
  const [open, close] = block_comment || [];
  const line = line_comment ? `${literally(line_comment)}.*` : NEVER;
  const block = open ? `${literally(open)}.*?(?:${literally(close)}|$)` : NEVER;
  const words = new Set(keywords);
  return {
    open,
    close,
    skip: new RegExp(`${open ? literally(open) : NEVER}|${line}|"(?:[^"\\\\]|\\\\.)*"?`, "g"),
    token: anyOf(new RegExp(`(?<comment>${block}|${line})`), /(?<quoted>"(?:[^"\\]|\\.)*"?|`[^`]*`?)/,
      /(?<number>\$?\b\d\w*)/, /(?<directive>^\s*#\s*\w+)/, /(?<word>[A-Za-z_]\w*)/),
    isKeyword: (word) => words.has(ignores_case ? word.toLowerCase() : word),
  };
}

/** For each line, whether it begins inside of a comment. */
function commentStarts(lines, syntax) {
  let inside = false;
  return lines.map((line) => {
    const before = inside;
    inside = endsInComment(line, inside, syntax);
    return before;
  });
}

function endsInComment(line, inside, { open, close, skip }) {
  let at = 0;
  for (;;) {
    if (inside) {
      const end = line.indexOf(close, at);
      if (end < 0) return true;
      at = end + close.length;
    }
    skip.lastIndex = at;
    const found = skip.exec(line);
    if (!found) return false;
    at = skip.lastIndex;
    inside = found[0] === open;
  }
}

/** A line as pieces, each a text and its kind; the kind of what has no colour is `plain`. */
function piecesOf(line, inside, syntax) {
  if (line.length > LONGEST_COLOURED) return [{ kind: "plain", text: line }];
  const pieces = [];
  let at = 0;
  const upTo = (end, kind) => {
    if (end > at) pieces.push({ kind, text: line.slice(at, end) });
    at = Math.max(at, end);
  };
  if (inside) {
    const end = line.indexOf(syntax.close);
    upTo(end < 0 ? line.length : end + syntax.close.length, "comment");
  }
  syntax.token.lastIndex = at;
  for (let found; (found = syntax.token.exec(line)); ) {
    upTo(found.index, "plain");
    upTo(syntax.token.lastIndex, kindOf(found, syntax));
  }
  upTo(line.length, "plain");
  return pieces;
}

function kindOf({ groups }, syntax) {
  if (groups.word !== undefined) return syntax.isKeyword(groups.word) ? "keyword" : "plain";
  return ["comment", "quoted", "number", "directive"].find((kind) => groups[kind] !== undefined);
}
