/** Tells what is said of a deletion from the trash by how far it came. */
import { expect, test } from "bun:test";
import type { Ledgers, PutAside } from "../../../src/domain/ledgers/ledgers.ts";
import { reconcile } from "../../../src/domain/ledgers/reconcile.ts";
import { isShown } from "../../../src/domain/ledgers/to-findings.ts";
import { ROOT } from "./world.ts";

const PATH = `${ROOT}/trash/purge-1`;

function world(status: PutAside["status"], unfinishedOperations: boolean): Ledgers {
  const act = { operation: "o1", at: "2026-01-01T00:00:00.000Z" };
  return {
    root: ROOT,
    enginePid: null,
    git: [],
    processes: [],
    disk: [{ place: "trash", name: "purge-1", path: PATH, kind: "folder", pointer: null }],
    database: {
      repositories: [],
      making: [],
      attempts: [],
      runs: [],
      snapshots: [],
      putAside: [{ ...act, attemptId: "a1", as: "purge", path: PATH, status }],
      unfinishedOperations: unfinishedOperations
        ? [
            {
              ...act,
              kind: "trash_purge",
              subject: { type: "attempt", id: "a1" },
              paths: [PATH],
              trouble: null,
            },
          ]
        : [],
    },
  };
}

test.each([
  ["under way: nothing", "intended", false, []],
  ["cut off: the act, once", "intended", true, [["act:o1", "unfinished", PATH]]],
  ["failed: its rest", "failed", false, [["trash:purge-1", "unfinished", PATH]]],
  ["decided, its rest left: that it goes", "done", false, [["trash:purge-1", "stale", PATH]]],
] as const)("a deletion that is %s is shown", (_, status, unfinishedOperations, shown) => {
  const explanations = reconcile(world(status, unfinishedOperations)).filter(isShown);
  expect<unknown>(explanations.map(({ id, standing, path }) => [id, standing, path])).toEqual(shown);
});
