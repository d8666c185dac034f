/** Names what was pressed, in the words of the table of keys. */

const NAMES: Readonly<Record<string, string>> = {
  Enter: "enter",
  Escape: "escape",
  Backspace: "backspace",
  Delete: "delete",
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  Tab: "tab",
  " ": "space",
};

/** As an event of the keyboard has it. */
interface Pressed {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Null for a modifier alone, and while a letter is being composed. */
export function chordOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string | null {
  if (["Shift", "Control", "Alt", "Meta", "AltGraph", "Dead", "Process", "Unidentified"].includes(key))
    return null;
  if (isWrittenByAlt({ key, code, ctrlKey, altKey })) return key;
  // With alt, some keyboards write a sign in place of the digit or letter.
  const plain = altKey ? /^(?:Digit|Key)(.)$/.exec(code)?.[1]?.toLowerCase() : undefined;
  const name = NAMES[key] ?? plain ?? key;
  const shift = shiftKey && (NAMES[key] !== undefined || plain !== undefined) ? "shift+" : "";
  return `${ctrlKey || metaKey ? "mod+" : ""}${altKey ? "alt+" : ""}${shift}${name}`;
}

/** Many keyboards have `[`, `{`, `@` and the like only with alt; with AltGr, some systems tell of Control too. */
function isWrittenByAlt({
  key,
  code,
  ctrlKey,
  altKey,
}: Pick<Pressed, "key" | "code" | "ctrlKey" | "altKey">) {
  const isSign = /^[!-/:-@[-`{-~]$/.test(key);
  return altKey && isSign && (ctrlKey || /^(?:Digit|Key|Intl)/.test(code));
}

/** A sign that a person may be typing: a letter, a digit, a mark, a space; also the first of two keys. */
export function isTyped(key: string): boolean {
  const [first = ""] = key.split(/ (?=.)/);
  return [...first].length === 1 || first === "space";
}
