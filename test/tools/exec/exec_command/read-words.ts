/**
 * Reads quoted command lines back by the shells' rules, written from their manuals and apart from the quoting code.
 */

/** POSIX: single quotes hold everything; outside of them a backslash keeps one character. Throws on anything else. */
export function readUnixWords(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? "";
    if (char === " ") {
      if (word !== null) words.push(word);
      word = null;
    } else if (char === "'") {
      const end = line.indexOf("'", at + 1);
      if (end < 0) throw new Error("a quote that nothing closes");
      word = (word ?? "") + line.slice(at + 1, end);
      at = end;
    } else if (char === "\\") {
      at += 1;
      word = (word ?? "") + (line[at] ?? "");
    } else throw new Error(`unquoted ${char}`);
  }
  return word === null ? words : [...words, word];
}

/** PowerShell: any of five characters opens a string. Any of them closes it, unless two follow each other. */
export function readPowerShellWords(line: string): string[] {
  if (!line.startsWith("& ")) throw new Error("no call operator");
  const isQuote = (char: string | undefined) => char !== undefined && "'‘’‚‛".includes(char);
  const words: string[] = [];
  let at = 2;
  while (isQuote(line[at])) {
    let word = "";
    for (at += 1; ; at++) {
      if (at >= line.length) throw new Error("a quote that nothing closes");
      if (!isQuote(line[at])) word += line[at];
      else if (isQuote(line[at + 1])) word += line[at++];
      else break;
    }
    words.push(word);
    at += 1;
    if (line[at] === " ") at += 1;
    else if (line[at] === ";") return words;
    else throw new Error(`unquoted ${line[at]}`);
  }
  throw new Error(`unquoted ${line[at]}`);
}
