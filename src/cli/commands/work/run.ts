/** Starts a task with one attempt per agent and waits for them. */
import { err, ok, type Result } from "neverthrow";
import type { CreateTaskRequest } from "../../../contract/endpoints/tasks.ts";
import { badUsage } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import {
  defineCommand,
  type FlagsOf,
  optionalArgument,
  parsedFlag,
  type Scope,
  START_FLAGS,
  switchFlag,
  textFlag,
  textsFlag,
} from "../../shared/command.ts";
import { createEngine } from "../../shared/engine.ts";
import { tellIgnoredSettings } from "../../shared/ignored-settings.ts";
import { readInstruction, refuseTooLarge } from "../../shared/instruction.ts";
import { repositoryMeant } from "../../shared/repository-meant.ts";
import { withTrust } from "../../shared/trust-scripts.ts";
import { nextSteps } from "../../view/next-steps.ts";
import { clonedIfAddress } from "../../wait/clone-from-url.ts";
import { startAndWait } from "../../wait/start-and-wait.ts";
import { whileWorkerClones } from "../../wait/while-worker-clones.ts";

const FLAGS = {
  agent: textsFlag("An agent, once per attempt (default: `default_agents` of the configuration)", "ID"),
  repo: textFlag(
    "The repository: a folder, a name or an address, which is cloned (default: the one you are in)",
    "REPO",
  ),
  base: textFlag("The branch, tag or commit to start from (default: the remote's default branch)", "BASE"),
  title: textFlag("A short title (default: from the instruction)", "TEXT"),
  context: textFlag("Background that the agent should know", "TEXT"),
  constraints: textFlag("What the agent must keep to", "TEXT"),
  file: textFlag("Read the instruction from a file, or from standard input with `-`", "PROMPT"),
  fromWorktree: switchFlag("Start from your working tree, uncommitted changes included"),
  branch: textFlag("Work on a branch that exists (one agent only)", "EXISTING"),
  worker: textFlag("Begin on this worker (default: this one, or one with a free slot)", "NAME"),
  onLabel: textsFlag("Begin on a worker that has this label; it waits until there is one", "LABEL"),
  budget: parsedFlag(parseBudget, "Stop an attempt that costs more than this", "USD"),
  offline: switchFlag("Use the last known base, without a fetch"),
  ...START_FLAGS,
  foreground: switchFlag("Keep the engine in this process"),
} as const;

export const runCommand = defineCommand({
  brief: "Start a task: one attempt per agent, each in its own worktree; wait for them",
  args: [optionalArgument("INSTRUCTION", "What is to be done, in quotes (or --file)")],
  flags: FLAGS,
  async *act(given, flags, instruction) {
    const asked = yield* await requestOf(given, flags, instruction);
    const engine = flags.foreground ? createEngine(given, { foreground: true }) : given.engine;
    const scope = { ...given, engine };
    const request = { ...asked, repository: yield* await clonedIfAddress(scope, asked.repository) };
    const { repository } = request;
    const { worker = null, detach } = flags;
    await tellIgnoredSettings(scope, repository);
    return startAndWait({
      scope,
      detach,
      closing: nextSteps,
      start: () =>
        withTrust({ scope, repository, trust: flags.trust }, () =>
          whileWorkerClones(scope, { repository, worker, detach }, () =>
            engine.ask((client, once) => client.createTask(request, once)),
          ),
        ),
    });
  },
});

async function requestOf(
  scope: Scope,
  flags: FlagsOf<typeof FLAGS>,
  instruction: string | undefined,
): Promise<Result<CreateTaskRequest, CliError>> {
  if (flags.detach && flags.foreground)
    return err(badUsage("--detach and --foreground exclude each other.", "Leave out one of them."));
  if (flags.agent.some((id) => id.trim() === ""))
    return err(badUsage("--agent is empty.", "Name an agent; `tazuna agents` shows them."));
  const issue = await readInstruction(scope.terminal, { words: instruction, file: flags.file });
  const request = issue.map((text) => ({
    repository: repositoryMeant(scope.terminal, flags.repo),
    issue: text,
    title: flags.title ?? null,
    context: flags.context ?? null,
    constraints: flags.constraints ?? null,
    base: flags.base ?? null,
    agents: [...flags.agent],
    branch: flags.branch ?? null,
    from_worktree: flags.fromWorktree,
    offline: flags.offline,
    budget_usd: flags.budget ?? null,
    settings: scope.environment.task,
    worker: flags.worker ?? null,
    on_labels: [...flags.onLabel],
  }));
  return request.andThen((whole) => {
    const refused = refuseTooLarge(whole, {
      "the instruction": whole.issue,
      "--title": whole.title,
      "--context": whole.context,
      "--constraints": whole.constraints,
    });
    return refused === null ? ok(whole) : err(refused);
  });
}

function parseBudget(text: string): number {
  const amount = Number(text);
  if (text.trim() === "" || !Number.isFinite(amount) || amount <= 0)
    throw new Error("an amount in US dollars is needed, such as 2.50");
  return amount;
}
