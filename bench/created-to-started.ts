/** Measures how long it takes from the creation of a run to its agent's first line, against raw fetch and worktree add. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { TaskSettings } from "../src/domain/task/task-settings.ts";
import { nowMs, stampOf, stampTo } from "./support/clock.ts";
import { type BenchEngine, startEngine } from "./support/engine.ts";
import { COMMAND } from "./support/program.ts";
import { rawAgent, rawCreate, rawForget } from "./support/raw-run.ts";
import { printMeasures, printSummary } from "./support/report.ts";
import { type Arm, type Measured, measureRounds, ratioOf } from "./support/rounds.ts";
import { makeScratch, type Scratch } from "./support/scratch.ts";
import { type Size, sizesToMeasure } from "./support/sizes.ts";
import { until } from "./support/until.ts";

const RAW = "raw fetch + worktree add";
const CREATED = "created to started, warm engine";
const UNCONFINED = "the same without the sandbox";
const ASKED = "the same from the request on";
const COMMAND_WARM = "tazuna run, warm engine";
const COMMAND_COLD = "tazuna run, no engine yet";

const summary: Record<string, number> = {};
for (const size of sizesToMeasure(process.argv.slice(2))) {
  const measured = await measure(size);
  const must = size.name === "small" ? 2 : 1.15;
  printMeasures(`created to started, ${size.name}: ${size.files} files, ${size.rounds} rounds`, measured, {
    raw: RAW,
    limits: { [CREATED]: must },
  });
  summary[size.name] = ratioOf(measured, CREATED, RAW);
  summary[`${size.name}_cost_of_sandbox`] = ratioOf(measured, CREATED, UNCONFINED);
  summary[`${size.name}_from_request`] = ratioOf(measured, ASKED, RAW);
  summary[`${size.name}_command`] = ratioOf(measured, COMMAND_WARM, RAW);
  summary[`${size.name}_command_cold`] = ratioOf(measured, COMMAND_COLD, RAW);
}
printSummary("created-to-started", summary);

async function measure(size: Size): Promise<Measured> {
  await using scratch = await makeScratch({ files: size.files });
  const agent = await scratch.script("agent", stampTo(`${scratch.stamps}/started-$TAZUNA_RUN`));
  await scratch.configure({ agents: { bench: { executor: "command", command: [agent] } } });
  return await measureRounds([rawArm(scratch, agent), cold(scratch), warm(scratch)], size.rounds);
}

function rawArm(scratch: Scratch, agent: string): Arm {
  return {
    name: RAW,
    run: async (round) => {
      const name = `created-${round}`;
      const began = nowMs();
      const run = rawCreate(scratch, name);
      rawAgent(scratch, run, { agent, name });
      const took = (await startedAt(scratch, name)) - began;
      await rawForget(scratch, run);
      return { [RAW]: took };
    },
  };
}

/** An engine for each round, warmed up by one run, so that nothing works beside the raw arm. */
function warm(scratch: Scratch): Arm {
  return {
    name: CREATED,
    run: async () => {
      await using engine = await startEngine(scratch);
      await oneTask(scratch, engine);
      Bun.spawnSync(["sync"]);
      const byHttp = await oneTask(scratch, engine);
      Bun.spawnSync(["sync"]);
      const unconfined = await oneTask(scratch, engine, { isolation: "guard" });
      Bun.spawnSync(["sync"]);
      const command = await oneCommand(scratch, engine);
      return { ...byHttp, [UNCONFINED]: unconfined[CREATED] ?? Number.NaN, [COMMAND_WARM]: command };
    },
  };
}

async function oneTask(
  scratch: Scratch,
  engine: BenchEngine,
  settings: TaskSettings = {},
): Promise<Record<string, number>> {
  const asked = nowMs();
  const task = await engine.createTask(["bench"], settings);
  const started = await startedAt(scratch, task.attempts[0]?.runs[0]?.id ?? "");
  const created = Date.parse(task.task.created_at);
  await forget(scratch, engine, task.task.id);
  return { [CREATED]: started - created, [ASKED]: started - asked };
}

/** The whole command, from the shell script on, that finds the engine and asks it. */
async function oneCommand(scratch: Scratch, engine: BenchEngine): Promise<number> {
  const began = nowMs();
  const { task, run } = command(scratch);
  const took = (await startedAt(scratch, run)) - began;
  await forget(scratch, engine, task);
  return took;
}

/** The same where no engine works yet: the command starts one, which goes by itself. */
function cold(scratch: Scratch): Arm {
  return {
    name: COMMAND_COLD,
    run: async () => {
      const began = nowMs();
      const { task, run } = command(scratch, { TAZUNA_IDLE_EXIT: "0" });
      const took = (await startedAt(scratch, run)) - began;
      await engineGone(scratch);
      await using engine = await startEngine(scratch);
      await forget(scratch, engine, task);
      return { [COMMAND_COLD]: took };
    },
  };
}

function command(
  scratch: Scratch,
  env: Readonly<Record<string, string>> = {},
): { task: string; run: string } {
  const ended = Bun.spawnSync([COMMAND, "run", "Make the edits", "--agent", "bench", "--detach", "--json"], {
    cwd: scratch.clone,
    env: { ...scratch.env, ...env },
  });
  const document = JSON.parse(ended.stdout.toString());
  return { task: document.task.id, run: document.attempts[0].runs[0].id };
}

function startedAt(scratch: Scratch, run: string): Promise<number> {
  return stampOf(join(scratch.stamps, `started-${run}`));
}

async function forget(scratch: Scratch, engine: BenchEngine, id: string): Promise<void> {
  await engine.remove(await engine.ended(id));
  await rm(join(scratch.home, "trash"), { recursive: true, force: true });
}

async function engineGone(scratch: Scratch): Promise<void> {
  await until("the engine to go", () => !existsSync(join(scratch.home, "server.json")), { everyMs: 50 });
}
