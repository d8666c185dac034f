/** Tells the stories that a crash meets at every step: what agents do, what a person asks, how it ends. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, PAST_THE_GUARD, type TaskEnd } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";
import { readDataFolder, type StoredRun } from "./data-folder.ts";
import { eventually } from "./eventually.ts";

/** The environment of every command of a story; with a failpoint in it until the engine was killed there. */
type Env = Readonly<Record<string, string>>;

export interface Story {
  /** `status outcome-or-failure` of every run, in order. */
  readonly ends: readonly string[];
  /** The failpoints that the story comes by. */
  readonly failpoints: readonly string[];
  /** The state of the attempt at the end; open unless told. */
  readonly attempt?: "removed";
  /** Codes of the notes of the last run that must be there, crash or not. */
  readonly notes?: readonly string[];
  /** How often the agent's program begins; once in each run that has an agent unless told. */
  readonly expectedStarts?: (run: StoredRun) => number;
  play(product: Product, env: Env): Promise<void>;
}

/** Both sides of an act of the journal. */
export const around = (...acts: readonly string[]) =>
  acts.flatMap((act) => [`before:${act}`, `after:${act}`]);
/** Before and after a move is stored. */
export const moves = (...events: readonly string[]) =>
  events.flatMap((event) => [`move:${event}`, `moved:${event}`]);

/** Before and after something is created. */
export const creating = (what: "task" | "run") => [`create:${what}`, `created:${what}`];

/** Where the agents of a product note each of their starts, one run a line. */
export function startsFile(product: Product): string {
  return join(dirname(product.home), "starts");
}

/** Configures an agent that notes its start outside its worktree and then does what `script` says. */
export async function countedAgent(product: Product, name: string, script: string): Promise<void> {
  await product.agent(name, `echo "$TAZUNA_RUN" >> '${startsFile(product)}'\n${script}`);
}

/** Asks for something, waits until it is over, and answers the whole task. */
export async function asked(product: Product, args: readonly string[], env: Env): Promise<TaskEnd> {
  const end = await product.tazuna([...args, "--json"], { env });
  const { error } = end.json<{ readonly error?: object }>();
  if (error !== undefined) throw new Error(`${end.stdout}\n${end.stderr}`);
  return ask(product, ["show", await onlyTask(product, env)], { env });
}

async function onlyTask(product: Product, env: Env): Promise<string> {
  const list = await product.tazuna(["list", "--all", "--json"], { env });
  const { tasks } = list.json<{ readonly tasks: readonly { readonly id: string }[] }>();
  const [first] = tasks;
  if (first === undefined || tasks.length !== 1) throw new Error(`not one task: ${list.stdout}`);
  return first.id;
}

const EDIT = "echo changed >> README.md; echo new > new.txt; echo Done.";

/** The agent works until the test lets it go on (or a minute has passed). */
function gated(product: Product): string {
  return `i=0; until [ -e '${gate(product)}' ] || [ $i -gt 600 ]; do sleep 0.1; i=$((i+1)); done`;
}

const gate = (product: Product) => join(dirname(product.home), "gate");

/** The run whose agent began first, as soon as it has. */
export async function agentWorks(product: Product, times = 1): Promise<string> {
  return eventually("the agent to work", async () => {
    const text = await readFile(startsFile(product), "utf8").catch(() => "");
    return text.split("\n").filter((line) => line !== "")[times - 1] ?? null;
  });
}

const plain: Story = {
  ends: ["SUCCEEDED pushed"],
  failpoints: [
    ...creating("task"),
    ...around("fetch", "worktree_add", "launch", "commit", "push"),
    ...moves("prepare", "start_agent", "agent_ended", "proved", "staged", "commit", "committed", "finish"),
  ],
  play: async (product, env) => {
    await countedAgent(product, "agent", EDIT);
    await asked(product, ["run", "Change it", "--agent", "agent"], env);
  },
};

const commitsByItself: Story = {
  ends: ["SUCCEEDED pushed"],
  notes: ["agent_commit_undone"],
  failpoints: around("snapshot", "ref_restored"),
  play: async (product, env) => {
    await countedAgent(
      product,
      "agent",
      `${PAST_THE_GUARD} ${EDIT}; git add -A; git -c user.name=A -c user.email=a@example.com commit -q -m "By the agent"`,
    );
    await asked(product, ["run", "Change it", "--agent", "agent"], env);
  },
};

