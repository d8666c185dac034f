/** Finds the single commands in a shell line, as far as possible without a full shell parser. */

interface ShellCommand {
  /** The words as the shell would pass them on; null for a word that depends on the shell's state. */
  readonly words: readonly (string | null)[];
}

/** Makes a word null, because it is not plain text: a variable, the output of another command, a pattern. */
const DEPENDS = /[$`*?[{~]/;
const ENDS = new Set([";", "&", "|", "\n", "(", ")"]);
/** A redirection and its file are not words of the command: the shell does not pass them on. */
const REDIRECTION = /(?:[0-9]+|&)?(?:<<<|<&|<>|<|>&|>>|>\||>)(?!\()[ \t]*/y;

/**
 * The commands in their order. Here-documents and text after `#` are left out. This is not a shell parser: text that
 * it misreads is misjudged, so nothing may depend on it alone.
 */
export function shellCommands(text: string): readonly ShellCommand[] {
  const found: ShellCommand[] = [];
  let words: (string | null)[] = [];
  const documents: string[] = [];
  const end = () => {
    if (words.length > 0) found.push({ words });
    words = [];
  };
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? "";
    const document = /^<<-?[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([\w.-]+))/.exec(text.slice(at, at + 200));
    if (document !== null && text[at + 2] !== "<") {
      documents.push(document[1] ?? document[2] ?? document[3] ?? "");
      at += document[0].length;
    } else if (redirectionAt(text, at) > at) {
      at = redirectionAt(text, at);
    } else if (char === "#") {
      const line = text.indexOf("\n", at);
      at = line < 0 ? text.length : line;
    } else if (ENDS.has(char)) {
      end();
      at = char === "\n" ? behindDocuments(text, at + 1, documents.splice(0)) : at + 1;
    } else if (char === " " || char === "\t" || char === "\r" || text.startsWith("\\\n", at)) {
      at += char === "\\" ? 2 : 1;
    } else {
      const word = wordAt(text, at);
      words.push(word.text);
      at = word.end;
    }
  }
  end();
  return found;
}

/** The position after the redirection at this place, or the same position if there is none. */
function redirectionAt(text: string, at: number): number {
  REDIRECTION.lastIndex = at;
  const file = at + (REDIRECTION.exec(text)?.[0].length ?? 0);
  return file > at && /^[^;&|\n()]/.test(text.slice(file, file + 1)) ? wordAt(text, file).end : file;
}

function behindDocuments(text: string, start: number, names: readonly string[]): number {
  let at = start;
  for (const name of names) {
    for (let line = ""; at < text.length && line.trim() !== name; ) {
      const end = text.indexOf("\n", at);
      line = text.slice(at, end < 0 ? text.length : end);
      at = end < 0 ? text.length : end + 1;
    }
  }
  return at;
}

const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\;&|()<>]+)|(['"\\])/y;

function wordAt(text: string, start: number): { readonly text: string | null; readonly end: number } {
  let word = "";
  let depends = false;
  PART.lastIndex = start;
  let end = start;
  for (let part = PART.exec(text); part !== null; part = PART.exec(text)) {
    const [, single, double, escaped, plain, open] = part;
    depends ||= (double !== undefined && /[$`]/.test(double)) || (plain !== undefined && DEPENDS.test(plain));
    word += single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain ?? open ?? "";
    end = PART.lastIndex;
  }
  return { text: depends ? null : word, end: Math.max(end, start + 1) };
}
