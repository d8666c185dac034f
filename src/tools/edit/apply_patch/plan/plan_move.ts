/** Finds the content that a change begins with, and puts its result in place, both in memory. */
import { err, ok, type Result } from "neverthrow";
import { failure, type ToolRefusal } from "../../../core/result.ts";
import { relativePath } from "../../../files/relative-path.ts";
import type { FileChange } from "../parse/change_list.ts";
import { isFolder } from "./check_places.ts";
import type { FileState, FileStates } from "./file_states.ts";

/** A change with confined paths: real and absolute. */
export interface PlacedChange {
  readonly change: FileChange;
  readonly oldPath: string | null;
  readonly newPath: string | null;
}

/** What one change needs to know about the others. */
export interface Plan {
  readonly root: string;
  readonly states: FileStates;
  /** Paths from which a change moves the file away. */
  readonly left: ReadonlySet<string | null>;
  /** Paths to which an earlier change moved or copied a file. */
  readonly filled: Set<string>;
}

const NEW_FILE: FileState = { content: "", mode: 0, executable: null };

/** Puts content at its target in memory, and removes it from the old path of a rename. */
export function moveTo(
  plan: Plan,
  {
    source,
    target,
    state,
    isOriginal,
    create,
    change,
    content,
  }: Source & { readonly create: boolean; readonly change: FileChange; readonly content: string },
): Result<void, ToolRefusal> {
  const { root, states, filled } = plan;
  const isElsewhere = create || source !== target;
  const taken = isElsewhere ? isTaken(plan, target) : ok(false);
  if (taken.isErr()) return err(taken.error);
  const shown = relativePath(root, target);
  if (taken.value)
    return err(failure("ALREADY_EXISTS", `${shown} exists already.`, { details: { path: shown } }));
  if (change.kind === "rename" && !isOriginal) states.set(source, null);
  if (isElsewhere) filled.add(target);
  const executable = change.executable ?? state?.executable ?? null;
  states.set(target, { ...(state ?? NEW_FILE), content, executable });
  return ok(undefined);
}

/** An existing folder does not count here. Whether it may be removed is checked after all changes are planned. */
function isTaken({ states, left, filled }: Plan, target: string): Result<boolean, ToolRefusal> {
  if (left.has(target) && !filled.has(target)) return ok(false);
  const state = states.now(target);
  if (state.isErr() && isFolder(target)) return ok(false);
  return state.map((found) => found !== null);
}

interface Source {
  /** The path of the old content. */
  readonly source: string;
  readonly target: string;
  /** Null if nothing is there. */
  readonly state: FileState | null;
  /** Whether this is the content on disk, although something else is planned for that path. */
  readonly isOriginal: boolean;
}

export function sourceOf(
  { states, filled }: Plan,
  { change, oldPath, newPath }: PlacedChange,
): Result<Source, ToolRefusal> {
  const [old, created] = [oldPath ?? newPath ?? "", newPath ?? oldPath ?? ""];
  const at = (source: string, target: string) => (state: FileState | null) => ({
    source,
    target,
    state,
    isOriginal: false,
  });
  if (change.kind === "create") return ok(at(created, created)(null));
  if (change.kind === "copy" || (change.kind === "rename" && filled.has(old))) {
    const first = states.first(old);
    if (first.isErr() || first.value !== null)
      return first.map((state) => ({ ...at(old, created)(state), isOriginal: true }));
  }
  if (change.kind !== "modify") return states.now(old).map(at(old, created));
  // A plain diff may name two files, such as `x.orig` and `x`, and mean one. That is the new one, if it exists.
  const atNew = states.now(created);
  if (atNew.isErr() || atNew.value !== null || old === created) return atNew.map(at(created, created));
  return states.now(old).map(at(old, old));
}
