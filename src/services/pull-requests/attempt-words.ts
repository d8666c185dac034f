/** Gathers what the words of an attempt's pull request are made of, and writes them without secrets. */
import { createRedactor, secretValues } from "../../domain/agent/redact.ts";
import type { ForgeWord } from "../../domain/forge/forge-place.ts";
import { FORGE_TOKENS } from "../../domain/forge/token-names.ts";
import { standingOf } from "../../domain/publish/allowance.ts";
import { templateAmong, templateFolders } from "../../domain/pull-request/template.ts";
import { type DecisionWords, pullRequestWords } from "../../domain/pull-request/words.ts";
import type { Run } from "../../domain/run/run.ts";
import { filesIn, textOf } from "../../git/index/files-of-commit.ts";
import { attemptsOfTask } from "../../storage/tables/attempts.ts";
import { checksOfRuns } from "../../storage/tables/checks.ts";
import { decisionsOfTasks } from "../../storage/tables/decisions.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { repositoryTarget } from "../run-core/targets.ts";

type WordsContext = Uses<"db" | "git" | "configuration" | "userEnv" | "tokens">;

export async function attemptWords(
  context: WordsContext,
  place: AttemptPlace,
  { commit, kind }: { readonly commit: string; readonly kind: ForgeWord },
): Promise<{ readonly title: string; readonly body: string }> {
  const { task, attempt } = place;
  const { reader } = context.db;
  const runs = await runsOfAttempt(reader, attempt.id);
  const checks = await checksOfRuns(
    reader,
    runs.map(({ id }) => id),
  );
  const words = pullRequestWords({
    task,
    attempt,
    summaries: summariesOf(runs),
    template: await templateOf(context, place, { commit, kind }),
    checks: runs
      .toReversed()
      .flatMap(({ id }) => checks.get(id) ?? [])
      .filter((check, _, all) => check.runId === all[0]?.runId),
    allowances: runs.flatMap(({ options: { allowance } }) => (allowance && standingOf(allowance)) ?? []),
    decision: await decisionOf(context, place),
  });
  const redact = redactorOf(context);
  return { title: redact(words.title), body: redact(words.body) };
}

/** Removes secrets from what is sent to a forge. */
export function redactorOf({ tokens, userEnv }: Uses<"userEnv" | "tokens">): (text: string) => string {
  const values = [...tokens, ...secretValues(userEnv, { names: FORGE_TOKENS })];
  return createRedactor({ values }).text;
}

function summariesOf(runs: readonly Run[]): readonly string[] {
  return runs.flatMap(({ kind, commit, summary }) =>
    kind === "agent" && commit !== null && summary !== null ? [summary] : [],
  );
}

const MAX_TEMPLATE_BYTES = 32 * 1024;

/** From the attempt's commit, never from files of the worktree. Null if there is none, or if git cannot say. */
async function templateOf(
  engine: WordsContext,
  place: AttemptPlace,
  { commit, kind }: { readonly commit: string; readonly kind: ForgeWord },
): Promise<string | null> {
  const { git } = await loadRepositoryGit(engine, place);
  const target = repositoryTarget(place.repository);
  const files = await filesIn(git, target, { commit, folders: templateFolders(kind) });
  const path = templateAmong(kind, files.unwrapOr([]));
  if (path === null) return null;
  return (await textOf(git, target, { commit, path, maxBytes: MAX_TEMPLATE_BYTES })).unwrapOr(null);
}

/** Only if this attempt is the one that was chosen. */
async function decisionOf(
  { db }: Uses<"db">,
  { task, attempt }: AttemptPlace,
): Promise<DecisionWords | null> {
  const decision = (await decisionsOfTasks(db.reader, [task.id])).get(task.id);
  if (decision?.attemptId !== attempt.id) return null;
  const others = await attemptsOfTask(db.reader, task.id);
  const alternatives = others
    .filter(({ id }) => decision.alternatives.includes(id))
    .map(({ agent }) => agent);
  return { reason: decision.reason, tripwire: decision.tripwire, alternatives };
}
