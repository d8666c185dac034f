/** Removes the shell from a command line, so that people see the actual command. */

/** `/bin/bash -lc 'npm test'` becomes `npm test`. Any other text, and inconsistent quoting, stays as it is. */
export function commandOfShell(line: string): string {
  if (line.length > MAX_UNWRAPPED) return line;
  const wrapped = /^(?:\S*\/)?(?:ba|z|da)?sh\s+-l?c\s+([\s\S]+)$/.exec(line);
  return wrapped === null ? line : (oneWord(wrapped[1] ?? "") ?? line);
}

/** A shell line that starts just this program. */
export function shellLine(argv: readonly string[]): string {
  return argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

const MAX_UNWRAPPED = 20_000;

/** The text of a single quoted shell word; null if there are several words or a quote stays open. */
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
