/** Makes the command line refuse what is asked, one code after another, and names what its remedy says to type. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, gate } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";
import { WRITES_CREDENTIAL } from "./follow.ts";

export interface Refusing {
  /** The command that is refused, after `tazuna`. */
  readonly args: readonly string[];
  readonly cwd?: string;
  /** What a person does before the command of the remedy. */
  readonly person?: () => Promise<unknown>;
  /** Whether the refused command is typed again afterwards, and goes through. */
  readonly again?: true;
}

export interface RefusalCase {
  readonly code: string;
  play(product: Product): Promise<Refusing>;
}

const refusalCase = (code: string, play: RefusalCase["play"]): RefusalCase => ({ code, play });

async function attemptOf(product: Product, script: string) {
  await product.agent("doer", script);
  return ask(product, ["run", "Change it", "--agent", "doer"]);
}

/** An attempt whose agent works until a file is there. */
async function working(product: Product) {
  const barrier = gate(product, "refusals");
  await product.agent("doer", `${barrier.wait}; echo one > one.txt`);
  const end = await ask(product, ["run", "Change it", "--agent", "doer", "--detach"]);
  await barrier.reached();
  return { ...end, open: barrier.open };
}

export const REFUSALS: readonly RefusalCase[] = [
  refusalCase("not_found", async () => ({ args: ["show", "ffffffff"] })),
  refusalCase("unknown_agent", async () => ({ args: ["run", "x", "--agent", "nope"] })),
  refusalCase("run_not_ended", async (product) => {
    const { run, open } = await working(product);
    return { args: ["retry", run.id], person: open, again: true };
  }),
  refusalCase("run_not_ended", async (product) => {
    const { attempt, open } = await working(product);
    return { args: ["publish", attempt.id], person: open, again: true };
  }),
  refusalCase("attempt_busy", async (product) => {
    const { run, open } = await working(product);
    return { args: ["restore", run.id], person: open, again: true };
  }),
  refusalCase("repository_in_use", async (product) => {
    const { document } = await attemptOf(product, "echo one > one.txt");
    return { args: ["repo", "remove", document.task.repository.id], again: true };
  }),
  refusalCase("nothing_to_push", async (product) => {
    const { run } = await attemptOf(product, "exit 3");
    const person = () => product.agent("doer", "echo one > one.txt");
    return { args: ["retry", run.id, "--from", "push"], person };
  }),
  refusalCase("nothing_to_push", async (product) => {
    const { attempt } = await attemptOf(product, "exit 3");
    const person = () => product.agent("doer", "echo one > one.txt");
    return { args: ["publish", attempt.id], person };
  }),
  refusalCase("reason_missing", async (product) => {
    const { attempt } = await attemptOf(product, WRITES_CREDENTIAL);
    return { args: ["publish", attempt.id, "--allow", "credential"] };
  }),
  refusalCase("reason_missing", async (product) => {
    const { attempt } = await attemptOf(product, WRITES_CREDENTIAL);
    const person = () => product.agent("doer", "rm -f config.js; echo one > one.txt");
    return { args: ["publish", attempt.id, "--reason", "it is a test"], person };
  }),
  refusalCase("nothing_to_allow", async (product) => {
    const { attempt } = await attemptOf(product, WRITES_CREDENTIAL);
    return { args: ["publish", attempt.id, "--allow", "file_too_large", "--reason", "x"] };
  }),
  refusalCase("nothing_to_allow", async (product) => {
    const { attempt } = await attemptOf(product, "echo one > one.txt");
    const args = ["publish", attempt.id, "--allow", "credential", "--reason", "x"];
    return { args, person: async () => void args.splice(2), again: true };
  }),
  refusalCase("nothing_to_take_back", async (product) => {
    const { attempt } = await attemptOf(product, WRITES_CREDENTIAL);
    return { args: ["publish", attempt.id, "--take-back", "credential"] };
  }),
  refusalCase("nothing_to_check", async (product) => {
    const { attempt } = await attemptOf(product, "exit 3");
    const person = () => product.agent("doer", "echo one > one.txt");
    return { args: ["retry", attempt.id, "--from", "checks"], person };
  }),
  refusalCase("unknown_rule", async (product) => {
    const { attempt } = await attemptOf(product, WRITES_CREDENTIAL);
    return { args: ["publish", attempt.id, "--allow", "credentials", "--reason", "x"] };
  }),
  refusalCase("never_published", async (product) => {
    const { attempt, run } = await attemptOf(
      product,
      "echo one > one.txt; mkdir git~1; echo x > git~1/config",
    );
    const [finding] = (run.failure?.details.findings ?? []) as readonly { rule: string }[];
    const person = () => product.agent("doer", "rm -rf git~1");
    return { args: ["publish", attempt.id, "--allow", finding?.rule ?? "", "--reason", "x"], person };
  }),
  refusalCase("check_failed", async (product) => {
    await product.configure({ checks: [{ name: "has good", run: "test -e good.txt", required: true }] });
    const { run } = await attemptOf(product, "echo one > one.txt");
    const person = () => product.agent("doer", "echo good > good.txt");
    return { args: ["retry", run.id, "--from", "push"], person };
  }),
  refusalCase("no_worktree", async (product) => {
    const { attempt, run } = await attemptOf(product, "echo one > one.txt");
    await ask(product, ["cancel", attempt.id]);
    return { args: ["restore", run.id], again: true };
  }),
  refusalCase("scripts_not_trusted", async (product) => {
    await product.agent("doer", "echo one > one.txt");
    await mkdir(join(product.repository, ".tazuna"), { recursive: true });
    await writeFile(join(product.repository, ".tazuna", "config.json"), JSON.stringify({ setup: ["true"] }));
    const person = () => product.tazuna(["trust", "--yes"]);
    return { args: ["run", "x", "--agent", "doer"], person, again: true };
  }),
  refusalCase("not_a_repository", async (product) => {
    await product.agent("doer", "echo one > one.txt");
    const cwd = join(product.home, "..", "plain");
    await mkdir(cwd);
    const person = async () => {
      await product.sandbox.git(cwd, ["init", "--quiet", "--initial-branch=main"]);
      await product.sandbox.git(cwd, ["commit", "--quiet", "--allow-empty", "-m", "First"]);
    };
    return { args: ["run", "x", "--agent", "doer"], cwd, person, again: true };
  }),
  refusalCase("run_not_limited", async (product) => {
    const { run } = await attemptOf(product, "echo one > one.txt");
    return { args: ["retry", run.id, "--from", "limit"] };
  }),
];

