/** Measures many attempts at once on one clone, against the plain sequence run as often at once (which loses runs). */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { TaskDocument } from "../src/contract/task-document.ts";
import { nowMs } from "./support/clock.ts";
import { editsThenStamp } from "./support/edits.ts";
import { startEngine } from "./support/engine.ts";
import { plainRun } from "./support/plain-run.ts";
import { printMeasures, printSummary, printTable } from "./support/report.ts";
import { type Arm, measureRounds, ratioOf } from "./support/rounds.ts";
import { makeScratch, type Scratch } from "./support/scratch.ts";

const { values } = parseArgs({
  options: {
    "128": { type: "boolean", default: false },
    files: { type: "string", default: "200" },
    rounds: { type: "string", default: "5" },
  },
});
const COUNT = values["128"] ? 128 : 32;
/** A task takes at most 64 agents. */
const PER_TASK = 32;
const RAW = "plain sequence, wall per run";
const PUSHED = "created to pushed, wall per run";
const CANCELED = "and cancelled, wall per run";
const RAW_REMOVED = "and removed, wall per run";

const losses = { plainLost: 0, plainRetried: 0, lost: [] as string[] };
const files = Number(values.files);
const rounds = Number(values.rounds);
await using scratch = await makeScratch({ files });
const agent = await scratch.script("agent", editsThenStamp({ files, stamps: scratch.stamps }));
await scratch.configure({
  agents: { bench: { executor: "command", command: [agent] } },
  limits: { parallel: COUNT, per_repository: COUNT, per_login: COUNT },
});
const measured = await measureRounds([plainArm(scratch, agent), productArm(scratch)], rounds);
printMeasures(`${COUNT} at once on one clone of ${files} files, ${rounds} rounds`, measured, {
  raw: RAW,
  limits: { [PUSHED]: 1.2 },
});
const runs = COUNT * (rounds + 1);
printTable(
  "lost (the warming round counts too)",
  ["", "runs", "lost", "failed once, retried"],
  [
    ["plain sequence", String(runs), String(losses.plainLost), String(losses.plainRetried)],
    ["product", String(runs), String(losses.lost.length), "0"],
  ],
);
for (const line of losses.lost.slice(0, 10)) console.log(`  ${line}`);
printSummary("many-at-once", {
  count: COUNT,
  files,
  rounds,
  failures: losses.lost.length,
  plain_lost: losses.plainLost,
  plain_retried: losses.plainRetried,
  ratio: ratioOf(measured, PUSHED, RAW),
  ratio_with_removal: ratioOf(measured, CANCELED, RAW_REMOVED),
});
process.exitCode = losses.lost.length === 0 ? 0 : 1;

function plainArm(of: Scratch, program: string): Arm {
  return {
    name: RAW,
    run: async (round) => {
      const began = nowMs();
      const names = Array.from({ length: COUNT }, (_, index) => `plain-${round}-${index}`);
      const ends = await Promise.all(names.map((name) => plainRun(of, { name, agent: program })));
      const wall = nowMs() - began;
      losses.plainLost += ends.filter(({ lost }) => lost).length;
      losses.plainRetried += ends.filter(({ retried }) => retried).length;
      await Promise.all(ends.map(({ remove }) => remove()));
      const removed = nowMs() - began;
      for (const { forget } of ends) await forget();
      return { [RAW]: wall / COUNT, [RAW_REMOVED]: removed / COUNT };
    },
  };
}

/** An engine for each round, started before the clock, so that nothing of ours works beside the plain arm. */
function productArm(of: Scratch): Arm {
  return {
    name: PUSHED,
    run: async () => {
      await using engine = await startEngine(of);
      const agents = Array.from({ length: PER_TASK }, () => "bench");
      const began = nowMs();
      const made = await Promise.all(
        Array.from({ length: COUNT / PER_TASK }, () => engine.createTask(agents)),
      );
      const ended = await Promise.all(made.map(({ task }) => engine.ended(task.id)));
      const wall = nowMs() - began;
      losses.lost.push(...ended.flatMap((task) => lostOf(of, task)));
      await Promise.all(made.map(({ task }) => engine.client.cancel({ type: "task", id: task.id })));
      const canceled = nowMs() - began;
      for (const task of made) await engine.remove(task);
      await rm(join(of.home, "trash"), { recursive: true, force: true });
      return { [PUSHED]: wall / COUNT, [CANCELED]: canceled / COUNT };
    },
  };
}

/** Why a run counts as lost: it did not succeed, or the origin has another commit than it says. */
function lostOf(of: Scratch, task: TaskDocument): string[] {
  return task.attempts.flatMap(({ branch, runs: [run] }) => {
    if (run?.outcome !== "pushed") return `${branch}: ${run?.status} ${JSON.stringify(run?.failure)}`;
    const there = Bun.spawnSync(["git", "rev-parse", `refs/heads/${branch}`], {
      cwd: of.origin,
      env: { ...of.env },
    });
    const sha = there.stdout.toString().trim();
    return sha === run.commit ? [] : `${branch}: the origin has ${sha}, not ${run.commit}`;
  });
}
