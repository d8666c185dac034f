/** Holds that a command loads no schemas before its answer: making them would take as long as all the rest. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { SRC } from "./source-files.ts";

/** What every command loads, by the imports that stand at the top of files. */
const ENTRIES = ["main.ts", "app/entries/cli-entry.ts", "cli/shared/engine.ts", "app/find-engine/connect.ts"];
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Files below `src/` that `entry` loads at once, and the packages; imports of types alone load nothing. */
function loadedBy(entry: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const { path, kind } of transpiler.scanImports(readFileSync(join(SRC, entry), "utf8"))) {
    if (kind !== "import-statement") continue;
    if (path.startsWith(".")) loadedBy(join(dirname(entry), path), seen);
    else seen.add(path);
  }
  return seen;
}

test("no command makes schemas before it has its answer (ADR 0064)", () => {
  const commands = [...new Glob("cli/commands/**/*.ts").scanSync({ cwd: SRC })];
  expect(commands.length).toBeGreaterThan(30);
  const slow = [...ENTRIES, ...commands].filter((entry) => loadedBy(entry).has("zod"));
  expect(slow).toEqual([]);
  expect(loadedBy("contract/endpoints/endpoints.ts").has("zod")).toBe(true);
});

test("an engine on an SQLite loads nothing of Postgres and its jobs", () => {
  const loaded = loadedBy("app/engine/engine.ts");
  expect(loaded.has("app/engine/team.ts")).toBe(true);
  expect(["pg", "pg-boss"].filter((name) => loaded.has(name))).toEqual([]);
});
