/** Holds that a crash test kills the engine at every failpoint of the product; a new failpoint fails here. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RUN_EVENTS } from "../../../src/domain/run/state.ts";
import { sourceFiles } from "../../architecture/source-files.ts";
import { around, creating, moves } from "./scenarios.ts";

const SOURCES = sourceFiles().filter(({ path }) => path.startsWith("services/"));

/** Names in calls, as they stand. Others are put together from the journal's kinds, a run's events and what is made. */
function named(): string[] {
  return SOURCES.flatMap(({ text }) =>
    [...text.matchAll(/failpoint\("([^"]+)"\)/g)].map(([, name]) => name ?? ""),
  );
}

/** What is created around a pair of failpoints; each call says it. */
function created(): ("task" | "run")[] {
  return SOURCES.flatMap(({ text }) =>
    [...text.matchAll(/\bcreateRuns\([^{]*\{ what: "(task|run)"/g)].map(([, what]) => what as "task" | "run"),
  );
}

/** The kinds that the journal is given; each call names one. */
function journaledKinds(): { readonly kinds: string[]; readonly unread: string[] } {
  const calls = SOURCES.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<!function )\bjournaled(?:<[^>]*>)?\(([\s\S]*?)kind: "(\w+)"/g)].map(
      ([whole, , kind]) => ({
        path,
        kind: kind ?? "",
        // Another call in between would mean that this one has no kind that can be read.
        read: !whole.slice(1).includes("journaled("),
      }),
    ),
  );
  const count = SOURCES.reduce(
    (sum, { text }) => sum + (text.match(/(?<!function )\bjournaled\(/g)?.length ?? 0),
    0,
  );
  const unread = calls.filter(({ read }) => !read).map(({ path }) => path);
  return {
    kinds: calls.map(({ kind }) => kind),
    unread: calls.length === count ? unread : [...unread, `${count} calls`],
  };
}

function existing(): string[] {
  const names = [
    ...named(),
    ...created().flatMap(creating),
    ...around(...journaledKinds().kinds),
    // The take-over of a lost run makes this move outside of a step.
    ...moves(...RUN_EVENTS.filter((event) => event !== "move")),
  ];
  return [...new Set(names)].sort();
}

/** What the crash tests name; each of them fails by itself if its engine never reached the failpoint. */
function hit(): ReadonlySet<string> {
  const texts = readdirSync(import.meta.dir)
    .filter((file) => file !== "failpoints.test.ts" && !file.startsWith("disk-"))
    .map((file) => readFileSync(join(import.meta.dir, file), "utf8"));
  const strings = (text: string) => [...text.matchAll(/"([\w:]+)"/g)].map(([, string]) => string ?? "");
  const calls = (name: string) =>
    texts.flatMap((text) =>
      [...text.matchAll(new RegExp(`\\b${name}\\(([^)]*)\\)`, "g"))].flatMap(([, args]) =>
        strings(args ?? ""),
      ),
    );
  return new Set([
    ...texts.flatMap(strings).filter((string) => string.includes(":")),
    ...around(...calls("around")),
    ...moves(...calls("moves")),
    ...(["task", "run"] as const).filter((what) => calls("creating").includes(what)).flatMap(creating),
  ]);
}

test("every call of the journal names its kind in the source, so that it can be listed", () => {
  expect(journaledKinds().unread).toEqual([]);
  expect(journaledKinds().kinds.length).toBeGreaterThan(12);
});

test("a crash test kills the engine at every failpoint that there is", () => {
  const all = existing();
  const known = hit();
  expect(all.length).toBeGreaterThan(60);
  expect(all.filter((name) => !known.has(name))).toEqual([]);
});

test("no crash test names a failpoint that there is no more", () => {
  const all = new Set(existing());
  const names = [...hit()].filter((name) =>
    /^(before|after|move|moved|create|created|request|restore|purge):/.test(name),
  );
  expect(names.filter((name) => !all.has(name))).toEqual([]);
});
