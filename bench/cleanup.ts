/** Measures how long a person waits until a finished attempt is cancelled, against `git worktree remove --force`. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { nowMs } from "./support/clock.ts";
import { editsThenStamp } from "./support/edits.ts";
import { type BenchEngine, startEngine } from "./support/engine.ts";
import { COMMAND } from "./support/program.ts";
import { rawAgent, rawCreate, rawForget, rawRemove } from "./support/raw-run.ts";
import { printMeasures, printSummary } from "./support/report.ts";
import { type Arm, type Measured, measureRounds, ratioOf } from "./support/rounds.ts";
import { makeScratch, type Scratch } from "./support/scratch.ts";
import { type Size, sizesToMeasure } from "./support/sizes.ts";
import { until } from "./support/until.ts";

const RAW = "raw worktree remove --force";
/** What a person waits for: the answer, with which the attempt is out of every list. The rest happens behind it. */
const ANSWERED = "cancel answered";
/** Behind it: snapshot, rename into the trash, prune. The files themselves stay there for 14 days. */
const GONE = "worktree gone from its place";
const REMOVED = "branch and registration gone too";
const COMMANDED = "the whole command tazuna cancel";

const summary: Record<string, number> = {};
for (const size of sizesToMeasure(process.argv.slice(2))) {
  const measured = await measure(size);
  printMeasures(`cleanup, ${size.name}: ${size.files} files, ${size.rounds} rounds`, measured, {
    raw: RAW,
    limits: { [ANSWERED]: 0.1 },
  });
  summary[size.name] = ratioOf(measured, ANSWERED, RAW);
  summary[`${size.name}_gone`] = ratioOf(measured, GONE, RAW);
  summary[`${size.name}_removed`] = ratioOf(measured, REMOVED, RAW);
  summary[`${size.name}_command`] = ratioOf(measured, COMMANDED, RAW);
}
printSummary("cleanup", summary);

async function measure(size: Size): Promise<Measured> {
  await using scratch = await makeScratch({ files: size.files });
  const agent = await scratch.script("agent", editsThenStamp({ files: size.files, stamps: scratch.stamps }));
  await scratch.configure({ agents: { bench: { executor: "command", command: [agent] } } });
  await using engine = await startEngine(scratch);
  return await measureRounds([rawArm(scratch, agent), productArm(scratch, engine)], size.rounds);
}

function rawArm(scratch: Scratch, agent: string): Arm {
  return {
    name: RAW,
    run: async (round) => {
      const name = `removed-${round}`;
      const run = rawCreate(scratch, name);
      rawAgent(scratch, run, { agent, name });
      Bun.spawnSync(["sync"]);
      const began = nowMs();
      rawRemove(scratch, run);
      const took = nowMs() - began;
      await rawForget(scratch, run);
      return { [RAW]: took };
    },
  };
}

function productArm(scratch: Scratch, engine: BenchEngine): Arm {
  return {
    name: ANSWERED,
    run: async () => {
      const byHttp = await cancelByHttp(engine, await finished(engine));
      await rm(join(scratch.home, "trash"), { recursive: true, force: true });
      const again = await finished(engine);
      const began = nowMs();
      Bun.spawnSync([COMMAND, "cancel", again.id], { cwd: scratch.clone, env: { ...scratch.env } });
      const commanded = nowMs() - began;
      await removed(engine, again.task);
      await rm(join(scratch.home, "trash"), { recursive: true, force: true });
      return { ...byHttp, [COMMANDED]: commanded };
    },
  };
}

interface Finished {
  readonly task: string;
  /** Of the attempt. */
  readonly id: string;
  readonly worktree: string;
}

async function finished(engine: BenchEngine): Promise<Finished> {
  const made = await engine.createTask(["bench"]);
  const { task, attempts } = await engine.ended(made.task.id);
  Bun.spawnSync(["sync"]);
  const [attempt] = attempts;
  if (attempt === undefined) throw new Error("the task has no attempt");
  return { task: task.id, id: attempt.id, worktree: attempt.worktree };
}

async function cancelByHttp(engine: BenchEngine, of: Finished): Promise<Record<string, number>> {
  const began = nowMs();
  const canceled = await engine.client.cancel({ type: "attempt", id: of.id });
  const answered = nowMs() - began;
  if (canceled.isErr()) throw new Error(JSON.stringify(canceled.error));
  await until("the worktree to go", () => !existsSync(of.worktree), { everyMs: 1 });
  const gone = nowMs() - began;
  await removed(engine, of.task);
  return { [ANSWERED]: answered, [GONE]: gone, [REMOVED]: nowMs() - began };
}

async function removed(engine: BenchEngine, task: string): Promise<void> {
  await until("the attempt to be removed", async () => {
    const now = await engine.client.task(task);
    return now.isOk() && now.value.attempts.every(({ state }) => state === "removed");
  });
}
