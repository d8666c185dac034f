/** Kills engines, keepers, agents and what they start at random moments, while every kind of work goes on. */
import { expect, test } from "bun:test";
import { type Product, startProduct } from "../../helpers/product.ts";
import { sandboxHere } from "../../helpers/sandbox.ts";
import { tally } from "../../helpers/tally.ts";
import { deep, SEED } from "../../helpers/tier.ts";
import { type Answer, furnish, keepBusy, known } from "./busy-world.ts";
import { type DataFolder, readDataFolder, type StoredRun } from "./data-folder.ts";
import { createRandom } from "./random.ts";
import { startsFile } from "./scenarios.ts";
import { killSomebody, type Victim } from "./victims.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

/**
 * Few, the same each time; and many, others each time. Worlds go on at once, each with an engine of its own; the last one
 * is under the sandbox, if there is one.
 */
const TIERS = [
  { all: 12, seed: 1, worlds: 2, mark: (title: string) => title },
  {
    all: Number(process.env.TAZUNA_CRASH_ROUNDS || 60),
    seed: SEED,
    worlds: 4,
    mark: deep,
  },
];
/** What a command may answer whose engine was killed under it. */
const MAY_ANSWER = ["engine_not_started", "engine_lost", "server_unreachable"];
/** What may be refused because the runs went on meanwhile, or because there is nothing of the kind. */
const TOO_LATE = [
  "attempt_canceled",
  "not_found",
  "run_not_ended",
  "nothing_to_push",
  "nothing_to_allow",
  "attempt_busy",
  "no_worktree",
  // Of a run that ended before its agent did anything.
  "no_tree",
];

for (const { all, seed, worlds, mark } of TIERS)
  for (const world of Array.from({ length: worlds }, (_, index) => index)) {
    const isolation = sandboxHere.available && world === worlds - 1 ? "sandbox" : "guard";
    const kills = Math.ceil(all / worlds);
    test.concurrent(
      mark(
        `${kills} kills at random moments, under the ${isolation} (TAZUNA_CRASH_SEED=${seed}, world ${world}) (promise 4.1)`,
      ),
      () => killAtRandom({ isolation, kills, seed: seed + world }),
      kills * 20_000 + 120_000,
    );
  }

interface World {
  readonly isolation: "guard" | "sandbox";
  readonly kills: number;
  readonly seed: number;
}

async function killAtRandom({ isolation, kills, seed }: World): Promise<void> {
  await using product = await startProduct({ isolation, timing: { cleanUpMs: [2_000] } });
  const random = createRandom(seed);
  await furnish(product, isolation);
  const answers: Answer[] = [];
  const over = new AbortController();
  const busy = keepBusy(product, {
    random: createRandom(seed + 1_000_000),
    maxRuns: Math.max(60, kills),
    answers,
    over: over.signal,
  });
  const killed: Victim[] = [];
  while (killed.length < kills) {
    // Mostly soon after the next engine has begun, when it looks at what the last one left.
    await Bun.sleep(random.below(random.below(3) === 0 ? 1500 : 300));
    const runs = (await known(product)).runs.map(({ id }) => id);
    const victim = await killSomebody(product, random, runs);
    if (victim !== null) killed.push(victim);
  }
  over.abort();
  await busy;
  await product.tazuna(["list"]);
  const wrong = [
    ...wrongAnswers(answers, killed),
    ...(await whatIsWrong(product, {
      starts: startsFile(product),
      expectedStarts,
      halfMade: true,
      killedGits: killed.includes("git"),
    })),
    ...wrongEnds(readDataFolder(product.home), killed),
    ...(await wrongContent(product)),
  ];
  expect(wrong).toEqual([]);
  for (const victim of killed) tally("kill", `${victim} at a random moment`, { under: isolation });
}

/** What a command may answer whose git was killed under it, if it says so; asked again, it goes through. */
const OF_KILLED_GIT = ["git_failed", "restore_failed", "not_cleaned_up"];

/** A command fails if its git was killed, says so, and does so no more often than that. */
function wrongAnswers(answers: readonly Answer[], killed: readonly Victim[]): readonly string[] {
  const others = answers.filter(({ code }) => !MAY_ANSWER.includes(code) && !TOO_LATE.includes(code));
  const failed = others.filter(
    ({ code, message }) => OF_KILLED_GIT.includes(code) && message.includes("SIGKILL"),
  );
  const tooMany = failed.length > killed.filter((victim) => victim === "git").length;
  return (tooMany ? others : others.filter((answer) => !failed.includes(answer))).map(
    ({ command, code, message }) => `${command}: ${code}: ${message}`,
  );
}

/** What an agent's end says that was killed: by its signal, or by what a shell makes of one. */
const KILLED = /\b(?:SIGKILL|exit code 137)\b/;

/**
 * A run that ended by itself had its agent once. One that a person or a kill ended had it at most once. The agent may
 * not have reached its first line. One that failed before never had it.
 */
function expectedStarts(run: StoredRun, began: number): number {
  const { kind, status, failure, failureMessage, held, agentStarted } = run;
  if (kind !== "agent" || (held && status === "PENDING")) return 0;
  const wasKilled = failure === "agent_failed" && KILLED.test(failureMessage ?? "");
  if (status === "CANCELED" || failure === "interrupted" || wasKilled) return Math.min(1, began);
  return failure === null || agentStarted ? 1 : 0;
}

/** Nothing fails but what is made to fail, and no more often than that. */
function wrongEnds(data: DataFolder, killed: readonly Victim[]): string[] {
  const count = (...victims: Victim[]) => killed.filter((victim) => victims.includes(victim)).length;
  const interrupted = data.runs.filter(({ failure }) => failure === "interrupted");
  // A git that is killed while it makes a worktree interrupts its run too (`git-failure.ts`).
  const byKeeper = interrupted.filter(({ failureMessage }) => /keeper was killed/.test(failureMessage ?? ""));
  const byGit = interrupted.filter((run) => !byKeeper.includes(run));
  const others = data.runs
    .filter(({ failure }) => failure && !["agent_failed", "gate_rejected", "interrupted"].includes(failure))
    .map(({ id, failure, failureMessage }) => `${id} ${failure}: ${failureMessage}`);
  return [
    ...(byKeeper.length > count("keeper", "both") ? [`${byKeeper.length} runs lost their keeper`] : []),
    ...(byGit.length > count("git")
      ? byGit.map(({ id, failureMessage }) => `${id} was interrupted: ${failureMessage}`)
      : []),
    ...(others.length > count("git") ? [`more runs failed than git was killed: ${others.join("\n")}`] : []),
  ];
}

/** What a run says that it pushed is on the remote. */
async function wrongContent(product: Product): Promise<string[]> {
  const { runs, attempts } = readDataFolder(product.home);
  const wrong: string[] = [];
  for (const run of runs.filter(({ kind, outcome }) => kind === "agent" && outcome === "pushed")) {
    const branch = attempts.find(({ id }) => id === run.attempt)?.branch;
    const { git } = product.sandbox;
    const content = await git(product.origin, ["cat-file", "blob", `${run.commit}:${run.id}.txt`]).catch(
      () => "nothing",
    );
    if (content !== run.id) wrong.push(`the remote holds ${content} for run ${run.id}`);
    await git(product.origin, [
      "merge-base",
      "--is-ancestor",
      run.commit ?? "none",
      `refs/heads/${branch}`,
    ]).catch(() => wrong.push(`the commit of run ${run.id} is not on its branch of the remote`));
  }
  return wrong;
}
