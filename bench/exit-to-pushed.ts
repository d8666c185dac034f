/** Measures how long it takes from an agent's exit to its branch on the origin, against raw add, diff, commit and push. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { stampOf } from "./support/clock.ts";
import { editsThenStamp } from "./support/edits.ts";
import { type BenchEngine, startEngine } from "./support/engine.ts";
import { rawAgent, rawCreate, rawFinish, rawForget } from "./support/raw-run.ts";
import { printMeasures, printSummary } from "./support/report.ts";
import { type Arm, type Measured, measureRounds, ratioOf } from "./support/rounds.ts";
import { makeScratch, type Scratch } from "./support/scratch.ts";
import { type Size, sizesToMeasure } from "./support/sizes.ts";

const RAW = "raw add + diff + commit + push";
const PUSHED = "agent's exit to pushed";
const TOLD = "agent's exit to SUCCEEDED";

const summary: Record<string, number> = {};
for (const size of sizesToMeasure(process.argv.slice(2))) {
  const measured = await measure(size);
  printMeasures(`exit to pushed, ${size.name}: ${size.files} files, ${size.rounds} rounds`, measured, {
    raw: RAW,
    limits: { [PUSHED]: 1.1 },
  });
  summary[size.name] = ratioOf(measured, PUSHED, RAW);
  summary[`${size.name}_told`] = ratioOf(measured, TOLD, RAW);
}
printSummary("exit-to-pushed", summary);

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
      const name = `finished-${round}`;
      const run = rawCreate(scratch, name);
      rawAgent(scratch, run, { agent, name });
      rawFinish(scratch, run);
      const took = (await pushedAt(scratch, run.branch)) - (await endedAt(scratch, name));
      await rawForget(scratch, run);
      return { [RAW]: took };
    },
  };
}

function productArm(scratch: Scratch, engine: BenchEngine): Arm {
  return {
    name: PUSHED,
    run: async () => {
      const made = await engine.createTask(["bench"]);
      // Waited for first by looking at a file: asking the engine all the while would slow it down.
      await pushedAt(scratch, made.attempts[0]?.branch ?? "");
      const { attempts } = await engine.ended(made.task.id);
      const [attempt] = attempts;
      const [run] = attempt?.runs ?? [];
      if (attempt === undefined || run?.outcome !== "pushed")
        throw new Error(`not pushed: ${JSON.stringify(run)}`);
      const ended = await endedAt(scratch, run.id);
      const pushed = await pushedAt(scratch, attempt.branch);
      await engine.remove(made);
      await rm(join(scratch.home, "trash"), { recursive: true, force: true });
      return { [PUSHED]: pushed - ended, [TOLD]: Date.parse(run.ended_at ?? "") - ended };
    },
  };
}

function endedAt(scratch: Scratch, run: string): Promise<number> {
  return stampOf(join(scratch.stamps, `ended-${run}`));
}

/** The `post-receive` hook of the origin wrote it down, in both arms. */
function pushedAt(scratch: Scratch, branch: string): Promise<number> {
  return stampOf(join(scratch.stamps, `pushed-refs_heads_${branch.replaceAll("/", "_")}`));
}