/** Codes whose remedy no test can follow, each with its reason. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  empty_instruction: "both doors refuse an empty text before: see bad_usage and bad_request",
  clone_auth: "needs a server with a login; followed in clone.test.ts",
  clone_failed: "the remedy names what git said, or a folder to look at",
  clone_no_room: "needs a full disk; its commands are followed for `disk_full`",
  clone_not_found: "the remedy asks for another address, then for the command that was typed",
  clone_not_moved: "the remedy names the command that clones from another address; see clone.test.ts",
  clone_stopped: "who asked is gone; those who wait meanwhile get the clone, see clone.test.ts",
  clone_unreachable: "needs a server that hangs; followed in clone.test.ts",
  secret_in_configuration: "the remedy asks for a variable of the shell; see config-set.test.ts",
  database_not_shared: "the remedy asks for a Postgres; see drain-and-remove.test.ts",
  worker_works: "needs several engines on a Postgres; followed in drain-and-remove.test.ts",
  token_name_taken: "the remedy asks for another name; see let-in.test.ts",
  terminal_only: "only a page is refused so; followed in settings.test.ts",
  demo_busy: "needs a clean-up that fails; followed in remove-demo.test.ts",
  demo_changed: "a person takes things out of the demo by hand; followed in remove-demo.test.ts",
  empty_repository: "others have to push a first commit; a run in one is followed in remedies.test.ts",
  url_refused: "the remedy asks for an address of another form",
  already_answered: "needs an agent that asks; followed in questions.test.ts",
  answer_unfit: "needs an agent that asks; followed in questions.test.ts",
  no_question: "needs an agent that asks; followed in questions.test.ts",
  question_changed: "needs an agent that asks; followed in questions.test.ts",
  apply_failed: "a git that was killed; followed in crash/landing-killed.test.ts",
  merge_failed: "a git that was killed; followed in crash/landing-killed.test.ts",
  pull_request_moved: "needs a forge; followed in merge-on-forge.test.ts",
  submodule_changed: "the files of a submodule are not the attempt's",
  target_moved: "others move the branch twice while one command runs",
  no_such_terminal: "only pages open terminals; the remedy opens another one, see terminal.test.ts",
  terminal_off: "only pages open terminals; followed in terminal.test.ts",
  terminal_unavailable: "the remedy is `doctor`, which says what the machine lacks",
  too_many_terminals: "only pages open terminals; see terminal.test.ts",
  nothing_left: "needs a worker that was lost and came back; followed in return.test.ts",
  left_not_here: "needs a depot that is away; the remedy asks to see to it",
  worker_silent: "needs a Postgres and two data folders; followed in ask-the-holder.test.ts",
  outcome_unknown: "needs a Postgres and an engine that is killed; see ask-the-holder.test.ts",
  invited_itself: "only on a worker that joined, see joining.test.ts",
  invite_unknown: "the remedy asks for an invitation of the server; followed in joining.test.ts",
  invite_used: "the remedy asks for an invitation of the server; followed in joining.test.ts",
  invite_expired: "the remedy asks for an invitation of the server; followed in joining.test.ts",
  other_version: "the remedy asks for another version of the program",
  worker_name_taken: "the remedy asks for another name; followed in joining.test.ts",
  already_joined: "nothing has to be done; see joining.test.ts",
  worker_removed: "the remedy asks for another data folder; followed in drain-and-remove.test.ts",
  too_few_connections: "the remedy asks for another setting of the Postgres",
  worker_unfit: "needs several engines on a Postgres; see addresses.test.ts",
  held_elsewhere: "needs a Postgres and two data folders; see two-folders-one-database.test.ts",
  unsafe_ownership: "only root can make such a repository; followed where the tests run as root",
};
