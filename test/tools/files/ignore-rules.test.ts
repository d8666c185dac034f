import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { createIgnoreRules, isIgnoredThroughout } from "../../../src/tools/files/ignore-rules.ts";
import { tempDir } from "../../helpers/temp-dir.ts";

const PATHS = [
  "a",
  "a.o",
  "b/a",
  "b/a.o",
  "b/c/d",
  ".../x",
  "..a/b",
  "b/sp ce ",
  "#h",
  "!n",
  "[x]",
  "\u00e9/x",
  "b/c/deep/e.o",
  "ab",
  "aab/c",
  "b/c/a/b/d",
  "{a,b}",
  "a\\b",
  "a]",
  "b/\u00e9",
  "b/\tx",
  "b/-",
  "b/Q",
];

function ignoredByGit(root: string): string[] {
  const env = { PATH: process.env.PATH ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  const argv = [
    "git",
    "-c",
    "core.quotePath=false",
    "ls-files",
    "-z",
    "--others",
    "--ignored",
    "--exclude-standard",
  ];
  return Bun.spawnSync(argv, { cwd: root, env }).stdout.toString().split("\0").filter(Boolean).sort();
}

describe("createIgnoreRules", () => {
  test("agrees with git, whatever the lists hold", async () => {
    const parts = "a b c d e x * ** *** ? / **/ /** /**/ .o ! # \\ - ^ [ ] { {a,b} é".split(" ");
    const classes = "[a-b] [!a] [:alpha:] [[:upper:]] [a\\] []a] [^] [a- [\\ [z-a] [é]".split(" ");
    const part = fc.constantFrom(...parts, ...classes, " ", "\t", "\r");
    const pattern = fc.array(part, { minLength: 1, maxLength: 6 }).map((some) => some.join(""));
    const list = fc.array(pattern, { maxLength: 5 }).map((lines) => lines.join("\n"));
    await using dir = await tempDir();
    for (const path of PATHS) {
      mkdirSync(dirname(join(dir.path, path)), { recursive: true });
      writeFileSync(join(dir.path, path), "");
    }
    Bun.spawnSync(["git", "init", "-q"], { cwd: dir.path });
    fc.assert(
      fc.property(list, list, (top, inner) => {
        writeFileSync(join(dir.path, ".gitignore"), top);
        writeFileSync(join(dir.path, "b/.gitignore"), inner);
        const rules = createIgnoreRules(dir.path);
        const own = PATHS.filter((path) => isIgnoredThroughout(rules, path, "file")).sort();
        expect(own).toEqual(ignoredByGit(dir.path).filter((path) => PATHS.includes(path)));
      }),
      { numRuns: 400 },
    );
  }, 60_000);

  test("a list that would take a regular expression years takes no time", async () => {
    await using dir = await tempDir();
    const deep = `${"a/".repeat(200)}c`;
    writeFileSync(join(dir.path, ".gitignore"), `${"**/a/".repeat(60)}b\n${"*a".repeat(400)}b\n`);
    const began = performance.now();
    const rules = createIgnoreRules(dir.path);
    expect([rules.isIgnored(deep, "file"), rules.isIgnored("a".repeat(255), "file")]).toEqual([false, false]);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test("reads no list through a link", async () => {
    await using dir = await tempDir();
    await using elsewhere = await tempDir();
    writeFileSync(join(elsewhere.path, "list"), "*\n");
    symlinkSync(join(elsewhere.path, "list"), join(dir.path, ".gitignore"));
    expect(createIgnoreRules(dir.path).isIgnored("a", "file")).toBe(false);
  });

  test("takes folders of nothing but dots for what they are", async () => {
    await using dir = await tempDir();
    writeFileSync(join(dir.path, ".gitignore"), "x\n");
    const rules = createIgnoreRules(dir.path);
    expect([rules.isIgnored(".../x", "file"), rules.isIgnored("...", "directory")]).toEqual([true, false]);
  });
});
