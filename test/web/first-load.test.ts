/** Holds how much a browser loads before the first screen, and with each other one (design: flows, section 7). */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const BUILT = join(import.meta.dir, "../../dist/web");
const isBuilt = existsSync(join(BUILT, "index.html"));
const FIRST_BYTES = 142_000;
const SCREEN_BYTES = 60_000;

/** Each file of `routes/` is a part of its own; beside it are the sets of words that it waits for. */
const SCREENS = {
  attempt: ["work-catalogs"],
  compare: ["work-catalogs", "decide-catalogs"],
  review: ["work-catalogs", "decide-catalogs"],
  ship: ["work-catalogs", "decide-catalogs"],
  "new-task": ["engine-catalogs"],
  activity: ["engine-catalogs"],
  storage: ["engine-catalogs"],
  settings: ["engine-catalogs"],
};

/** A part and all that it names: no more is asked for before it can begin. */
function partsOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join(BUILT, "assets", name), "utf8");
  for (const [, other = ""] of text.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g))
    partsOf(other, found);
  return found;
}

const bytesOf = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + statSync(join(BUILT, "assets", `${name}.br`)).size, 0);

describe.skipIf(!isBuilt)(`what a page loads${isBuilt ? "" : " (skipped: the web UI is not built)"}`, () => {
  const page = isBuilt ? readFileSync(join(BUILT, "index.html"), "utf8") : "";
  const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
  const scripts = named.flatMap((address) => /^\/assets\/(.+\.js)$/.exec(address)?.[1] ?? []);
  const files = isBuilt ? readdirSync(join(BUILT, "assets")) : [];
  const partOf = (screen: string) =>
    files.find((name) => new RegExp(`^${screen}-[\\w-]{8}\\.js$`).test(name)) ?? "";
  // Nothing is read before the worker has opened the stream.
  const first = new Set(
    [...scripts, ...(isBuilt ? [partOf("stream-worker")] : [])].flatMap((name) => [...partsOf(name)]),
  );

  test(`the first screen needs at most ${FIRST_BYTES / 1000} kB of compressed JavaScript with its worker, and nothing from elsewhere`, () => {
    expect(named.filter((address) => !address.startsWith("/"))).toEqual([]);
    expect(scripts.length).toBeGreaterThan(0);
    expect(bytesOf(first)).toBeLessThan(FIRST_BYTES);
  });

  test(`each other screen adds at most ${SCREEN_BYTES / 1000} kB, with its words`, () => {
    const added = Object.entries(SCREENS).map(([screen, words]) => {
      const parts = new Set([screen, ...words].flatMap((name) => [...partsOf(partOf(name))]));
      return [screen, bytesOf([...parts].filter((name) => !first.has(name)))] as const;
    });
    expect(added.filter(([, bytes]) => bytes > SCREEN_BYTES)).toEqual([]);
  });
});
