/** Makes ledgers of every kind of agreement and disagreement, from a handful of names that collide on purpose. */
import fc from "fast-check";
import type {
  AttemptRecord,
  DiskFact,
  Ledgers,
  ProcessFact,
  PutAside,
  RegistrationFact,
  RepositoryLedger,
  RepositoryRecord,
  RunRecord,
  UnfinishedOperation,
} from "../../../src/domain/ledgers/ledgers.ts";
import { PLACES } from "../../../src/domain/ledgers/ledgers.ts";

export const ROOT = "/home/u/.tazuna";
const COMMON_DIRS = [
  "/p/one/.git",
  "/p/two/.git",
  `${ROOT}/demos/a/greeter/.git`,
  `${ROOT}/workspaces/r4/.git`,
] as const;
const REPOSITORIES: readonly RepositoryRecord[] = [
  { id: "r1", path: "/p/one", commonDir: COMMON_DIRS[0], url: null, removed: false },
  { id: "r2", path: "/p/two", commonDir: COMMON_DIRS[1], url: null, removed: false },
  { id: "r3", path: `${ROOT}/demos/a/greeter`, commonDir: COMMON_DIRS[2], url: null, removed: false },
  {
    id: "r4",
    path: `${ROOT}/workspaces/r4`,
    commonDir: COMMON_DIRS[3],
    url: "https://git.example.com/four",
    removed: true,
  },
];
const IDS = ["a1", "a2", "a3"] as const;
const NAMES = [
  "run_a1",
  "run_a2",
  "run_a3",
  "a1",
  "a2",
  "half-made-x",
  "purge-x",
  ".x.tmp",
  "foreign",
] as const;
const BRANCHES = ["tazuna/a1", "tazuna/a2", "mine", "tazuna/a1-by-agent-12345678", "tazuna/nobody"] as const;

/** What agrees, three times of four: only then is anything ever free to go. */
function mostly<T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: fc.constant(usual), weight: 3 }, { arbitrary: other, weight: 1 });
}

const attempt = (id: string): fc.Arbitrary<AttemptRecord> =>
  fc.record({
    id: fc.constant(id),
    repositoryId: mostly("r1", fc.constantFrom("r2", "gone")),
    branch: mostly(`tazuna/${id}`, fc.constantFrom(...BRANCHES)),
    branchExisted: fc.boolean(),
    worktree: fc.constant(`${ROOT}/worktrees/run_${id}`),
    gitDir: fc.option(fc.constant(`/p/one/.git/worktrees/run_${id}`)),
    state: fc.constantFrom("open", "canceled", "removed"),
    cleanUp: fc.option(fc.constant({ why: "no room", triedAt: "2026-01-01", againAt: "2026-01-02" })),
  });

const run: fc.Arbitrary<RunRecord> = fc.record({
  id: fc.constantFrom(...IDS),
  attemptId: fc.constantFrom(...IDS),
  ended: fc.boolean(),
  held: fc.boolean(),
});

const putAside: fc.Arbitrary<PutAside> = fc.record({
  operation: fc.constantFrom("foreign", "o1", "o2", "o3", "o4", "o5"),
  attemptId: fc.constantFrom(...IDS),
  as: fc.constantFrom("entry", "purge", "half_made"),
  path: fc.constantFrom(...NAMES).map((name) => `${ROOT}/trash/${name}`),
  status: fc.constantFrom("intended", "done", "failed", "abandoned"),
  at: fc.constantFrom("2026-01-01", "2026-01-02"),
});

const unfinishedOperations: fc.Arbitrary<UnfinishedOperation> = fc.record({
  operation: fc.constantFrom("o1", "o2"),
  kind: fc.constantFrom("trash", "trash_purge", "merge"),
  subject: fc.record({ type: fc.constant("attempt" as const), id: fc.constantFrom(...IDS) }),
  at: fc.constant("2026-01-01"),
  paths: fc.subarray([`${ROOT}/trash/purge-x`, `${ROOT}/worktrees/run_a1`]),
  trouble: fc.option(fc.constant("no room")),
});

const disk: fc.Arbitrary<DiskFact> = fc
  .record({
    place: fc.constantFrom(...PLACES),
    name: fc.constantFrom(...NAMES),
    kind: fc.constantFrom("folder", "file", "link"),
    pointer: fc.option(fc.constantFrom(...COMMON_DIRS).map((dir) => `${dir}/worktrees/x`)),
  })
  .map((fact) => ({
    ...fact,
    path: fact.place === "root" ? `${ROOT}/${fact.name}` : `${ROOT}/${fact.place}/${fact.name}`,
  }));

