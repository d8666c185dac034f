/** Asks the command line for tasks in JSON, and looks at what they left on both sides of git. */
import { lstat, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptDocument, RunDocument, TaskDocument } from "../../src/contract/task-document.ts";
import { findMarked } from "../../src/utils/programs/process-identity.ts";
import { type Fingerprint, fingerprint } from "./checkout-fingerprint.ts";
import type { CommandEnd, Product, RunOptions } from "./product.ts";
import { waitFor } from "./wait-for.ts";

/** How long a journey may take on a machine that is busy with others, or several times slower than usual. */
export const PATIENCE_MS = 420_000;

/** Goes in front of an agent's script that bypasses the guard: git by its path, with a clean environment. */
export const PAST_THE_GUARD = `unset GIT_CONFIG_COUNT; git() { '${Bun.which("git")}' "$@"; }; `;

export interface TaskEnd {
  readonly code: number | null;
  readonly stderr: string;
  readonly document: TaskDocument;
  readonly attempts: readonly AttemptDocument[];
  /** The first attempt, and its latest run. */
  readonly attempt: AttemptDocument;
  readonly run: RunDocument;
}

/** Runs a command that answers with a task, with `--json`; throws if it answers anything else. */
export async function ask(product: Product, args: readonly string[], options?: RunOptions): Promise<TaskEnd> {
  return taskEnd(await product.tazuna(inJson(args), options));
}

/** What stands behind `--` is no flag. */
function inJson(args: readonly string[]): readonly string[] {
  const rest = args.indexOf("--");
  return rest < 0 ? [...args, "--json"] : [...args.slice(0, rest), "--json", ...args.slice(rest)];
}

/** The same of a command that was started before. */
export function taskEnd(end: CommandEnd): TaskEnd {
  const document = end.json();
  const attempt = document.attempts?.[0];
  const run = attempt?.runs.at(-1);
  if (attempt === undefined || run === undefined) throw new Error(`no task (${end.code}): ${end.stdout}`);
  return { code: end.code, stderr: end.stderr, document, attempts: document.attempts, attempt, run };
}

export interface Refused {
  readonly code: number | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly remedy: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** Runs a command that is to be refused, with `--json`; throws if it is not. */
export async function refused(
  product: Product,
  args: readonly string[],
  options?: RunOptions,
): Promise<Refused> {
  const end = await product.tazuna(inJson(args), options);
  const { error } = end.json<Partial<Refused>>();
  if (error === undefined) throw new Error(`not refused (${end.code}): ${end.stdout}`);
  return { code: end.code, error };
}

/** The few words of a run that say how it ended. */
export function ending(run: RunDocument) {
  const { status, outcome } = run;
  return run.failure === null ? { status, outcome } : { status, outcome, failure: run.failure.code };
}

/** The codes of a run's notes, in order. */
export function noteCodes(run: RunDocument): readonly string[] {
  return run.notes.map((note) => note.code);
}

/** The commit that a branch of a bare repository is at; null if it has no such branch. */
export function branchAt(product: Product, repository: string, branch: string): Promise<string | null> {
  return product.sandbox
    .git(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`])
    .catch(() => null);
}

/** Subjects of the commits of `revision` that `main` lacks, newest first. */
export async function subjects(
  product: Product,
  repository: string,
  revision: string,
): Promise<readonly string[]> {
  const text = await product.sandbox.git(repository, [
    "log",
    "--first-parent",
    "--format=%s",
    `main..${revision}`,
  ]);
  return text === "" ? [] : text.split("\n");
}

/** Paths that a commit changed against its first parent, sorted. */
export async function changedPaths(
  product: Product,
  repository: string,
  commit: string,
): Promise<readonly string[]> {
  const text = await product.sandbox.git(repository, [
    "diff-tree",
    "-r",
    "-m",
    "--first-parent",
    "--no-commit-id",
    "--name-only",
    "-z",
    commit,
  ]);
  return text.split("\0").filter((path) => path !== "");
}

/** What a file holds at a revision. */
export function fileAt(
  product: Product,
  repository: string,
  revision: string,
  path: string,
): Promise<string> {
  return product.sandbox.git(repository, ["cat-file", "blob", `${revision}:${path}`]);
}

export interface UsersSide {
  readonly files: Fingerprint;
  /** `name sha` of every reference that is not Tazuna's and not a remote's. */
  readonly refs: readonly string[];
}

/**
 * Everything of the user's repository that must stay as it is. `ours` are branches that Tazuna made. `byAgents` are
 * files of the git directory that an agent's program writes by itself.
 */
export async function usersSide(
  product: Product,
  options: {
    readonly ours?: readonly string[];
    readonly byAgents?: readonly string[];
    readonly path?: string;
  } = {},
): Promise<UsersSide> {
  const { ours = [], byAgents = [], path = product.repository } = options;
  const refs = await product.sandbox.git(path, ["for-each-ref", "--format=%(refname) %(objectname)"]);
  return {
    files: await fingerprint({ path, gitDir: join(path, ".git") }, { branches: ours, leftOut: byAgents }),
    refs: refs
      .split("\n")
      .filter((line) => line !== "" && !/^refs\/(tazuna|remotes)\//.test(line))
      .filter((line) => !ours.some((branch) => line.startsWith(`refs/heads/${branch} `))),
  };
}

/** The branches of a task's attempts. */
export function branchesOf(end: TaskEnd): readonly string[] {
  return end.attempts.map((attempt) => attempt.branch);
}

/** A place at which agents stop until a test lets them go on, at the latest when it ends. */
export interface Gate extends AsyncDisposable {
  /** Shell commands that wait there. */
  readonly wait: string;
  /** Resolves once a process waits there. */
  reached(): Promise<unknown>;
  open(): Promise<void>;
}

/** A gate of its own name; it stays open once it was opened. */
export function gate(product: Product, name: string): Gate {
  const path = join(product.home, `gate-${name}`);
  const open = () => writeFile(path, "");
  return {
    wait: `touch '${path}.reached'; until [ -e '${path}' ]; do sleep 0.05; done`,
    reached: () =>
      waitFor(`someone at the gate ${name}`, () => exists(`${path}.reached`), { withinMs: 120_000 }),
    open,
    [Symbol.asyncDispose]: open,
  };
}

/** Whether something lies at this path. */
export function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Waits until a file has content, and returns it. */
export function written(path: string): Promise<string> {
  // A shell makes the file before it writes into it.
  const content = async () => (await readFile(path, "utf8").catch(() => "")) || null;
  return waitFor(`content of ${path}`, content, { withinMs: 120_000 });
}

/**
 * Processes that belong to a run: its agent, and all that they started. A keeper that is about to end does not count:
 * it says how the agent ended before it goes.
 */
export async function processesOf(run: string): Promise<readonly number[]> {
  const marked = () => findMarked({ name: "TAZUNA_RUN", value: run });
  await waitFor("the run's keeper to end", async () => {
    const commands = await Promise.all((await marked()).map(commandOf));
    return !commands.some((command) => command.includes("\0__keep\0"));
  }).catch(() => {});
  return marked();
}

function commandOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
}
