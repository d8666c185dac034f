/** Marks the tests that `npm test` leaves to `npm run test:deep`, and draws which cases of large tables are played. */
import { createHash } from "node:crypto";

/** When the time of the deep tests is over, in milliseconds since 1970. */
const UNTIL = Number(process.env.TAZUNA_DEEP_UNTIL || Number.POSITIVE_INFINITY);

/**
 * The title of a test or `describe` that only the deep tests run. `scripts/run-tests.mjs` looks for the mark. A file that
 * is loaded once their time is over has another mark and a line for each of them, so that they are not run and counted.
 */
export function deep(title: string): string {
  if (Date.now() < UNTIL) return `${title} [deep]`;
  console.log(`${LEFT_OUT} ${title}`);
  return `${title} [left out]`;
}

/** The title of a case of a table of like cases: `npm test` plays every second one, the deep tests play the others. */
export function everySecond(title: string, index: number): string {
  return index % 2 === 0 ? title : deep(title);
}

/** `scripts/run-tests.mjs` counts these lines. */
const LEFT_OUT = "(left out, since the time of the deep tests is over)";

/** By it the deep tests draw; `scripts/run-tests.mjs` sets one for all files and prints it. */
export const SEED = Number(process.env.TAZUNA_CRASH_SEED || Math.floor(Math.random() * 2 ** 31));

/** Of a large table one case of so many is played; 1 plays them all. */
const ONE_OF = Math.max(1, Number(process.env.TAZUNA_DEEP_ONE_OF || 1));

/** The cases of a table that are played this time: others with each seed, and at least one. Keeps their order. */
export function drawn<T>(cases: readonly T[], table = ""): readonly T[] {
  return drawnFew(cases, Math.ceil(cases.length / ONE_OF), table);
}

/** One case of a table of long cases; all of them if no cases are left out, as when its file is named. */
export function drawnOne<T>(cases: readonly T[], table: string): readonly T[] {
  return ONE_OF === 1 ? cases : drawnFew(cases, 1, table);
}

/** So many cases of a table: others with each seed, also if its file is named. Keeps their order. */
export function drawnFew<T>(cases: readonly T[], count: number, table: string): readonly T[] {
  const place = (one: T) =>
    createHash("sha256")
      .update(JSON.stringify([SEED, table, one]))
      .digest("hex");
  const sorted = cases.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
  const chosen = new Set(sorted.slice(0, count));
  return cases.filter((one) => chosen.has(one));
}