const registration: fc.Arbitrary<RegistrationFact> = fc
  .oneof(
    { arbitrary: fc.constantFrom(...IDS).map((id) => `${ROOT}/worktrees/run_${id}`), weight: 4 },
    { arbitrary: fc.constantFrom("/p/one", "/p/theirs", `${ROOT}/worktrees/foreign`), weight: 1 },
  )
  .chain((path) =>
    fc.record({
      path: fc.constant(path),
      main: mostly(false, fc.boolean()),
      branch: mostly(`tazuna/${path.slice(-2)}`, fc.option(fc.constantFrom(...BRANCHES))),
      locked: mostly(false, fc.boolean()),
    }),
  );

const refName = fc.oneof(
  fc.constantFrom(...BRANCHES).map((name) => `refs/heads/${name}`),
  fc.constantFrom(...IDS, "zz").map((id) => `refs/tazuna/snapshots/${id}/1`),
  fc.constantFrom(...IDS, "zz").map((id) => `refs/tazuna/snapshots/${id}/2`),
  fc.constantFrom(...IDS, "zz").map((id) => `refs/tazuna/runs/${id}/before`),
  fc.constantFrom("refs/tazuna/odd", "refs/tazuna/snapshots"),
);

const git = (commonDir: string): fc.Arbitrary<RepositoryLedger> =>
  fc.record({
    commonDir: fc.constant(commonDir),
    readable: fc.boolean(),
    registrations: fc.uniqueArray(registration, { selector: ({ path }) => path, maxLength: 5 }),
    refs: fc.uniqueArray(refName, { maxLength: 8 }),
  });

const process: fc.Arbitrary<ProcessFact> = fc.record({
  pid: fc.integer({ min: 2, max: 99 }),
  startTime: fc.constant("1"),
  run: fc.constantFrom(...IDS, "zz"),
  workspace: fc.option(fc.constantFrom(`${ROOT}/worktrees/run_a1`, "/elsewhere")),
});

/** A world with everything in it that may be there, known or not. */
export const anyLedgers: fc.Arbitrary<Ledgers> = fc.record({
  root: fc.constant(ROOT),
  enginePid: fc.option(fc.constant(77)),
  database: fc.record({
    repositories: mostly(REPOSITORIES, fc.subarray([...REPOSITORIES])),
    making: fc.subarray([`${ROOT}/workspaces/half-made-r5`]),
    attempts: fc
      .tuple(...IDS.map((id) => fc.option(attempt(id))))
      .map((all) => all.filter((each) => each !== null)),
    runs: fc.uniqueArray(run, { selector: ({ id }) => id }),
    putAside: fc.uniqueArray(putAside, { selector: ({ operation }) => operation, maxLength: 6 }),
    unfinishedOperations: fc.uniqueArray(unfinishedOperations, {
      selector: ({ operation }) => operation,
      maxLength: 2,
    }),
    snapshots: fc.uniqueArray(
      fc.constantFrom(...IDS, "zz").map((id) => ({ attemptId: id, ref: `refs/tazuna/snapshots/${id}/1` })),
      { selector: ({ ref }) => ref },
    ),
  }),
  git: fc
    .tuple(...COMMON_DIRS.map((dir) => fc.option(git(dir))))
    .map((all) => all.filter((each) => each !== null)),
  disk: fc.uniqueArray(disk, { selector: ({ path }) => path, maxLength: 12 }),
  processes: fc.uniqueArray(process, { selector: ({ pid }) => pid, maxLength: 4 }),
});

/** The same facts in another order. */
export function shuffled(ledgers: Ledgers, seed: number): Ledgers {
  const mix = <T>(list: readonly T[]): readonly T[] =>
    list
      .map((value, index) => ({ value, key: Math.sin(seed * 31 + index * 17) }))
      .sort((a, b) => a.key - b.key)
      .map(({ value }) => value);
  const { database } = ledgers;
  return {
    ...ledgers,
    disk: mix(ledgers.disk),
    processes: mix(ledgers.processes),
    git: mix(ledgers.git).map((one) => ({
      ...one,
      refs: mix(one.refs),
      registrations: mix(one.registrations),
    })),
    database: {
      repositories: mix(database.repositories),
      making: mix(database.making),
      attempts: mix(database.attempts),
      runs: mix(database.runs),
      putAside: mix(database.putAside),
      unfinishedOperations: mix(database.unfinishedOperations),
      snapshots: mix(database.snapshots),
    },
  };
}
