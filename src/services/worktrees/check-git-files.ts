/** Looks after a turn, and before the next one, whether git's own files in and around a worktree are as Tazuna made them. */
import { existsSync } from "node:fs";
import { err, ok, type Result } from "neverthrow";
import type { RunNote } from "../../domain/run/run.ts";
import { settingsPlace } from "../../git/list-settings.ts";
import { mendPointers } from "../../git/worktree-pointers.ts";
import type { ServiceContext } from "../context.ts";
import { gitFailed } from "../runs/git-failure.ts";
import { note, type RunWorld, type Step } from "../runs/step.ts";

/** Pointers are put back and noted; a place that leads elsewhere ends the run, with every file left as it lies. */
export async function checkPointers({ attempt }: RunWorld): Promise<Result<readonly RunNote[], Step>> {
  if (attempt.gitDir === null) return ok([]);
  const mended = await mendPointers({ gitDir: attempt.gitDir, workTree: attempt.worktree });
  return mended
    .map((at) => {
      if (at.length === 0) return [];
      const message = `${at.join(" and ")} did not lead where git had made it lead, and was put back.`;
      return [note("git_files_restored", message, { at })];
    })
    .mapErr(({ at, message }) => gitFailed("worktree", { kind: "redirected", message, at: [at] }));
}

/**
 * What changed in git's settings during this turn is remembered as an agent's, and noted; null where nothing did. To be
 * called at the end of every turn, whatever became of the worktree: what is not remembered would be the user's afterwards.
 * Who was confined could write none of them.
 */
export async function withholdSettings(
  { git }: ServiceContext,
  { run, attempt, repository }: RunWorld,
): Promise<Result<RunNote | null, Step>> {
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
  return ok(note("git_settings_changed", message, { at: [...at] }));
}

const MOST_NAMED = 20;
