// The languages as the editor sees them: comments, words and texts. It only colours; what a program means is for the server.

/** Lines that are longer than this are not coloured. */
const LONGEST_COLOURED = 2000;

const WORDS = {
  taut: `Svar Gvar main process procedure begin end skip assume await assert call return if then else elif fi while do od
    loop break continue atomic_begin atomic_end atomic locked spawn fence sfence sync choose or and not true false goto const
    shared ghost local int bool byte short long xchg cas fetch_add forbid invariant view drained ltl`,
  promela: `active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track d_step do chan else empty enabled
    eval false fi for full get_priority goto hidden if init inline int len local ltl mtype nempty never nfull notrace np_ od of
    pc_value pid printf printm priority proctype provided return run select set_priority short skip timeout trace true show
    typedef unless unsigned xr xs ghost FENCE SFENCE SYNC ATOMIC_WRITE LOCKED`,
  dve: `guard sync async effect process state init accept commit trans system true false and or not imply int byte const
    channel property assert`,
  litmus: `exists forall filter locations final x86 x86_64 mov movb movw movl movq mfence sfence lfence xchg xchgb xchgw xchgl
    xchgq add addl addq sub subl subq inc incl incq dec decl decq and or xor cmp cmpl cmpq cmpxchg lock xadd xaddl xaddq jmp je
    jne jz jnz`,
};

/** A regular expression of parts, of which each may have a line. */
function anyOf(...parts) {
  return new RegExp(parts.map((part) => part.source).join("|"), "g");
}

const SLASHES = {
  open: "/*",
  close: "*/",
  skip: /\/\*|\/\/.*|"(?:[^"\\]|\\.)*"?/g,
  token: anyOf(/(?<comment>\/\*.*?(?:\*\/|$)|\/\/.*)/, /(?<quoted>"(?:[^"\\]|\\.)*"?|`[^`]*`?)/, /(?<number>\b\d\w*)/,
    /(?<directive>^\s*#\s*\w+)/, /(?<word>[A-Za-z_]\w*)/),
};
const STARS = {
  open: "(*",
  close: "*)",
  skip: /\(\*|"[^"]*"?/g,
  token: anyOf(/(?<comment>\(\*.*?(?:\*\)|$))/, /(?<quoted>"[^"]*"?)/, /(?<number>\$?-?\b\d\w*)/,
    /(?<word>[A-Za-z_]\w*)/),
};

/** What to colour in a language; one that is not known has the comments of most. */
function syntaxOf(language) {
  const litmus = language === "litmus";
  const words = new Set((WORDS[language] || "").split(/\s+/));
  const isKeyword = (word) => words.has(litmus ? word.toLowerCase() : word);
  return { ...(litmus ? STARS : SLASHES), isKeyword };
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
