/** Keeps one product busy with every kind of command, one after another, while a test kills its processes. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isEnded, type RunStatus } from "../../../src/domain/run/state.ts";
import { PAST_THE_GUARD } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { type DataFolder, readDataFolder, type StoredRun } from "./data-folder.ts";
import type { Random } from "./random.ts";
import { countedAgent, startsFile } from "./scenarios.ts";

const MAX_UNFINISHED = 5;

const BIN = join(import.meta.dir, "../../../bin/tazuna");
const HELLO = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "agent", version: "1" } },
});
const EDIT = 'echo "$TAZUNA_RUN" > "$TAZUNA_RUN.txt"';

/** What each agent does; a run that is pushed has written the file of its own name. */
const AGENTS: Readonly<Record<string, string>> = {
  quick: `${EDIT}; echo Done.`,
  slow: `for i in 1 2 3 4 5 6 7 8; do echo "step $i"; sleep 0.1; done; ${EDIT}`,
  committer: `${PAST_THE_GUARD} ${EDIT}; git add -A; git -c user.name=A -c user.email=a@example.com commit -q -m Mine`,
  failing: "echo half > half.txt; exit 3",
  tooled: `${EDIT}; (echo '${HELLO}'; sleep 0.3) | '${BIN}' mcp > answers.local; echo Done.`,
  refused: `${EDIT}; printf '<<<<<<< a\\n=======\\n>>>>>>> b\\n' > marked.txt; echo Done.`,
};

/** In a sandbox no git of an agent gets anywhere. */
const WITHOUT_GIT = { committer: AGENTS.quick ?? "" };

/** Configures everything that a run may come by: agents, setup, a check, a hook. */
export async function furnish(product: Product, isolation: "guard" | "sandbox"): Promise<void> {
  // The file in which starts are counted lies outside of every worktree.
  await writeFile(startsFile(product), "");
  await product.configure({
    limits: { parallel: 4 },
    setup: ["echo ready > ready.local"],
    checks: [{ name: "look", run: "test -e README.md" }],
    hooks: "run",
    ...(isolation === "sandbox" ? { sandbox: { write: [startsFile(product)] } } : {}),
  });
  const agents = isolation === "sandbox" ? { ...AGENTS, ...WITHOUT_GIT } : AGENTS;
  for (const [name, script] of Object.entries(agents)) await countedAgent(product, name, script);
  const hook = join(product.repository, ".git", "hooks", "pre-commit");
  await mkdir(join(product.repository, ".git", "hooks"), { recursive: true });
  await writeFile(hook, "#!/bin/sh\nexit 0\n");
  await chmod(hook, 0o755);
}

export interface Answer {
  readonly command: string;
  readonly code: string;
  readonly message: string;
}

export interface Busy {
  readonly random: Random;
  /** Most runs that are ever made. */
  readonly maxRuns: number;
  /** Takes every error that a command answered. */
  readonly answers: Answer[];
  readonly over: AbortSignal;
}

/** One command after another; each starts an engine if there is none. */
export async function keepBusy(product: Product, busy: Busy): Promise<void> {
  const { random, answers, over } = busy;
  while (!over.aborted) {
    if (random.below(8) === 0) await someonePushes(product, random);
    const args = nextCommand(await known(product), busy);
    const end = await product.tazuna([...args, "--json"]);
    const { error } = end.json<{ readonly error?: Omit<Answer, "command"> }>();
    if (error !== undefined)
      answers.push({ command: args.join(" "), code: error.code, message: error.message });
    await Bun.sleep(random.below(300));
  }
}

/** Another person's commit on a branch that an attempt has pushed. The next push or sync has to merge it. */
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

function nextCommand(data: DataFolder, { random, maxRuns }: Busy): readonly string[] {
  const unfinished = data.runs.filter(({ status }) => !isEnded(status as RunStatus));
  const steered = steering(data, unfinished, random);
  if (steered !== null) return steered;
  if (unfinished.length >= MAX_UNFINISHED || data.runs.length >= maxRuns) return ["list"];
  const attempt = random.of(data.attempts.filter(({ state }) => state === "open"));
  if (random.below(2) === 0 && attempt !== undefined)
    return ["continue", attempt.id, "Once more", "--detach"];
  const agents = [random.of(Object.keys(AGENTS)), random.of(Object.keys(AGENTS))];
  return ["run", "Change it", "--detach", ...agents.flatMap((name) => ["--agent", name ?? "quick"])];
}

/** What is asked of attempts that are there already; null if something new may begin. */
function steering(data: DataFolder, unfinished: readonly StoredRun[], random: Random): string[] | null {
  const open = data.attempts.filter(({ state }) => state === "open");
  const attemptIn = (state: string) =>
    random.of(data.attempts.filter((attempt) => attempt.state === state))?.id;
  const ended = random.of(data.runs.filter(({ status }) => isEnded(status as RunStatus)));
  const rejected = random.of(data.runs.filter(({ failure }) => failure === "gate_rejected"));
  // The row of a restore that has begun is marked as well, but `tazuna activity` offers only one that is done.
  const replaced = data.operations.findLast(
    ({ kind, status, undoable }) => kind === "run_restore" && status === "done" && undoable,
  );
  const named = (verb: readonly string[], id: string | undefined, ...more: string[]) =>
    id === undefined ? null : [...verb, id, ...more];
  switch (random.below(16)) {
    case 0:
      return named(["stop"], random.of(unfinished)?.id);
    case 1:
      return open.length > 2 ? named(["cancel"], attemptIn("open")) : null;
    case 2:
    case 3:
      return named(["trash", "restore"], attemptIn("removed"));
    case 4:
    case 5:
      return named(["restore"], ended?.id);
    case 6:
      return named(["undo"], replaced?.id);
    case 7:
      return named(["publish"], attemptIn("open"), "--detach");
    case 8:
      return named(
        ["publish"],
        rejected?.attempt,
        "--allow",
        "conflict_marker",
        "--reason",
        "Meant",
        "--detach",
      );
    case 9:
      return named(["retry"], ended?.id, "--detach");
    default:
      return null;
  }
}

/** What is stored; the very first engine may still be making the tables. */
export async function known(product: Product): Promise<DataFolder> {
  const none = { runs: [], attempts: [], facts: [], operations: [], snapshots: [] };
  return waitFor("the database", () => {
    try {
      return readDataFolder(product.home);
    } catch {
      return none;
    }
  });
}
