/** Computes the result of each change of a patch, before anything is written. */
import { err, ok, type Result } from "neverthrow";
import { failure, type ToolRefusal } from "../../core/result.ts";
import { relativePath } from "../../files/relative-path.ts";
import type { PatchedFile } from "./contract.ts";
import type { FileChange, Hunk } from "./parse/change_list.ts";
import { type AppliedHunks, applyHunks, type FailedHunk } from "./plan/apply_hunks.ts";
import type { FileStates } from "./plan/file_states.ts";
import { moveTo, type PlacedChange, type Plan, sourceOf } from "./plan/plan_move.ts";

/**
 * Changes the states in memory, one change after the other, and says what was done to each file. A copy takes the
 * content on disk. So does a rename of a path that another rename has filled. Git means them that way, and two files
 * can then swap places.
 */
export function planChanges(
  root: string,
  states: FileStates,
  changes: readonly PlacedChange[],
): Result<readonly PatchedFile[], ToolRefusal> {
  const renames = changes.filter(({ change }) => change.kind === "rename");
  const plan: Plan = {
    root,
    states,
    left: new Set(renames.map(({ oldPath }) => oldPath)),
    filled: new Set(),
  };
  const files: PatchedFile[] = [];
  for (const placed of changes) {
    const done = planChange(plan, placed);
    if (done.isErr()) return err(done.error);
    files.push(done.value);
  }
  return ok(files);
}

function planChange(plan: Plan, placed: PlacedChange): Result<PatchedFile, ToolRefusal> {
  const found = sourceOf(plan, placed);
  if (found.isErr()) return err(found.error);
  const { source, target, state } = found.value;
  const { change } = placed;
  const shown = relativePath(plan.root, target);
  const create = change.kind === "create" || (state === null && onlyAdds(change));
  if (state === null && !create) return err(missing(relativePath(plan.root, source)));
  const applied = applyHunks(create ? "" : (state?.content ?? ""), change.hunks);
  if (applied.isErr()) return err(failed(shown, applied.error));
  const report = reportOf(applied.value, shown);
  if (change.kind === "delete" && applied.value.content !== "") return err(moreThanDeleted(shown));
  if (change.kind === "delete" || change.kind === "discard") {
    plan.states.set(target, null);
    const lost = change.kind === "discard" ? countLines(state?.content ?? "") : report.deletions;
    return ok({ ...report, deletions: lost, action: "deleted" });
  }
  const content = applied.value.content;
  const moved = moveTo(plan, { ...found.value, create, change, content });
  if (moved.isErr()) return err(moved.error);
  if (create) return ok({ ...report, action: "created" });
  if (source === target) return ok({ ...report, action: "modified" });
  const action = change.kind === "rename" ? "renamed" : "created";
  return ok({ ...report, old_path: relativePath(plan.root, source), action });
}

/** `diff -N` writes a new file this way: one hunk of added lines at the very beginning. */
function onlyAdds({ kind, hunks }: FileChange): boolean {
  const [hunk, second] = hunks;
  if (kind !== "modify" || hunk === undefined || second !== undefined) return false;
  return hunk.start === 0 && hunk.lines.every(({ sign }: Hunk["lines"][number]) => sign === "+");
}

function reportOf(
  { additions, deletions, hunks, adapted }: AppliedHunks,
  path: string,
): Omit<PatchedFile, "action"> {
  return { path, old_path: null, additions, deletions, hunks: [...hunks], line_ends_adapted: adapted };
}

function countLines(content: string): number {
  return content.split("\n").length - (content === "" || content.endsWith("\n") ? 1 : 0);
}

function missing(path: string): ToolRefusal {
  return failure("NOT_FOUND", `${path} does not exist, and the patch changes it.`, { details: { path } });
}

function moreThanDeleted(path: string): ToolRefusal {
  const message = `${path} holds more lines than the patch deletes; nothing was written.`;
  return failure("PATCH_FAILED", message, { details: { path, reason: "not-found" } });
}

function failed(path: string, { hunk, patchLine, why, reason, lines }: FailedHunk): ToolRefusal {
  const message = `${path}: hunk ${hunk} (line ${patchLine} of the patch) does not fit: ${why}. Nothing was written.`;
  return failure("PATCH_FAILED", message, {
    details: { path, hunk, patch_line: patchLine, reason, lines: [...lines] },
  });
}
