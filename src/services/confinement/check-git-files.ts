/** Checks between turns whether git's own files in and around a worktree are as Tazuna made them. */
import { err, ok, type Result } from "neverthrow";
import type { RunNote } from "../../domain/run/run.ts";
import { clearIndexFlags } from "../../git/index/index-flags.ts";
import { settingsPlace } from "../../git/settings/list-settings.ts";
import { mendPointers } from "../../git/worktree/worktree-pointers.ts";
import { isThere } from "../../utils/files/is-there.ts";
import type { Uses } from "../core/context-parts.ts";
import { gitFailed } from "../run-core/git-failure.ts";
import { recordDeviation } from "../run-core/record-deviation.ts";
import { note, type RunWorld, type Step } from "../run-core/step.ts";
import { worktreeTarget } from "../run-core/targets.ts";

/** Puts pointers back and notes it. A place that leads elsewhere ends the run, and every file stays as it lies. */
export async function checkPointers(
  context: Uses<"db" | "clock" | "newId" | "owner">,
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
 * Remembers changes of git's settings during this turn as an agent's, and notes them; null if nothing changed. Call it
 * at the end of every turn, also if the worktree is gone. What is not remembered would count as the user's afterwards.
 * A confined program could not write any of them.
 */
export async function withholdSettings(
  context: Uses<"db" | "git" | "clock" | "newId" | "owner">,
  world: RunWorld,
): Promise<Result<RunNote | null, Step>> {
  const { git } = context;
  const { run, attempt, repository } = world;
  if (git.settings === null || run.isolation === "sandbox") return ok(null);
  const at = new Set<string>();
  const gitDirs = attempt.gitDir === null || !(await isThere(attempt.gitDir)) ? [] : [attempt.gitDir];
  for (const gitDir of [repository.commonDir, ...gitDirs]) {
    const planted = await git.settings.withhold(settingsPlace({ gitDir }));
    if (planted.isErr()) return err(gitFailed("stage", planted.error));
    for (const { key } of planted.value) at.add(key);
  }
  if (at.size === 0) return ok(null);
  const named = [...at].slice(0, MAX_NAMED).join(", ");
  const message = `Settings of git in this repository changed while an agent worked. They count once a person has read them with \`tazuna trust\`: ${named}`;
  const operation = await recordDeviation(context, world, {
    kind: "git_settings_changed",
    before: null,
    after: { at: [...at] },
    undoable: false,
  });
  return ok(note("git_settings_changed", message, { at: [...at], operation }));
}

const MAX_NAMED = 20;

/** An index flag could keep an agent's change out of every commit and snapshot, while its checks run on it. */
export async function clearFlags(
  context: Uses<"db" | "git" | "clock" | "newId" | "owner">,
  world: RunWorld,
): Promise<Result<readonly RunNote[], Step>> {
  if (world.run.isolation === "sandbox") return ok([]);
  const cleared = await clearIndexFlags(context.git, worktreeTarget(world.attempt));
  if (cleared.isErr()) return err(gitFailed("stage", cleared.error));
  const paths = cleared.value.slice(0, MAX_NAMED);
  if (paths.length === 0) return ok([]);
  const deviation = { kind: "index_flags_cleared", before: { paths }, after: null, undoable: false };
  const operation = await recordDeviation(context, world, deviation);
  const message = `Files were marked so that git does not see what changed in them; the marks were taken away: ${paths.join(", ")}`;
  return ok([note("index_flags_cleared", message, { paths, operation })]);
}
