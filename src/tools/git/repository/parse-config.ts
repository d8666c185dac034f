/** Reads the text of a git configuration file as git itself reads it. */

/**
 * One assignment. Section and key are in lower case, and the name between them is as written. Before the first
 * section, the section is empty.
 */
export interface ConfigEntry {
  readonly section: string;
  /** Null if the section has no name. */
  readonly name: string | null;
  readonly key: string;
  /** Null if the key stands alone, which means true. */
  readonly value: string | null;
}

/** In the order of the file. Git refuses a file with a flaw, but the entries before the flaw are returned. */
export function parseConfig(text: string): readonly ConfigEntry[] {
  const reader = createReader(text);
  const entries: ConfigEntry[] = [];
  let place: Pick<ConfigEntry, "section" | "name"> = { section: "", name: null };
  for (let char = reader.next(); char !== END; char = reader.next()) {
    if (isSpace(char)) continue;
    if (char === "#" || char === ";") {
      skipLine(reader);
      continue;
    }
    if (char === "[") {
      const section = readSection(reader);
      if (section === null) return entries;
      place = section;
      continue;
    }
    if (!/[a-zA-Z]/.test(char)) return entries;
    const assigned = readAssignment(reader, char);
    if (assigned === null) return entries;
    entries.push({ ...place, ...assigned });
  }
  return entries;
}

/** The whole name of an entry, as `git config --list` prints it. */
export function nameOf({ section, name, key }: ConfigEntry): string {
  return [section, name, key].filter((part, at) => part !== null && (part !== "" || at === 1)).join(".");
}

const END = "";

interface Reader {
  /** The next character, a line feed for CR LF, or `END`. */
  next(): string;
}

function createReader(text: string): Reader {
  const characters = text.startsWith("\u{feff}") ? text.slice(1) : text;
  let at = 0;
  return {
    next() {
      if (at >= characters.length) return END;
      if (characters[at] === "\r" && characters[at + 1] === "\n") at += 1;
      const char = characters.charAt(at);
      at += 1;
      return char;
    },
  };
}

function isSpace(char: string): boolean {
  return char === " " || char === "\t" || char === "\n" || char === "\r";
}

function isKeyCharacter(char: string): boolean {
  return /^[a-zA-Z0-9-]$/.test(char);
}

function skipLine(reader: Reader): void {
  for (let char = reader.next(); char !== END && char !== "\n"; ) char = reader.next();
}

/** `section]`, `section.old-form]` or `section "name"]`; null if it is not a section header. */
function readSection(reader: Reader): Pick<ConfigEntry, "section" | "name"> | null {
  let spelled = "";
  for (let char = reader.next(); ; char = reader.next()) {
    if (char === "]") return sectionOf(spelled, null);
    if (isSpace(char)) {
      const name = readQuotedName(reader, char);
      return name === null ? null : sectionOf(spelled, name);
    }
    if (!isKeyCharacter(char) && char !== ".") return null;
    spelled += char.toLowerCase();
  }
}

/** The first dot ends the section, and everything after it belongs to the name. */
function sectionOf(spelled: string, quoted: string | null): Pick<ConfigEntry, "section" | "name"> {
  const dot = spelled.indexOf(".");
  if (dot < 0) return { section: spelled, name: quoted };
  const old = spelled.slice(dot + 1);
  return { section: spelled.slice(0, dot), name: quoted === null ? old : `${old}.${quoted}` };
}

function readQuotedName(reader: Reader, first: string): string | null {
  let char = first;
  while (isSpace(char)) {
    if (char === "\n") return null;
    char = reader.next();
  }
  if (char !== '"') return null;
  let name = "";
  for (char = reader.next(); char !== '"'; char = reader.next()) {
    if (char === "\\") char = reader.next();
    if (char === "\n" || char === END) return null;
    name += char;
  }
  return reader.next() === "]" ? name : null;
}

function readAssignment(reader: Reader, first: string): Pick<ConfigEntry, "key" | "value"> | null {
  let key = first.toLowerCase();
  let char = reader.next();
  for (; char !== END && isKeyCharacter(char); char = reader.next()) key += char.toLowerCase();
  while (char === " " || char === "\t") char = reader.next();
  if (char === "\n" || char === END) return { key, value: null };
  if (char !== "=") return null;
  const value = readValue(reader);
  return value === null ? null : { key, value };
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", b: "\b", n: "\n", "\\": "\\", '"': '"' };

/** Up to the end of the line, without comment and outer spaces. Null if a quotation or an escape is broken. */
function readValue(reader: Reader): string | null {
  let value = "";
  let space = "";
  let quoted = false;
  for (let char = reader.next(); ; char = reader.next()) {
    if (char === END || char === "\n") return quoted ? null : value;
    if (isSpace(char) && !quoted) {
      if (value !== "") space += char;
      continue;
    }
    if (!quoted && (char === "#" || char === ";")) {
      skipLine(reader);
      return value;
    }
    value += space;
    space = "";
    if (char === '"') quoted = !quoted;
    else if (char !== "\\") value += char;
    else {
      const escaped = reader.next();
      if (escaped === "\n" || escaped === END) continue;
      const meant = ESCAPES[escaped];
      if (meant === undefined) return null;
      value += meant;
    }
  }
}
