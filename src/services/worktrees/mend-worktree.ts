/** Mends a worktree whose HEAD or index is damaged: its files stay, and go into a snapshot first. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { RunNote } from "../../domain/run/run.ts";
import { rebuildIndex } from "../../git/index/whole-index.ts";
import { type Damage, damageWords, findDamage } from "../../git/worktree/worktree-damage.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { isFolder } from "../../utils/files/is-there.ts";
import { moveEntry } from "../../utils/files/move-entries.ts";
import { ensureBranch } from "../branches/ensure-branch.ts";
import type { GitContext, JournalContext, Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { journaled } from "../core/journal.ts";
import { keepSnapshot } from "../run-core/keep-snapshot.ts";
import { note } from "../run-core/step.ts";
import { worktreeTarget } from "../run-core/targets.ts";

interface Mending extends AttemptInRepository {
  /** The tree for the new index: the one that a run had staged; HEAD by default. */
  readonly tree?: string | null;
}

type Unmended = { readonly kind: string; readonly message: string };

/**
 * The parts that were damaged and are whole again. Empty if all was whole, or if there is no worktree left to mend.
 * Every step may be repeated.
 */
export async function mendWorktree(
  context: GitContext & Uses<"paths">,
  mending: Mending,
): Promise<Result<readonly Damage[], Unmended>> {
  const damages = await clearDamage(context, mending.attempt);
  const noIndex = damages.some(({ file }) => file === "index");
  const mended = noIndex ? await makeIndex(context, mending) : ok(undefined);
  return mended.map(() => damages);
}

/**
 * Moves what is damaged into the data folder, and points HEAD at the attempt's branch again. Does not call git: it
 * refuses to work in such a worktree. A damaged index is missing afterwards.
 */
export async function clearDamage(
  context: JournalContext & Uses<"paths">,
  attempt: Attempt,
): Promise<readonly Damage[]> {
  const { gitDir, branch, id } = attempt;
  if (gitDir === null || !(await isFolder(gitDir)) || !(await isFolder(attempt.worktree))) return [];
  const damages = await findDamage({ gitDir, branch });
  if (damages.every(({ file, how }) => file === "index" && how === "missing")) return damages;
  const aside = join(context.paths.attempt(id), `damaged-${context.newId()}`);
  await journaled(
    context,
    { kind: "git_files_aside", subject: { type: "attempt", id }, before: { damages, path: gitDir, aside } },
    async () => {
      await mkdir(aside, { recursive: true, mode: 0o700 });
      for (const { file, how } of damages)
        if (how !== "missing") await moveEntry(join(gitDir, file), join(aside, file));
      if (damages.some(({ file }) => file === "HEAD"))
        await writeFileAtomic(join(gitDir, "HEAD"), `ref: refs/heads/${branch}\n`, { mode: 0o644 });
      return ok(undefined);
    },
    () => ({ path: aside }),
  );
  return damages;
}

/** Takes the snapshot first, with an index of its own. Without a branch there is no commit for a snapshot. */
async function makeIndex(
  context: GitContext,
  { attempt, repository, tree }: Mending,
): Promise<Result<void, Unmended>> {
  const earlier = await runsOfAttempt(context.db.reader, attempt.id);
  const branch = await ensureBranch(context, { attempt, repository, run: null, earlier });
  if (branch.isErr()) return err(branch.error);
  const target = worktreeTarget(attempt);
  const snapshot = await keepSnapshot(context, { attempt }, { reason: "worktree_damaged" });
  if (snapshot.isErr()) return err(snapshot.error);
  return journaled(
    context,
    {
      kind: "index_rebuilt",
      subject: { type: "attempt", id: attempt.id },
      before: { path: attempt.worktree, snapshot: snapshot.value.ref },
    },
    () => rebuildIndex(context.git, target, { tree: tree ?? "HEAD" }),
    () => ({ tree: tree ?? "HEAD" }),
  );
}

/** No notes if nothing was damaged. */
export function mendedNotes(damages: readonly Damage[]): readonly RunNote[] {
  if (damages.length === 0) return [];
  const message = `The worktree was mended, every file as it was. ${damageWords(damages)}`;
  return [note("worktree_mended", message, { damages })];
}
