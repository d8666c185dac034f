/** Follows the file of a comment through a change, and finds it in the patch. */
import type { Comment } from "./comment.ts";

/** A changed file, and its blob on both sides; all zeros if there is none. */
export interface FileChange {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: string;
  readonly previousSha: string;
  readonly sha: string;
}

/** Its path behind the change; null if the change deleted it. */
export function pathAfter(path: string, changes: readonly FileChange[]): string | null {
  const renamed = changes.find((one) => one.status === "renamed" && one.previousPath === path);
  if (renamed !== undefined) return renamed.path;
  const own = changes.find((one) => one.path === path);
  return own?.status === "deleted" ? null : path;
}

/** The change of a patch that a path names; a renamed file has both of its names. */
export function changeAt(path: string, patch: readonly FileChange[]): FileChange | null {
  return patch.find((one) => one.path === path) ?? patch.find((one) => one.previousPath === path) ?? null;
}

/** The blob with the lines of that side; null if the file is not there. */
export function blobOf(change: FileChange, side: Comment["side"]): string | null {
  const sha = side === "old" ? change.previousSha : change.sha;
  return /^0+$/.test(sha) ? null : sha;
}
