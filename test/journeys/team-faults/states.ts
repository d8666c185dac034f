/** Holds one run at each state, all in one world at once, by gates that a test opens. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askingAgent, asks, show } from "../../helpers/asking-agent.ts";
import { ask, exists, gate, type TaskEnd } from "../../helpers/journey.ts";
import type { Product, RunOptions } from "../../helpers/product.ts";
import { waitFor } from "../../helpers/wait-for.ts";

/** A busy machine may need it. */
export const PATIENT = { withinMs: 240_000 };

/** The order in which they begin: the setup is held last, since every run passes it. */
export const STATES = [
  "asking",
  "working",
  "checking",
  "staging",
  "committing",
  "pushing",
  "cleaning",
  "preparing",
  "queued",
] as const;
export type HeldState = (typeof STATES)[number];

/** Those whose agents have left a file by which the gates know their run. */
const EDITED = ["working", "checking", "staging", "committing", "pushing", "cleaning"] as const;
/** Their agents never end by themselves. */
const AGENT_STAYS: readonly HeldState[] = ["working", "cleaning"];

/** Nothing of such a run is pushed. */
export const isCanceled = (state: HeldState): boolean => state === "cleaning";

export const hasEdited = (state: HeldState): boolean => (EDITED as readonly HeldState[]).includes(state);

export interface HeldRun {
  readonly state: HeldState;
  readonly begun: TaskEnd;
}

/** A second start of an agent keeps the file of the first one. */
export async function holdStates(product: Product): Promise<void> {
  const waits = (state: HeldState) => gate(product, state).wait;
  const ifThere = (state: HeldState) => `if [ -e ${state}.txt ]; then ${waits(state)}; fi`;
  await askingAgent(product);
  for (const state of [...EDITED, "preparing", "queued"] as const) {
    const edit = `[ -e ${state}.txt ] || echo "$TAZUNA_RUN" > ${state}.txt`;
    await product.agent(state, AGENT_STAYS.includes(state) ? `${edit}; ${waits(state)}` : edit);
  }
  await product.configure({
    // Neither the one that is cancelled nor the one that waits has a slot.
    limits: { parallel: STATES.length - 2 },
    hooks: "run",
    setup: [`if [ -e '${setupHeld(product)}' ]; then ${waits("preparing")}; fi`],
    checks: [{ name: "test", run: ifThere("checking"), required: true }],
  });
  await script(join(product.repository, ".git", "hooks", "pre-commit"), ifThere("staging"));
  await script(join(product.repository, ".git", "hooks", "commit-msg"), ifThere("committing"));
  await script(
    join(product.origin, "hooks", "pre-receive"),
    `while read old new ref; do if git cat-file -e "$new:pushing.txt" 2> /dev/null; then ${waits("pushing")}; fi; done`,
  );
  await script(
    join(product.origin, "hooks", "post-receive"),
    `while read old new ref; do echo "$ref $new" >> '${pushesFile(product)}'; done`,
  );
}

const setupHeld = (product: Product) => `${product.origin}.setup-held`;

/** A line `REF COMMIT` for each change of a branch at the origin. */
export const pushesFile = (product: Product) => `${product.origin}.pushes`;

async function script(path: string, body: string): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
}

/** Begins the runs at the product's own worker; answers once each stands at its gate. */
export async function beginStates(product: Product): Promise<readonly HeldRun[]> {
  const list = await product.tazuna(["workers", "--json"]);
  const { workers } = list.json<{ workers: readonly { readonly name: string; readonly here: boolean }[] }>();
  const name = workers.find(({ here }) => here)?.name ?? "";
  const held: HeldRun[] = [];
  for (const state of STATES) {
    if (state === "preparing") await writeFile(setupHeld(product), "");
    const agent =
      state === "asking" ? ["ask npm install left-pad", "--agent", "agent"] : ["Write", "--agent", state];
    const begun = await ask(product, ["run", ...agent, "--worker", name, "--detach"]);
    held.push({ state, begun });
    if (state === "asking") await asks(product, begun.run.id);
    else if (state === "queued")
      await waitFor("the last one to wait", async () => await waits(product, begun));
    else await gate(product, state).reached();
    if (state === "cleaning") await beginCleaning(product, begun);
  }
  return held;
}

/** The clean-up has moved the worktree. It cannot remove the branch, since a push of another run has the lock. */
async function beginCleaning(product: Product, { attempt, run }: TaskEnd): Promise<void> {
  const file = join(attempt.worktree, "cleaning.txt");
  await waitFor(
    "the agent to edit",
    async () => (await readFile(file, "utf8").catch(() => "")) === `${run.id}\n`,
  );
  const asked = product.start(["cancel", attempt.id]);
  const isMoved = async () => {
    const { git } = product.sandbox;
    const known = await git(product.repository, ["worktree", "list", "--porcelain"]);
    return !(await exists(attempt.worktree)) && !known.includes(attempt.worktree);
  };
  await waitFor("the worktree to be in the trash", isMoved, PATIENT);
  asked.kill("SIGKILL");
  await asked.end;
  await product.sandbox.git(product.repository, ["rev-parse", "--verify", `refs/heads/${attempt.branch}`]);
}

async function waits(product: Product, begun: TaskEnd): Promise<boolean> {
  const { run } = await ask(product, ["show", begun.document.task.id]);
  return run.status === "PENDING" && run.waits_for !== null;
}

/** Lets all that waits go on, and all that comes later; only questions wait for their answer. */
export async function openStates(product: Product): Promise<void> {
  for (const state of STATES) await gate(product, state).open();
}

/** Allows what the run asks, also what it asks anew at another worker. */
export async function answerWhatIsAsked(product: Product, run: string, how?: RunOptions): Promise<void> {
  const hasEnded = async () => {
    const now = await show(product, run, how);
    if (now.run.question !== null) await product.tazuna(["answer", run, "--allow"], how);
    return ["SUCCEEDED", "FAILED", "CANCELED"].includes(now.run.status);
  };
  await waitFor("the run that asks to end", hasEnded, PATIENT).catch(() => undefined);
}
