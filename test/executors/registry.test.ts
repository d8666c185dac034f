import { describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { createExecutors } from "../../src/executors/registry.ts";

const ROOM = resolve(import.meta.dir, "../../src/executors");

describe("the registry of executors", () => {
  const { all, find } = createExecutors({ selfCommand: ["bun", "main.ts"] });

  test("seed 003 Overall architecture: Claude Code, Codex and Gemini are built-in executors, each under its own id", () => {
    expect(all.map(({ id, builtIn }) => [id, builtIn])).toEqual([
      ["claude-code", true],
      ["codex", true],
      ["gemini", true],
      ["opencode", true],
      ["acp", false],
      ["command", false],
      ["demo", true],
    ]);
    expect(all.map(({ id }) => find(id)?.id)).toEqual(all.map(({ id }) => id));
    expect(find("constructor")).toBeNull();
  });

  test("names every author as a commit trailer wants it", () => {
    for (const { author } of all) expect(author).toMatch(/^[^<>\n]+ <[^<>\s]+@[^<>\s]+>$/);
  });

  test("seed 003 Services and Related files: an executor is one folder of at most six files, and one line of the registry (departs: no base class)", () => {
    const isAgents = (name: string) => name !== "shared" && statSync(join(ROOM, name)).isDirectory();
    const folders = readdirSync(ROOM).filter(isAgents);
    expect(folders.sort()).toEqual(all.map(({ id }) => id).sort());
    for (const folder of folders) expect(readdirSync(join(ROOM, folder)).length).toBeLessThanOrEqual(6);
  });
});
