/** Looks after a turn, and before the next one, whether git's own files in and around a worktree are as Tazuna made them. */
import { existsSync } from "node:fs";
import { err, ok, type Result } from "neverthrow";
import type { RunNote } from "../../domain/run/run.ts";
import { clearIndexFlags } from "../../git/index-flags.ts";
import { settingsPlace } from "../../git/list-settings.ts";
import { mendPointers } from "../../git/worktree-pointers.ts";
import type { ServiceContext } from "../context.ts";
import { gitFailed } from "../runs/git-failure.ts";
import { recordDeviation } from "../runs/record-deviation.ts";
import { note, type RunWorld, type Step } from "../runs/step.ts";
import { worktreeTarget } from "./targets.ts";

/** Pointers are put back and noted; a place that leads elsewhere ends the run, with every file left as it lies. */
export async function checkPointers(
  context: ServiceContext,
  world: RunWorld,
): Promise<Result<readonly RunNote[], Step>> {
  const { gitDir, worktree } = world.attempt;
  if (gitDir === null) return ok([]);
  const mended = await mendPointers({ gitDir, workTree: worktree });
  if (mended.isErr()) {
    const { at, message } = mended.error;
    return err(gitFailed("worktree", { kind: "redirected", message, at: [at] }));
  }
  const at = mended.value;
  if (at.length === 0) return ok([]);
  const after = { at };
  const operation = await recordDeviation(context, world, {
    kind: "git_files_restored",
    before: null,
    after,
    undoable: false,
  });
  const message = `${at.join(" and ")} did not lead where git had made it lead, and was put back.`;
  return ok([note("git_files_restored", message, { at, operation })]);
}

/**
 * What changed in git's settings during this turn is remembered as an agent's, and noted; null where nothing did. To be
 * called at the end of every turn, whatever became of the worktree: what is not remembered would be the user's afterwards.
 * Who was confined could write none of them.
 */
export async function withholdSettings(
  context: ServiceContext,
  world: RunWorld,
): Promise<Result<RunNote | null, Step>> {
  const { git } = context;
  const { run, attempt, repository } = world;
  if (git.settings === null || run.isolation === "sandbox") return ok(null);
  const at = new Set<string>();
  const own = attempt.gitDir === null || !existsSync(attempt.gitDir) ? [] : [attempt.gitDir];
  for (const gitDir of [repository.commonDir, ...own]) {
    const planted = await git.settings.withhold(settingsPlace({ gitDir }));
    if (planted.isErr()) return err(gitFailed("stage", planted.error));
    for (const { key } of planted.value) at.add(key);
  }
  if (at.size === 0) return ok(null);
  const named = [...at].slice(0, MOST_NAMED).join(", ");
  const message = `Settings of git in this repository changed while an agent worked; they count once a person has read them with \`tazuna trust\`: ${named}`;
  const operation = await recordDeviation(context, world, {
    kind: "git_settings_changed",
    before: null,
    after: { at: [...at] },
    undoable: false,
  });
  return ok(note("git_settings_changed", message, { at: [...at], operation }));
}

const MOST_NAMED = 20;

/** By such a mark an agent's own change would be in no commit and in no snapshot, while its checks run on it. */
export async function clearFlags(
  context: ServiceContext,
  world: RunWorld,
): Promise<Result<readonly RunNote[], Step>> {
  if (world.run.isolation === "sandbox") return ok([]);
  const cleared = await clearIndexFlags(context.git, worktreeTarget(world.attempt));
  if (cleared.isErr()) return err(gitFailed("stage", cleared.error));
  const paths = cleared.value.slice(0, MOST_NAMED);
  if (paths.length === 0) return ok([]);
  const deviation = { kind: "index_flags_cleared", before: { paths }, after: null, undoable: false };
  const operation = await recordDeviation(context, world, deviation);
  const message = `Files were marked so that git does not see what changed in them; the marks were taken away: ${paths.join(", ")}`;
  return ok([note("index_flags_cleared", message, { paths, operation })]);
}