const changesNothing: Story = {
  ends: ["SUCCEEDED no_changes"],
  failpoints: moves("nothing_changed"),
  play: async (product, env) => {
    await countedAgent(product, "agent", "echo Nothing to do.");
    await asked(product, ["run", "Change it", "--agent", "agent"], env);
  },
};

const checkFails: Story = {
  ends: ["FAILED check_failed"],
  failpoints: moves("fail"),
  play: async (product, env) => {
    await product.configure({ checks: [{ name: "test", run: "echo red; false", required: true }] });
    await countedAgent(product, "agent", EDIT);
    await asked(product, ["run", "Change it", "--agent", "agent"], env);
  },
};

const agentFails: Story = {
  ends: ["FAILED agent_failed"],
  failpoints: [...moves("fail"), ...around("snapshot")],
  play: async (product, env) => {
    await countedAgent(product, "agent", `${EDIT}; exit 3`);
    await asked(product, ["run", "Change it", "--agent", "agent"], env);
  },
};

const personEdits: Story = {
  ends: ["SUCCEEDED pushed", "SUCCEEDED pushed"],
  failpoints: [...creating("run"), ...moves("stage_edits")],
  play: async (product, env) => {
    await countedAgent(product, "agent", EDIT);
    const first = await asked(product, ["run", "Change it", "--agent", "agent"], env);
    await writeFile(join(first.attempt.worktree, "mine.txt"), "by hand\n");
    await asked(product, ["continue", first.attempt.id], env);
  },
};

/** HEAD and index of the worktree are damaged before the person's own edits are published. */
const damagedWorktree: Story = {
  ends: ["SUCCEEDED pushed", "SUCCEEDED pushed"],
  failpoints: around("git_files_aside", "index_rebuilt"),
  play: async (product, env) => {
    await countedAgent(product, "agent", EDIT);
    const first = await asked(product, ["run", "Change it", "--agent", "agent"], env);
    await writeFile(join(first.attempt.worktree, "mine.txt"), "by hand\n");
    const gitDir = readDataFolder(product.home).attempts[0]?.gitDir ?? "";
    for (const file of ["HEAD", "index"]) await writeFile(join(gitDir, file), "garbage\n");
    const later = await asked(product, ["continue", first.attempt.id], env);
    const pushed = `${later.attempt.branch}:mine.txt`;
    await product.sandbox.git(product.origin, ["cat-file", "-e", pushed]);
  },
};

const pushedLater: Story = {
  ends: ["FAILED push_rejected", "SUCCEEDED pushed"],
  failpoints: [...creating("run"), ...moves("publish_only")],
  play: async (product, env) => {
    const hook = join(product.origin, "hooks", "pre-receive");
    await mkdir(dirname(hook), { recursive: true });
    await writeFile(hook, "#!/bin/sh\necho not today\nexit 1\n");
    await chmod(hook, 0o755);
    await countedAgent(product, "agent", EDIT);
    const first = await asked(product, ["run", "Change it", "--agent", "agent"], env);
    await writeFile(hook, "#!/bin/sh\nexit 0\n");
    await asked(product, ["retry", first.run.id, "--from", "push"], env);
  },
};

/** Someone pushed to the attempt's branch before its next run: it is merged before the agent begins. */
const followUpMerges: Story = {
  ends: ["SUCCEEDED pushed", "SUCCEEDED pushed"],
  failpoints: around("merge"),
  play: async (product, env) => {
    await countedAgent(product, "agent", 'echo "$TAZUNA_RUN" >> new.txt; echo Done.');
    const first = await asked(product, ["run", "Change it", "--agent", "agent"], env);
    await product.sandbox.commitTo(product.origin, first.attempt.branch, { "theirs.txt": "theirs\n" });
    await asked(product, ["continue", first.attempt.id, "Once more"], env);
  },
};

/** While the agent works on an attempt that was pushed before, someone pushes to its branch. */
async function overtaken(
  product: Product,
  env: Env,
  theirs: Readonly<Record<string, string>>,
): Promise<void> {
  const edit = 'echo "$TAZUNA_RUN" > new.txt; echo Done.';
  await countedAgent(product, "agent", edit);
  const first = await ask(product, ["run", "Change it", "--agent", "agent"]);
  await product.killEngine();
  await countedAgent(product, "agent", `${edit}; ${gated(product)}`);
  const asking = asked(product, ["continue", first.attempt.id, "Once more"], env);
  await agentWorks(product, 2);
  await product.sandbox.commitTo(product.origin, first.attempt.branch, theirs);
  await writeFile(gate(product), "");
  await asking;
}

