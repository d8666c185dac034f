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
];

function ignoredByGit(root: string): string[] {
  Bun.spawnSync(["git", "init", "-q"], { cwd: root });
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
    const pattern = fc
      .array(
        fc.constantFrom(
          "a",
          "b",
          "c",
          "*",
          "**",
          "?",
          "/",
          ".o",
          "!",
          "#",
          "\\",
          "[a-b]",
          "[!a]",
          " ",
          "d",
          "\u00e9",
        ),
        { minLength: 1, maxLength: 5 },
      )
      .map((parts) => parts.join(""));
    const list = fc.array(pattern, { maxLength: 5 }).map((lines) => lines.join("\n"));
    let [agreed, differing] = [0, 0];
    await fc.assert(
      fc.asyncProperty(list, list, async (top, inner) => {
        await using dir = await tempDir();
        for (const path of PATHS) {
          mkdirSync(dirname(join(dir.path, path)), { recursive: true });
          writeFileSync(join(dir.path, path), "");
        }
        writeFileSync(join(dir.path, ".gitignore"), top);
        writeFileSync(join(dir.path, "b/.gitignore"), inner);
        const rules = createIgnoreRules(dir.path);
        const own = PATHS.filter((path) => isIgnoredThroughout(rules, path, "file")).sort();
        const git = ignoredByGit(dir.path).filter((path) => PATHS.includes(path));
        if (JSON.stringify(own) === JSON.stringify(git)) agreed += 1;
        else differing += 1;
      }),
      { numRuns: 80 },
    );
    // Git compares bytes and the package characters: for git, `[!a]` is no name of one letter that takes two bytes.
    expect({ agreed, differing: differing <= agreed * 0.1 }).toEqual({ agreed, differing: true });
  }, 60_000);

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
