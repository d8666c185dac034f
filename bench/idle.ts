/** Measures what an engine costs that has nothing to do: memory, processor, git processes; and what each keeper costs. */
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BenchEngine, startEngine } from "./support/engine.ts";
import { type Cost, costOf, keepersOf } from "./support/processes.ts";
import { printSummary, printTable } from "./support/report.ts";
import { median } from "./support/rounds.ts";
import { makeScratch, type Scratch } from "./support/scratch.ts";
import { until } from "./support/until.ts";

const ATTEMPTS = 50;
const WATCH_MS = 20_000;
const MEBIBYTE = 1024 ** 2;

await using scratch = await makeScratch({ files: 200 });
const quick = await scratch.script("quick", `echo "$TAZUNA_RUN" >made.txt`);
const waiting = await scratch.script("waiting", "sleep 100000");
await scratch.configure({
  agents: {
    quick: { executor: "command", command: [quick] },
    waiting: { executor: "command", command: [waiting] },
  },
  limits: {
    parallel: ATTEMPTS,
    per_repository: ATTEMPTS,
    per_login: ATTEMPTS,
    stall_s: 86_400,
    timeout_s: 86_400,
  },
});
const gitLog = await logGit(scratch);
await using engine = await startEngine(scratch, { env: { PATH: `${scratch.root}/bin:${scratch.env.PATH}` } });
await makeFinished(engine);
const ended = await watch("50 attempts that have ended", engine);
const task = await engine.createTask(Array.from({ length: ATTEMPTS }, () => "waiting"));
const keepers = await until("all agents to wait", async () => {
  const found = await keepersOf(scratch.home);
  return found.length === ATTEMPTS && found;
});
await Bun.sleep(3_000);
const working = await watch("50 more whose agents wait", engine);
const keeperCosts = await costOf(keepers, WATCH_MS / 4);
await engine.remove(task);

printTable("idle engine", ["", "RSS MiB", "CPU %", "git spawns"], [ended, working].map(rowOf));
printTable(
  "keepers",
  ["", "RSS MiB", "own MiB", "CPU %"],
  [
    [
      "median of 50",
      ...[keeperCosts.rss, keeperCosts.own].map((all) => (median(all) / MEBIBYTE).toFixed(1)),
      percent(keeperCosts.cpu / ATTEMPTS),
    ],
  ],
);
printSummary("idle", {
  rss_mib: ended.cost.rss[0] === undefined ? Number.NaN : ended.cost.rss[0] / MEBIBYTE,
  cpu_percent: ended.cost.cpu * 100,
  git: ended.git,
  waiting_rss_mib: (working.cost.rss[0] ?? Number.NaN) / MEBIBYTE,
  waiting_cpu_percent: working.cost.cpu * 100,
  waiting_git: working.git,
  keeper_rss_mib: median(keeperCosts.rss) / MEBIBYTE,
  keeper_own_mib: median(keeperCosts.own) / MEBIBYTE,
  must: "rss<300,cpu<1,git=0",
});

interface Watched {
  readonly what: string;
  readonly cost: Cost;
  readonly git: number;
}

async function watch(what: string, of: BenchEngine): Promise<Watched> {
  await Bun.sleep(2_000);
  const before = await gitSpawns();
  const cost = await costOf([of.pid], WATCH_MS);
  return { what, cost, git: (await gitSpawns()) - before };
}

function rowOf({ what, cost, git }: Watched): string[] {
  return [what, ((cost.rss[0] ?? Number.NaN) / MEBIBYTE).toFixed(1), percent(cost.cpu), String(git)];
}

function percent(share: number): string {
  return (share * 100).toFixed(2);
}

async function makeFinished(of: BenchEngine): Promise<void> {
  const made = await of.createTask(Array.from({ length: ATTEMPTS }, () => "quick"));
  const { attempts } = await of.ended(made.task.id);
  const failed = attempts.flatMap(({ runs }) => runs).filter(({ outcome }) => outcome !== "pushed");
  if (failed.length > 0) throw new Error(`not pushed: ${JSON.stringify(failed[0])}`);
}

/** Puts a `git` first on PATH that writes a line for each start and then is git. */
async function logGit(of: Scratch): Promise<string> {
  const log = join(of.root, "git.log");
  const real = Bun.which("git") ?? "/usr/bin/git";
  await Bun.write(log, "");
  await Bun.write(join(of.root, "bin/git"), "");
  await writeFile(join(of.root, "bin/git"), `#!/bin/sh\necho "$*" >>"${log}"\nexec ${real} "$@"\n`);
  await chmod(join(of.root, "bin/git"), 0o755);
  return log;
}

async function gitSpawns(): Promise<number> {
  return (await readFile(gitLog, "utf8")).split("\n").length - 1;
}
