import { describe, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { program } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";

/** A process that defines issues; `acknowledged` settles with the titles that it said were kept, once it has ended. */
function writer(root: string, name: string, count: number) {
  const argv = [process.execPath, program("define-issues.ts"), root, name, String(count)];
  const child = Bun.spawn(argv, { cwd: root, stdout: "pipe", stderr: "inherit" });
  const began = Promise.withResolvers<void>();
  const acknowledged = (async () => {
    let said = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      said += decoder.decode(chunk, { stream: true });
      began.resolve();
    }
    began.resolve();
    await child.exited;
    // The last line may be half: what was not said whole was not said.
    return said.split("\n").slice(0, -1);
  })();
  return { kill: () => child.kill("SIGKILL"), began: began.promise, acknowledged };
}

/** Every title that the file knows, oldest first. */
async function titlesIn(root: string): Promise<string[]> {
  const { issue, history } = JSON.parse(await readFile(join(root, ".tazuna", "issue.json"), "utf8"));
  return [...history.map((one: { issue: string }) => one.issue), issue];
}

describe("many writers", () => {
  test("twelve processes at once lose not one definition, and each one's stand in its order", async () => {
    await using dir = await tempDir();
    const names = Array.from({ length: 12 }, (_, n) => `writer${n}`);
    const said = await Promise.all(names.map((name) => writer(dir.path, name, 6).acknowledged));
    const expected = names.map((name) => Array.from({ length: 6 }, (_, n) => `${name}-${n}`));
    expect(said).toEqual(expected);
    const titles = await titlesIn(dir.path);
    expect(titles).toHaveLength(72);
    for (const [index, name] of names.entries())
      expect(titles.filter((title) => title.startsWith(`${name}-`))).toEqual(expected[index] ?? []);
    expect((await readdir(join(dir.path, ".tazuna"))).sort()).toEqual([
      ".gitignore",
      "issue.json",
      "issue.json.lock",
    ]);
  }, 120_000);

  test("kill -9 in the middle of writing, again and again: what was acknowledged is there, once, and the next writer goes on", async () => {
    await using dir = await tempDir();
    const acknowledged: string[] = [];
    const rounds = 8;
    for (let round = 0; round < rounds; round++) {
      const victims = [0, 1, 2].map((n) => writer(dir.path, `r${round}w${n}`, 1_000_000));
      await Promise.all(victims.map(({ began }) => began));
      // Chance decides where in its work each one is struck.
      for (const { kill } of victims) {
        await Bun.sleep(Math.random() * 12);
        kill();
      }
      for (const { acknowledged: titles } of victims) acknowledged.push(...(await titles));
      expect(new Set(await titlesIn(dir.path)).size).toBe((await titlesIn(dir.path)).length);
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(3 * rounds);
    expect(await writer(dir.path, "last", 1).acknowledged).toEqual(["last-0"]);
    const titles = await titlesIn(dir.path);
    expect(acknowledged.filter((title) => !titles.includes(title))).toEqual([]);
    expect(titles.at(-1)).toBe("last-0");
    const folder = join(dir.path, ".tazuna");
    expect((await readdir(folder)).sort()).toEqual([".gitignore", "issue.json", "issue.json.lock"]);
    expect(await readdir(join(folder, "issue.json.lock"))).toHaveLength(1);
  }, 120_000);
});
