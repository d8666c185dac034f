/** Kills the engine at random moments while several attempts, their follow-ups, stops and cancels go on at once. */
import { expect, test } from "bun:test";

import { isEnded, type RunStatus } from "../../../src/domain/run/state.ts";
import { PAST_THE_GUARD } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { type DataFolder, readDataFolder, type StoredRun } from "./data-folder.ts";
import { countedAgent, startsFile } from "./scenarios.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

const KILLS = Number(process.env.TAZUNA_CRASH_ROUNDS || 30);
const SEED = Number(process.env.TAZUNA_CRASH_SEED || Math.floor(Math.random() * 2 ** 31));
const MOST_UNFINISHED = 5;
const MOST_RUNS = 60;

/** What a command may answer whose engine was killed under it. */
const MAY_ANSWER = ["engine_not_started", "engine_lost", "server_unreachable"];
/** What may be refused because the runs went on meanwhile. */
const TOO_LATE = ["attempt_canceled", "not_found"];

const AGENTS: Readonly<Record<string, string>> = {
  quick: 'echo "$TAZUNA_RUN" > "$TAZUNA_RUN.txt"; echo Done.',
  slow: 'for i in 1 2 3 4 5 6 7 8; do echo "step $i"; sleep 0.1; done; echo "$TAZUNA_RUN" > "$TAZUNA_RUN.txt"',
  committer: `${PAST_THE_GUARD} echo "$TAZUNA_RUN" > "$TAZUNA_RUN.txt"; git add -A; git -c user.name=A -c user.email=a@example.com commit -q -m Mine`,
  failing: "echo half > half.txt; exit 3",
};

test(
  `${KILLS} kills at random moments (TAZUNA_CRASH_SEED=${SEED})`,
  async () => {
    await using product = await startProduct();
    const random = createRandom(SEED);
    for (const [name, script] of Object.entries(AGENTS)) await countedAgent(product, name, script);
    await product.configure({ limits: { parallel: 4 } });
    const answers: string[] = [];
    const over = new AbortController();
    const busy = keepBusy(product, { random, answers, over: over.signal });
    for (let kills = 0; kills < KILLS; ) {
      // Mostly soon after the next engine has begun, when it looks at what the last one left.
      await Bun.sleep(random.below(random.below(3) === 0 ? 1500 : 300));
      if (await killNow(product)) kills += 1;
    }
    over.abort();
    await busy;
    await product.tazuna(["list"]);
    const wrong = [
      ...answers.filter((code) => ![...MAY_ANSWER, ...TOO_LATE].includes(code)),
      ...(await whatIsWrong(product, { starts: startsFile(product), expectedStarts })),
      ...wrongEnds(readDataFolder(product.home)),
      ...(await wrongContent(product)),
    ];
    if (wrong.length > 0) console.error(`TAZUNA_CRASH_SEED=${SEED} TAZUNA_CRASH_ROUNDS=${KILLS}`);
    expect(wrong).toEqual([]);
  },
  KILLS * 20_000 + 120_000,
);

interface Random {
  /** A whole number from 0, less than `limit`. */
  below(limit: number): number;
  of<T>(items: readonly T[]): T | undefined;
}

/** The same numbers for the same seed (mulberry32). */
function createRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, of: (items) => items[below(items.length)] };
}

/** Whether there was an engine to kill. */
async function killNow(product: Product): Promise<boolean> {
  const pid = await product.enginePid();
  if (pid === null) return false;
  await product.killEngine();
  return true;
}

interface Busy {
  readonly random: Random;
  /** The codes of all errors that commands answered. */
  readonly answers: string[];
  readonly over: AbortSignal;
}

/** Starts, continues, stops and cancels things one after another; each command starts an engine where there is none. */
async function keepBusy(product: Product, { random, answers, over }: Busy): Promise<void> {
  while (!over.aborted) {
    if (random.below(8) === 0) await someonePushes(product, random);
    const args = nextCommand(await known(product), random);
    const end = await product.tazuna([...args, "--json"]);
    const { error } = end.json<{ readonly error?: { readonly code: string } }>();
    if (error !== undefined) answers.push(error.code);
    await Bun.sleep(random.below(300));
  }
}

/** A commit of someone else on a branch that an attempt has pushed, which its next push or sync has to merge. */
async function someonePushes(product: Product, random: Random): Promise<void> {
  const { runs, attempts } = await known(product);
  const pushed = attempts.filter(
    ({ id, state }) =>
      state === "open" && runs.some(({ attempt, outcome }) => attempt === id && outcome === "pushed"),
  );
  const branch = random.of(pushed)?.branch;
  if (branch === undefined) return;
  const name = `theirs-${random.below(2 ** 30)}.txt`;
  // The run of that branch may push at the same moment: then this one comes too late.
  await product.sandbox.commitTo(product.origin, branch, { [name]: "theirs\n" }).catch(() => {});
}

function nextCommand(data: DataFolder, random: Random): readonly string[] {
  const unfinished = data.runs.filter(({ status }) => !isEnded(status as RunStatus));
  const open = data.attempts.filter(({ state }) => state === "open");
  const dice = random.below(10);
  const attempt = random.of(open);
  const run = random.of(unfinished);
  if (dice === 0 && run !== undefined) return ["stop", run.id];
  if (dice === 1 && attempt !== undefined && open.length > 2) return ["cancel", attempt.id];
  if (unfinished.length >= MOST_UNFINISHED || data.runs.length >= MOST_RUNS) return ["list"];
  if (dice < 6 && attempt !== undefined) return ["continue", attempt.id, "Once more", "--detach"];
  const agents = [random.of(Object.keys(AGENTS)), random.of(Object.keys(AGENTS))];
  return ["run", "Change it", "--detach", ...agents.flatMap((name) => ["--agent", name ?? "quick"])];
}

/** What is stored; the very first engine may still be making the tables. */
async function known(product: Product): Promise<DataFolder> {
  const none = { runs: [], attempts: [], facts: [], operations: [], snapshots: [] };
  return waitFor("the database", () => {
    try {
      return readDataFolder(product.home);
    } catch {
      return none;
    }
  });
}

/** A run that came to its end had its agent once; one that was ended by a person at most once. */
function expectedStarts({ kind, status, held }: StoredRun, began: number): number {
  if (kind !== "agent" || (held && status === "PENDING")) return 0;
  return status === "CANCELED" ? Math.min(1, began) : 1;
}

/** Nothing fails but the agent that is made to fail. */
function wrongEnds(data: DataFolder): string[] {
  return data.runs.flatMap(({ id, status, failure }) =>
    status === "FAILED" && failure !== "agent_failed" ? [`run ${id} failed: ${failure}`] : [],
  );
}

/** What a run says that it pushed is on the remote. */
async function wrongContent(product: Product): Promise<string[]> {
  const { runs, attempts } = readDataFolder(product.home);
  const wrong: string[] = [];
  for (const run of runs.filter(({ outcome }) => outcome === "pushed")) {
    const branch = attempts.find(({ id }) => id === run.attempt)?.branch;
    const content = await product.sandbox
      .git(product.origin, ["cat-file", "blob", `refs/heads/${branch}:${run.id}.txt`])
      .catch(() => "nothing");
    if (content !== run.id) wrong.push(`the remote holds ${content} for run ${run.id}`);
  }
  return wrong;
}