/** Someone pushes to the branch while the agent works: the push is refused, merged and tried again. */
const pushMerges: Story = {
  ends: ["SUCCEEDED pushed", "SUCCEEDED pushed"],
  failpoints: [...around("merge"), "before:merge_proof"],
  play: (product, env) => overtaken(product, env, { "theirs.txt": "theirs\n" }),
};

/** The same lines are changed on both sides, by someone who pushes before the next run begins. */
const syncConflicts: Story = {
  ends: ["SUCCEEDED pushed", "FAILED conflict"],
  failpoints: [...around("merge"), "before:merge_abort"],
  notes: ["sync_conflict"],
  play: async (product, env) => {
    await countedAgent(product, "agent", 'echo "$TAZUNA_RUN" > new.txt; echo Done.');
    const first = await asked(product, ["run", "Change it", "--agent", "agent"], env);
    await product.sandbox.commitTo(product.origin, first.attempt.branch, { "README.md": "# Theirs\n" });
    await writeFile(join(first.attempt.worktree, "README.md"), "# Mine\n");
    await product.sandbox.git(first.attempt.worktree, ["commit", "--quiet", "-am", "Mine"]);
    await asked(product, ["continue", first.attempt.id, "Once more"], env);
  },
};

/** The same, and the agent is asked to resolve it: the merge stays in the worktree until it is concluded. */
const agentResolves: Story = {
  ends: ["SUCCEEDED pushed", "SUCCEEDED pushed"],
  failpoints: [
    ...around("merge", "launch", "commit"),
    ...moves("start_agent", "agent_ended", "proved", "staged", "commit"),
  ],
  notes: ["merge_begun"],
  play: async (product, env) => {
    await countedAgent(
      product,
      "agent",
      'echo "$TAZUNA_RUN" > new.txt; echo "# Both" > README.md; echo Done.',
    );
    const first = await asked(product, ["run", "Change it", "--agent", "agent"], env);
    const { branch, worktree } = first.attempt;
    const theirs = await product.sandbox.commitTo(product.origin, branch, { "README.md": "# Theirs\n" });
    await writeFile(join(worktree, "README.md"), "# Mine\n");
    await product.sandbox.git(worktree, ["commit", "--quiet", "-am", "Mine"]);
    const end = await asked(product, ["continue", first.attempt.id, "--resolve"], env);
    const parents = await product.sandbox.git(product.origin, ["log", "-1", "--format=%P", branch]);
    if (!parents.endsWith(` ${theirs}`)) throw new Error(`not a merge of theirs: ${parents}, ${end.stderr}`);
  },
};

/** The same while the agent works: the push is refused and cannot be merged. */
const pushConflicts: Story = {
  ends: ["SUCCEEDED pushed", "FAILED conflict"],
  failpoints: [...around("merge"), "before:merge_abort"],
  play: (product, env) => overtaken(product, env, { "new.txt": "theirs\n" }),
};

const canceledAfterwards: Story = {
  ends: ["SUCCEEDED pushed"],
  attempt: "removed",
  failpoints: around("snapshot", "trash", "worktree_prune", "branch_delete"),
  play: async (product, env) => {
    await countedAgent(product, "agent", EDIT);
    const first = await asked(product, ["run", "Change it", "--agent", "agent"], env);
    await writeFile(join(first.attempt.worktree, "mine.txt"), "not committed\n");
    await ask(product, ["cancel", first.attempt.id], { env });
  },
};

const canceledWhileWorking: Story = {
  ends: ["CANCELED -"],
  attempt: "removed",
  failpoints: ["request:cancel", ...moves("cancel"), ...around("trash")],
  play: async (product, env) => {
    await countedAgent(product, "agent", `${EDIT}; ${gated(product)}`);
    const asking = asked(product, ["run", "Change it", "--agent", "agent"], env);
    await agentWorks(product);
    await ask(product, ["cancel", await onlyTask(product, env)], { env });
    await asking;
  },
};

