import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { nameOf, parseConfig } from "../../../../src/tools/git/repository/parse-config.ts";
import { tempDir } from "../../../helpers/temp-dir.ts";

/** What git itself reads, or null if it refuses the file. */
async function byGit(path: string, text: string): Promise<readonly string[] | null> {
  await writeFile(path, text);
  const child = Bun.spawn(["git", "config", "--file", path, "--no-includes", "-z", "--list"], {
    stdout: "pipe",
    stderr: "ignore",
  });
  const out = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) return null;
  return out.split("\0").slice(0, -1).map(evenSpace);
}

/** Versions of git differ in whether a tab within a value stays one. */
function evenSpace(entry: string): string {
  return entry.replaceAll(/[\t\r]/g, " ");
}

function byUs(text: string): readonly string[] {
  return parseConfig(text).map((entry) =>
    evenSpace(entry.value === null ? nameOf(entry) : `${nameOf(entry)}\n${entry.value}`),
  );
}

const PIECE = fc.constantFrom(
  ...'[]"\\=#;. \t\n\r-',
  "\r\n",
  "\\\n",
  "\\t",
  '\\"',
  "[core]\n",
  '[filter "x"]',
  "[filter.Old]",
  '[Filter "A b"]\n',
  '[a "b\\"c\\\\d\\e"]',
  "clean",
  "Clean = cmd",
  " = ",
  "value # not",
  '"quoted ; value"',
  "include",
  "path",
  "x1",
  "あ",
);

describe("a configuration file is read as git reads it", () => {
  test("pieces in any order: the same entries, wherever git accepts the file", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "config");
    await fc.assert(
      fc.asyncProperty(fc.array(PIECE, { maxLength: 14 }), async (pieces) => {
        const text = pieces.join("");
        const git = await byGit(path, text);
        if (git !== null) expect(byUs(text)).toEqual(git);
      }),
      { numRuns: 400 },
    );
  }, 60_000);

  test("assignments in any form: the same names, whatever the values hold", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "config");
    const line = fc
      .tuple(fc.constantFrom('[filter "x y"]', "[filter.x]", "[core]", '[a "\\"\\\\"]'), PIECE, PIECE, PIECE)
      .map(([section, ...rest]) => `${section}\nkey = ${rest.join("")}\n`);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 5 }), async (lines) => {
        const git = await byGit(path, lines.join(""));
        if (git !== null) expect(byUs(lines.join(""))).toEqual(git);
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  test("a mark of byte order, an end without a line end, and a key that stands alone", () => {
    expect(parseConfig('\u{feff}[filter "x"] required\n\tclean=cat')).toEqual([
      { section: "filter", name: "x", key: "required", value: null },
      { section: "filter", name: "x", key: "clean", value: "cat" },
    ]);
  });

  test("what stands before a flaw is answered", () => {
    expect(parseConfig("[core]\na = 1\n[broken\nb = 2").map(nameOf)).toEqual(["core.a"]);
  });
});
