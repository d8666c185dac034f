/** Measures a team on one Postgres: how it rests, how soon a placed attempt begins, and many attempts that wait at once. */
import { parseArgs } from "node:util";
import { printSummary, printTable } from "./support/report.ts";
import { median } from "./support/rounds.ts";
import { type BenchTeam, startTeam } from "./support/team.ts";

const { values } = parseArgs({
  options: {
    workers: { type: "string", default: "20" },
    attempts: { type: "string", default: "1000" },
    /** What each engine works on at once. */
    slots: { type: "string", default: "2" },
    /** Attempts that are asked for one after the other. */
    single: { type: "string", default: "60" },
    idle: { type: "string", default: "30" },
    /** All that wait at once have to end within so many minutes. */
    minutes: { type: "string", default: "40" },
  },
});
const [workers, attempts, single] = [values.workers, values.attempts, values.single].map(Number) as [
  number,
  number,
  number,
];
/** A task takes at most 64 agents. */
const PER_TASK = 50;
const SETTLE_MS = 10_000;

await using team = await startTeam({
  workers,
  slots: Number(values.slots),
  agent: 'echo "$TAZUNA_RUN" >"made-$TAZUNA_RUN.txt"',
});
const idle = await transactionsPerSecond(team, Number(values.idle) * 1_000);
console.log(`idle: ${idle.toFixed(1)} transactions a second`);
const begun = await placedToBegun(team, single);
console.log(`placed to begun: p50 ${median(begun).toFixed(0)} ms, p95 ${p95(begun).toFixed(0)} ms`);
const many = attempts === 0 ? null : await manyAtOnce(team, attempts);

printTable(
  `a team of ${workers}`,
  ["", "measured", "must"],
  [
    ["transactions a second, idle", idle.toFixed(1), "60"],
    [`placed to begun, p50 of ${begun.length}, ms`, median(begun).toFixed(0), ""],
    [`placed to begun, p95 of ${begun.length}, ms`, p95(begun).toFixed(0), "100"],
    ...(many === null
      ? []
      : [
          [`${attempts} at once, s`, many.seconds.toFixed(0), ""],
          ["ended otherwise than pushed", String(many.failed.length), "0"],
          ["not pushed exactly once", String(many.wrong.length), "0"],
          ["workers that took part", String(many.tookPart), ""],
        ]),
  ],
);
for (const line of [...(many?.failed ?? []), ...(many?.wrong ?? [])].slice(0, 10)) console.log(`  ${line}`);
printSummary("team", {
  ...{ workers, idle_tps: idle, begun_p50_ms: median(begun), begun_p95_ms: p95(begun) },
  ...(many === null
    ? {}
    : { attempts, seconds: many.seconds, failures: many.failed.length + many.wrong.length }),
});
process.exitCode = (many?.failed.length ?? 0) + (many?.wrong.length ?? 0) === 0 ? 0 : 1;

async function transactionsPerSecond({ query }: BenchTeam, ms: number): Promise<number> {
  const count = async () => {
    const [row] = await query<{ n: string }>(
      "select sum(xact_commit + xact_rollback) as n from pg_stat_database where datname = current_database()",
    );
    return Number(row?.n);
  };
  await Bun.sleep(SETTLE_MS);
  const [before, began] = [await count(), performance.now()];
  await Bun.sleep(ms);
  return ((await count()) - before) / ((performance.now() - began) / 1_000);
}

/** From the row of a run to its first move, in milliseconds. The engines are asked in turn, with a free slot each. */
async function placedToBegun(team: BenchTeam, count: number): Promise<number[]> {
  for (let n = 0; n < count; n++) {
    const engine = team.engines[n % team.engines.length];
    const made = await engine?.createTask(["bench"]);
    if (engine !== undefined && made !== undefined) await engine.ended(made.task.id);
  }
  const rows = await team.query<{ ms: string }>(
    `select 1000 * extract(epoch from min(facts.at::timestamptz) - min(runs.created_at::timestamptz)) as ms
     from runs join facts on facts.run_id = runs.id and facts.kind = 'run.state' group by runs.id`,
  );
  return rows.map(({ ms }) => Number(ms));
}

