/** Works out what each change of a patch comes to, before anything is written. */
import { err, ok, type Result } from "neverthrow";
import { failure, type ToolRefusal } from "../../core/result.ts";
import { relativePath } from "../../files/relative-path.ts";
import { type AppliedHunks, applyHunks, type FailedHunk } from "./apply_hunks.ts";
import type { FileChange, Hunk } from "./change_list.ts";
import type { FileState, FileStates } from "./file_states.ts";
import type { PatchedFile } from "./types.ts";

/** A change whose names were confined: real absolute paths. */
export interface PlacedChange {
  readonly change: FileChange;
  readonly oldPath: string | null;
  readonly newPath: string | null;
}

/** What one change needs to know of the others. */
interface Plan {
  readonly root: string;
  readonly states: FileStates;
  /** Places from which some change moves the file away. */
  readonly left: ReadonlySet<string | null>;
  /** Places to which an earlier change moved or copied a file. */
  readonly filled: Set<string>;
}

/**
 * Changes the states in memory, one change after the other, and says what was done to each file. A copy takes what is on disk,
 * and so does a rename of a place that another one has filled: that is how git means them, and how two files change places.
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

const NEW_FILE: FileState = { content: "", mode: 0, stamp: "", executable: null };

function planChange(plan: Plan, placed: PlacedChange): Result<PatchedFile, ToolRefusal> {
  const { root, states } = plan;
  const found = sourceOf(plan, placed);
  if (found.isErr()) return err(found.error);
  const { source, target, state } = found.value;
  const { change } = placed;
  const shown = relativePath(root, target);
  const create = change.kind === "create" || (state === null && onlyAdds(change));
  if (state === null && !create) return err(missing(relativePath(root, source)));
  const applied = applyHunks(create ? "" : (state?.content ?? ""), change.hunks);
  if (applied.isErr()) return err(failed(shown, applied.error));
  const report = reportOf(applied.value, shown);
  if (change.kind === "delete") {
    if (change.hunks.length > 0 && applied.value.content !== "") return err(moreThanDeleted(shown));
    states.set(target, null);
    const lines = state === null || change.hunks.length > 0 ? report.deletions : countLines(state.content);
    return ok({ ...report, deletions: lines, action: "deleted" });
  }
  const isElsewhere = create || source !== target;
  const taken = isElsewhere ? isTaken(plan, target) : ok(false);
  if (taken.isErr()) return err(taken.error);
  if (taken.value)
    return err(failure("ALREADY_EXISTS", `${shown} exists already.`, { details: { path: shown } }));
  if (change.kind === "rename" && !plan.filled.has(source)) states.set(source, null);
  if (isElsewhere) plan.filled.add(target);
  const executable = change.executable ?? state?.executable ?? null;
  states.set(target, { ...(state ?? NEW_FILE), content: applied.value.content, executable });
  if (create) return ok({ ...report, action: "created" });
  if (source === target) return ok({ ...report, action: "modified" });
  const action = change.kind === "rename" ? "renamed" : "created";
  return ok({ ...report, old_path: relativePath(root, source), action });
}

function isTaken({ states, left, filled }: Plan, target: string): Result<boolean, ToolRefusal> {
  if (left.has(target) && !filled.has(target)) return ok(false);
  return states.now(target).map((state) => state !== null);
}

interface Source {
  /** Where the old content is. */
  readonly source: string;
  readonly target: string;
  /** Null where nothing is. */
  readonly state: FileState | null;
}

function sourceOf(
  { states, filled }: Plan,
  { change, oldPath, newPath }: PlacedChange,
): Result<Source, ToolRefusal> {
  const [old, created] = [oldPath ?? newPath ?? "", newPath ?? oldPath ?? ""];
  if (change.kind === "create") return ok({ source: created, target: created, state: null });
  const isOriginal = change.kind === "copy" || (change.kind === "rename" && filled.has(old));
  const look = isOriginal ? states.first : states.now;
  if (change.kind !== "modify") return look(old).map((state) => ({ source: old, target: created, state }));
  // A plain diff may name two files, as `x.orig` and `x`, of which one is meant: the new one, where it is there.
  const atNew = states.now(created);
  if (atNew.isErr() || atNew.value !== null || old === created)
    return atNew.map((state) => ({ source: created, target: created, state }));
  return states.now(old).map((state) => ({ source: old, target: old, state }));
}

/** As diff -N writes a new file: one hunk of added lines at the very beginning. */
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
