/** Holds a call's folder open until a process has started in it, so that no link can redirect it. */
import { err, ok, type Result } from "neverthrow";
import { pinFolder } from "../../utils/files/pinned-folder.ts";
import { isInside } from "../../utils/paths/path-spelling.ts";
import { confinePath } from "./confine-paths.ts";
import { failure, type ToolRefusal } from "./result.ts";

interface HeldFolder {
  /** The path by which a process is started in it. */
  readonly path: string;
  close(): void;
}

/**
 * `cwd` is the path found for the call: absolute, without links. It is refused if it leads out of the workspace by
 * now. A folder that may lie outside, such as the top of a larger repository, is taken as it is.
 */
export function holdFolder(workspaceRoot: string, cwd: string): Result<HeldFolder, ToolRefusal> {
  const plain = { path: cwd, close: () => {} };
  if (!isInside(workspaceRoot, cwd, process.platform)) return ok(plain);
  const pinned = pinFolder(workspaceRoot, cwd, { missing: "refuse" });
  if (pinned.ok) return ok({ path: pinned.folder.at("."), close: pinned.folder.close });
  // A process may enter a folder that it cannot read. If it cannot, the system reports that itself.
  if (pinned.reason === "refused") return ok(plain);
  const rule = { argument: "cwd", must: "be-directory", absolute: "inside" } as const;
  return confinePath(workspaceRoot, rule, cwd).andThen(() => err(movedAway(cwd)));
}

function movedAway(cwd: string): ToolRefusal {
  return failure("NOT_DIRECTORY", `cwd: ${cwd} was put somewhere else while the call began.`, {
    retriable: true,
    details: { argument: "cwd" },
  });
}
