/** Reads which lines a patch shows, so that a comment can name one of them. */

/** By line number, the text of the lines that the patch shows on one side. */
type Shown = ReadonlyMap<number, string>;

export interface PatchedFile {
  readonly old: Shown;
  readonly new: Shown;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** By path; a renamed file has both of its paths. `patch` is what git writes with the prefixes `a/` and `b/`. */
export function patchLines(patch: string): ReadonlyMap<string, PatchedFile> {
  const files = new Map<string, PatchedFile>();
  let [old, now] = [new Map<number, string>(), new Map<number, string>()];
  let [oldAt, newAt, oldLeft, newLeft] = [0, 0, 0, 0];
  const named = (text: string) => {
    const path = pathOf(text);
    if (path !== null) files.set(path, { old, new: now });
  };
  for (const line of patch.split("\n")) {
    if (oldLeft > 0 || newLeft > 0) {
      const text = line.slice(1);
      if (line.startsWith("\\")) continue;
      if (line[0] !== "+") old.set(oldAt++, text);
      if (line[0] !== "-") now.set(newAt++, text);
      if (line[0] !== "+") oldLeft--;
      if (line[0] !== "-") newLeft--;
      continue;
    }
    if (line.startsWith("diff --git ")) [old, now] = [new Map(), new Map()];
    for (const head of ["--- ", "+++ ", "rename from ", "rename to "])
      if (line.startsWith(head)) named(line.slice(head.length));
    const [, oldFrom = "0", oldCount = "1", newFrom = "0", newCount = "1"] = HUNK.exec(line) ?? [
      null,
      "0",
      "0",
      "0",
      "0",
    ];
    [oldAt, newAt, oldLeft, newLeft] = [oldFrom, newFrom, oldCount, newCount].map(Number) as typeof POSITION;
  }
  return files;
}

const POSITION: [number, number, number, number] = [0, 0, 0, 0];

/** Null for `/dev/null`. Git quotes names with control characters, quotes or backslashes. */
function pathOf(text: string): string | null {
  const name = text.replace(/\t$/, "");
  if (name === "/dev/null") return null;
  const plain = name.startsWith('"') ? unquoted(name.slice(1, -1)) : name;
  return plain.replace(/^[ab]\//, "");
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
};

function unquoted(text: string): string {
  return text.replace(/\\(\d{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
  );
}