const stopped: Story = {
  ends: ["CANCELED -"],
  failpoints: ["request:stop", ...moves("cancel"), ...around("snapshot")],
  play: async (product, env) => {
    await countedAgent(product, "agent", `${EDIT}; ${gated(product)}`);
    const asking = asked(product, ["run", "Change it", "--agent", "agent"], env);
    const run = await agentWorks(product);
    await ask(product, ["stop", run], { env });
    await asking;
  },
};

/** The run waits behind another one, which goes on. */
const stoppedInTheQueue: Story = {
  ends: ["SUCCEEDED pushed", "CANCELED -"],
  failpoints: ["request:stop", ...moves("cancel")],
  expectedStarts: ({ status }) => (status === "CANCELED" ? 0 : 1),
  play: async (product, env) => {
    await product.configure({ limits: { parallel: 1 } });
    await countedAgent(product, "agent", `${EDIT}; ${gated(product)}`);
    const asking = asked(product, ["run", "Change it", "--agent", "agent", "--agent", "agent"], env);
    await agentWorks(product);
    const queued = readDataFolder(product.home).runs.find(({ phase }) => phase === "queued");
    await ask(product, ["stop", queued?.id ?? "none"], { env });
    await writeFile(gate(product), "");
    await asking;
  },
};

const STREAMS = join(import.meta.dir, "../../fixtures/agent-streams/claude");

/** The provider refuses the first start; a second one, of the same run, goes through. */
async function limitedAgent(product: Product): Promise<void> {
  const once = join(dirname(product.home), "limited");
  const program = join(dirname(product.home), "replay");
  await writeFile(
    program,
    `#!/bin/sh
IFS= read -r line # The rest may stay open: it can be asked for more.
echo "$TAZUNA_RUN" >> '${startsFile(product)}'
if [ ! -e '${once}' ]; then touch '${once}'; cat '${join(STREAMS, "error-429.jsonl")}'; exit 1; fi
${EDIT.replace("; echo Done.", "")}
cat '${join(STREAMS, "success-edit.jsonl")}'
`,
  );
  await chmod(program, 0o755);
  await product.configure({ agents: { agent: { executor: "claude-code", command: [program] } } });
}

const rateLimited: Story = {
  ends: ["SUCCEEDED pushed"],
  failpoints: moves("wait", "resume"),
  expectedStarts: () => 2,
  play: async (product, env) => {
    await limitedAgent(product);
    await asked(product, ["run", "Change it", "--agent", "agent"], env);
  },
};

const stoppedWhileItWaits: Story = {
  ends: ["CANCELED -"],
  failpoints: ["request:stop", ...moves("cancel")],
  play: async (product, env) => {
    await limitedAgent(product);
    const patient = { ...env, TAZUNA_TIMING: JSON.stringify({ graceMs: 500, backoffMs: [3_600_000] }) };
    const asking = asked(product, ["run", "Change it", "--agent", "agent"], patient);
    await agentWorks(product);
    const run = await eventually("the run to wait", () => waitingRun(product));
    await ask(product, ["stop", run], { env: patient });
    await asking;
  },
};

function waitingRun(product: Product): string | null {
  return readDataFolder(product.home).runs.find(({ phase }) => phase === "waiting")?.id ?? null;
}

export const STORIES: Readonly<Record<string, Story>> = {
  "a plain run": plain,
  "a run whose agent commits by itself": commitsByItself,
  "a run that changes nothing": changesNothing,
  "a run whose check fails": checkFails,
  "a run whose agent fails": agentFails,
  "a run of the person's own edits": personEdits,
  "a run in a worktree that was damaged": damagedWorktree,
  "a push that is tried again": pushedLater,
  "a follow-up that merges what others pushed": followUpMerges,
  "a push that merges what others pushed": pushMerges,
  "a conflict that the agent resolves": agentResolves,
  "a follow-up whose sync conflicts": syncConflicts,
  "a push that conflicts": pushConflicts,
  "an attempt that is cancelled afterwards": canceledAfterwards,
  "an attempt that is cancelled while its agent works": canceledWhileWorking,
  "a run that is stopped": stopped,
  "a run that is stopped in the queue": stoppedInTheQueue,
  "a run that waits for a rate limit": rateLimited,
  "a run that is stopped while it waits": stoppedWhileItWaits,
};

/** `status outcome-or-failure` of every run, in order. */
export function endsOf(product: Product): string[] {
  return readDataFolder(product.home).runs.map(
    ({ status, outcome, failure }) => `${status} ${outcome ?? failure ?? "-"}`,
  );
}
