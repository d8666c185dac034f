/** Holds how rooms are sorted: small folders, without a circle, each with its line in ARCHITECTURE.md (ADR 0046). */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { rowsOf } from "./markdown-files.ts";
import { ROOT, roomOf, SRC, sourceFiles } from "./source-files.ts";

const MAX_FILES_A_FOLDER = 20;

const files = sourceFiles();
const architecture = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");

/** Which folder imports which, inside one room. */
function foldersWithin(room: string): ReadonlyMap<string, ReadonlySet<string>> {
  const inside = files.filter((file) => file.room === room);
  const pairs = inside.flatMap(({ path, imports }) =>
    imports.flatMap(({ target }) => {
      const same = target === null || roomOf(target) !== room || dirname(target) === dirname(path);
      return same ? [] : [[dirname(path), dirname(target)] as const];
    }),
  );
  const groups = Map.groupBy(pairs, ([from]) => from);
  return new Map([...groups].map(([from, to]) => [from, new Set(to.map(([, target]) => target))]));
}

/** Folders that are on a circle: each is reached from itself. */
function onCircle(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  return [...edges.keys()].filter((start) => {
    const seen = new Set<string>();
    const next = [...(edges.get(start) ?? [])];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      if (at === start) return true;
      if (!seen.has(at)) next.push(...(edges.get(at) ?? []));
      seen.add(at);
    }
    return false;
  });
}

describe("folders", () => {
  test(`none has more than ${MAX_FILES_A_FOLDER} files of its own`, () => {
    const counts = Map.groupBy(files, ({ path }) => dirname(path));
    const full = [...counts].filter(([, those]) => those.length > MAX_FILES_A_FOLDER);
    expect(full.map(([folder, those]) => `${folder}: ${those.length}`)).toEqual([]);
  });

  test("no folders of a room import each other, directly or around a corner", () => {
    const rooms = [...new Set(files.map(({ room }) => room))];
    expect(rooms.flatMap((room) => onCircle(foldersWithin(room)))).toEqual([]);
  });

  test("finds a circle", () => {
    const edges = { a: ["b"], b: ["c"], c: ["b"], d: ["a"] };
    expect(onCircle(new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)])))).toEqual([
      "b",
      "c",
    ]);
  });
});

describe("ARCHITECTURE.md", () => {
  /** The first cells of the table under a heading. */
  const told = (heading: string) =>
    rowsOf(architecture.split(`${heading}\n`)[1]?.split(/^##/m)[0] ?? "").map(({ cells }) => cells);
  const foldersOf = (room: string) =>
    readdirSync(join(SRC, room), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `\`${name}/\``);

  test("has one line for each folder of services and of git, and for no other", () => {
    const lines = (room: string) => told(`### Folders of ${room}`).map(([name = ""]) => name);
    for (const room of ["services", "git"]) expect(lines(room).sort()).toEqual(foldersOf(room).sort());
  });

  test("names every room, and a file to begin at that is there", () => {
    const rows = told("## Rooms");
    const words = (cell = "") =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word.replace(/\/$/, ""));
    const named = rows.flatMap(([rooms]) => words(rooms));
    const unnamed = readdirSync(SRC).filter(
      (name) => name !== "main.ts" && !architecture.includes(`\`${name}`),
    );
    const missing = rows.flatMap(([rooms, , begin]) =>
      words(begin)
        .filter((file) => !words(rooms).some((room) => existsSync(join(SRC, room, file))))
        .filter((file) => !existsSync(join(SRC, file))),
    );
    expect({ unnamed, missing, some: named.length > 0 }).toEqual({ unnamed: [], missing: [], some: true });
  });
});