/** Asks one engine for all of them. The others take what waits for its slots. */
async function manyAtOnce(team: BenchTeam, count: number) {
  const [first] = team.engines;
  if (first === undefined) throw new Error("a team has an engine");
  const began = performance.now();
  const since = new Date().toISOString();
  for (let left = count; left > 0; left -= PER_TASK)
    await first.createTask(Array.from({ length: Math.min(left, PER_TASK) }, () => "bench"));
  console.log(`${count} asked for after ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  await allEnded(team, { since, withinMs: Number(values.minutes) * 60_000 });
  const seconds = (performance.now() - began) / 1_000;
  const runs = await team.query<RunRow>(
    `select runs.id, runs.status, runs.outcome, runs.commit_sha as commit, runs.failure::text as failure, runs.worker_id, attempts.branch
     from runs join attempts on attempts.id = runs.attempt_id where runs.created_at >= $1`,
    [since],
  );
  return {
    seconds,
    failed: runs.flatMap(({ id, outcome, status, failure }) =>
      outcome === "pushed" ? [] : [`${id}: ${status} ${outcome} ${failure}`],
    ),
    wrong: runs.length === count ? notPushedOnce(team, runs) : [`${runs.length} runs instead of ${count}`],
    tookPart: new Set(runs.map(({ worker_id }) => worker_id)).size,
  };
}

interface RunRow {
  readonly id: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly commit: string | null;
  readonly failure: string | null;
  readonly worker_id: string;
  readonly branch: string;
}

/** Says every twenty seconds how many have ended, and throws if they take too long. */
async function allEnded(
  { query }: BenchTeam,
  { since, withinMs }: { readonly since: string; readonly withinMs: number },
): Promise<void> {
  const began = performance.now();
  for (let said = 0; ; ) {
    const [row] = await query<{ open: string; ended: string; working: string }>(
      `select count(*) filter (where ended_at is null) as open, count(ended_at) as ended,
         count(*) filter (where ended_at is null and lease_owner is not null) as working
       from runs where created_at >= $1`,
      [since],
    );
    if (Number(row?.open) === 0) return;
    const passed = performance.now() - began;
    if (passed > withinMs) throw new Error(`${row?.open} have not ended in time`);
    if (passed - said > 20_000) {
      said = passed;
      console.log(`  ${(passed / 1_000).toFixed(0)} s: ${row?.ended} ended, ${row?.working} at work`);
    }
    await Bun.sleep(1_000);
  }
}

/** What the origin has: each branch came once, and is one commit on `main`, the one that its run says. */
function notPushedOnce({ scratch }: BenchTeam, runs: readonly RunRow[]): string[] {
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", "-C", scratch.origin, ...args], { env: { ...scratch.env } })
      .stdout.toString()
      .trim();
  const heads = new Map(
    git("for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads")
      .split("\n")
      .map((line) => line.split(" ") as [string, string]),
  );
  const arrivals = new Map(
    Object.entries(Object.groupBy(scratch.arrived(), (ref) => ref)).map(([ref, all]) => [
      ref,
      all?.length ?? 0,
    ]),
  );
  return runs.flatMap(({ id, branch, commit }) => {
    const [head, times] = [heads.get(branch), arrivals.get(`refs/heads/${branch}`) ?? 0];
    const commits = head === undefined ? "0" : git("rev-list", "--count", `main..${head}`);
    return head === commit && times === 1 && commits === "1"
      ? []
      : [`${id}: ${branch} came ${times} times with ${commits} commits, ${head} and not ${commit}`];
  });
}

/** The one of which 5 % are longer. */
function p95(all: readonly number[]): number {
  const inOrder = [...all].sort((one, other) => one - other);
  return inOrder[Math.floor(inOrder.length * 0.95)] ?? Number.NaN;
}
