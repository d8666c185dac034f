/** Says of a worktree whose attempt goes on elsewhere what is here alone, and by which commands it is decided. */
import { expect, test } from "bun:test";
import { explainDisk } from "../../../src/domain/ledgers/explain-disk.ts";
import { knownOf } from "../../../src/domain/ledgers/known.ts";
import type { AttemptRecord, DiskFact, LeftRecord } from "../../../src/domain/ledgers/ledgers.ts";

const path = "/data/worktrees/garden-1";
const fact: DiskFact = { place: "worktrees", name: "garden-1", path, kind: "folder", pointer: null };
const attempt: AttemptRecord = {
  ...{ id: "abcdefgh-1", repositoryId: "r1", branch: "tazuna/1", branchExisted: false, state: "open" },
  ...{ worktree: "/other/worktrees/garden-1", gitDir: null, cleanUp: null, elsewhere: true },
};

function explained(left?: LeftRecord) {
  const database = {
    ...{ repositories: [], making: [], runs: [], putAside: [], unfinishedOperations: [], snapshots: [] },
    attempts: [{ ...attempt, ...(left === undefined ? {} : { left }) }],
  };
  const known = knownOf({ root: "/data", enginePid: null, database, git: [], disk: [fact], processes: [] });
  return explainDisk(fact, known, []);
}

const left: LeftRecord = { files: 3, notContained: [], state: "offered", worker: "mac-7" };
const WAS = "Attempt abcdefgh was here, and goes on in another data folder.";

test("an offer is named with the commands that decide it", () => {
  expect(explained(left)).toMatchObject({
    standing: "unexplained",
    what: `${WAS} Edits of 3 files are here alone.`,
    remedy:
      "`tazuna diff abcdefgh --from mac-7` shows them; `tazuna restore abcdefgh --from mac-7` brings them in, and with `--discard` drops the offer.",
  });
  expect(explained({ ...left, worker: "it's; rm" }).remedy).toContain(`--from 'it'\\''s; rm'`);
});

test("what is not in the depot yet is waited for, and what no copy holds is named", () => {
  const kept = explained({ ...left, files: 1, state: "kept", notContained: ["inner"] });
  expect(kept.what).toBe(`${WAS} Edits of 1 file are here alone.`);
  expect(kept.why).toBe("Its snapshot is not in the depot yet. No copy holds inner.");
  expect(kept.remedy).not.toContain("--from");
});

test("what was decided, or is the same, or was not looked at, is told without a command", () => {
  for (const state of ["same", "restored", "discarded"] as const) {
    const { what, remedy } = explained({ ...left, state });
    expect([state, what.startsWith(`${WAS} `), remedy?.includes("tazuna")]).toEqual([state, true, false]);
  }
  expect(explained().what).toBe(WAS);
});
