/** Takes the shell off a command line, so that people see what was run. */

/** `/bin/bash -lc 'npm test'` as `npm test`; any other text, and quoting that does not add up, as it is. */
export function commandOfShell(line: string): string {
  if (line.length > MOST_UNWRAPPED) return line;
  const wrapped = /^(?:\S*\/)?(?:ba|z|da)?sh\s+-l?c\s+([\s\S]+)$/.exec(line);
  return wrapped === null ? line : (oneWord(wrapped[1] ?? "") ?? line);
}

/** A line of the shell that starts just this program. */
export function shellLine(argv: readonly string[]): string {
  return argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

const MOST_UNWRAPPED = 20_000;

/** The text of a single quoted shell word, or null where there are several or a quote stays open. */
function oneWord(source: string): string | null {
  let word = "";
  let rest = source.trim();
  while (rest !== "") {
    const part = PART.exec(rest);
    if (part === null) return null;
    const [whole, single, double, escaped, plain] = part;
    word += single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain ?? "";
    rest = rest.slice(whole.length);
  }
  return word;
}

const PART = /^(?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+))/;
