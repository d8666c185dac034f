/** Writes the prompt of a start: the words of the run, what happened before, and the merge to resolve (seed 003 Phase 4). */
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { ConflictedFile, MergeToResolve } from "../../../domain/agent/merge-section.ts";
import { buildPrompt, type PastTurn, type PromptTurn } from "../../../domain/agent/prompt.ts";
import { reviewPrompt } from "../../../domain/agent/review-prompt.ts";
import type { Question } from "../../../domain/question/question.ts";
import { startsBefore } from "../../../domain/run/waiting.ts";
import type { Executor } from "../../../executors/shared/executor.ts";
import { type UnmergedFile, unmergedFiles } from "../../../git/index/unmerged.ts";
import type { GitError } from "../../../git/process/git-error.ts";
import type { RemoteError } from "../../../git/process/remote-error.ts";
import { questionsOfRun } from "../../../storage/tables/questions.ts";
import type { Uses } from "../../core/context-parts.ts";
import { forkedWork } from "../../run-core/forked-from.ts";
import { readMergeHead } from "../../run-core/record-start.ts";
import { reviewedFiles } from "../../run-core/reviewed-patch.ts";
import type { RunWorld } from "../../run-core/step.ts";
import { worktreeTarget } from "../../run-core/targets.ts";
import { hasMarkers } from "../../run-core/unresolved-conflicts.ts";
import { readAgentEvents } from "./read-stream.ts";

type PromptError = RemoteError;

interface PromptReader {
  readonly executor: Executor;
  /** Whether the agent still remembers the earlier runs. */
  readonly resumed: boolean;
}

export async function runPrompt(
  context: Uses<"db" | "owner" | "objectKeys" | "git" | "paths" | "newId" | "userEnv" | "selfCommand">,
  world: RunWorld,
  reader: PromptReader,
): Promise<Result<string, PromptError>> {
  if (world.run.kind === "review") return promptOfReview(context, world);
  const merge = await mergeToResolve(context, world);
  if (merge.isErr()) return err(merge.error);
  const turn = await promptTurn(context, world, reader);
  const forked = await forkedWork(context, world);
  const { instruction } = world.run;
  const questions = await questionsOfRun(context.db.reader, world.run.id);
  const answered = questions.filter(isToldInPrompt);
  return ok(buildPrompt({ ...world.task, instruction, turn, answered, forked, merge: merge.value }));
}

/** Its process was stopped before it got the answer. */
function isToldInPrompt({ closed, parkedAt, deliveredAt }: Question): boolean {
  return closed === "answered" && parkedAt !== null && deliveredAt === null;
}

async function promptOfReview(
  context: Uses<"git" | "paths">,
  world: RunWorld,
): Promise<Result<string, PromptError>> {
  const files = await reviewedFiles(context, world);
  return files.map((each) =>
    reviewPrompt({ ...world.task, instruction: world.run.instruction, files: each }),
  );
}

/** Which turn it is for the agent: the first, a later one, or one after a lost session. */
async function promptTurn(
  context: Uses<"db" | "owner" | "objectKeys" | "paths" | "newId" | "userEnv" | "selfCommand">,
  world: RunWorld,
  { resumed, executor }: PromptReader,
): Promise<PromptTurn> {
  const again = startsBefore(world.run) > 0;
  if (resumed) return { kind: again ? "broken_off" : "follow_up" };
  const moved = world.run.options.moved !== undefined;
  const begun = moved ? [...world.earlier, world.run] : world.earlier;
  const agentRuns = begun.filter((run) => run.kind === "agent" && run.agentStartedAt !== null);
  if (agentRuns.length === 0) return { kind: "first" };
  const turns: PastTurn[] = [];
  for (const run of agentRuns) {
    const events = await readAgentEvents(context, { run, attempt: world.attempt, executor });
    turns.push({
      instruction: run.instruction,
      actions: events.flatMap((event) => (event.kind === "tool_call" ? [event.title] : [])),
      summary: run.summary ?? "",
    });
  }
  return { kind: "primed", turns, moved };
}

/** Null if nothing is being merged, or nothing conflicts. */
async function mergeToResolve(
  context: Uses<"git">,
  world: RunWorld,
): Promise<Result<MergeToResolve | null, GitError>> {
  const { attempt } = world;
  const sha = attempt.gitDir === null ? null : await readMergeHead(attempt.gitDir);
  if (sha === null) return ok(null);
  const unmerged = await unmergedFiles(context.git, worktreeTarget(attempt));
  return unmerged.map((files) =>
    files.length === 0
      ? null
      : {
          sha,
          revision: revisionOf(world, sha),
          files: files.map((file) => conflicted(attempt.worktree, file)),
        },
  );
}

/** From the note of the run that began the merge; a person's merge has none. */
function revisionOf({ run, earlier }: RunWorld, sha: string): string {
  const begun = [run, ...earlier.toReversed()]
    .flatMap(({ notes }) => notes)
    .find(({ code, details }) => code === "merge_begun" && details.sha === sha);
  const revision = begun?.details.revision;
  return typeof revision === "string" ? revision : "another branch";
}

function conflicted(worktree: string, { path, base, ours, theirs }: UnmergedFile): ConflictedFile {
  return {
    path,
    base: base !== null,
    ours: ours !== null,
    theirs: theirs !== null,
    kind: KINDS[(ours ?? theirs ?? base)?.mode ?? ""] ?? "file",
    marked: hasMarkers(join(worktree, path)),
  };
}

const KINDS: Readonly<Record<string, ConflictedFile["kind"]>> = { "120000": "link", "160000": "submodule" };
