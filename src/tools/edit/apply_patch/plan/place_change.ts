/** Finds the real paths of a change, and refuses those that no patch may touch. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { invalidArgument } from "../../../core/check-arguments.ts";
import { confinePath } from "../../../core/confine-paths.ts";
import { failure, type ToolRefusal } from "../../../core/result.ts";
import type { PathRule } from "../../../core/tool.ts";
import { refuseGitDirectory } from "../../../files/git-directory.ts";
import { relativePath } from "../../../files/relative-path.ts";
import type { FileChange } from "../parse/change_list.ts";
import type { PlacedChange } from "./plan_move.ts";

const RULE: PathRule = { argument: "patch", must: "stay-inside", absolute: "inside" };

export function placeChange(
  root: string,
  cwd: string,
  change: FileChange,
): Result<PlacedChange, ToolRefusal> {
  const leaves = ["delete", "discard", "rename"].includes(change.kind);
  const place = (path: string | null, isLeft: boolean): Result<string | null, ToolRefusal> =>
    path === null ? ok(null) : placePath(root, spelt(root, cwd, path), isLeft);
  return place(change.oldPath, leaves).andThen((oldPath) =>
    place(change.newPath, false).map((newPath) => ({ change, oldPath, newPath })),
  );
}

/** Turns a path of the patch into one that is relative to the workspace. */
function spelt(root: string, cwd: string, path: string): string {
  // If an absolute or blank path were joined to a folder, it would look like a valid one.
  const standsAlone = cwd === root || path.trim() === "" || /^(?:[\\/]|[a-zA-Z]:)/.test(path);
  return standsAlone ? path : `${relativePath(root, cwd)}/${path}`;
}

/** `isLeft`: nothing will be there after the patch. */
function placePath(root: string, path: string, isLeft: boolean): Result<string, ToolRefusal> {
  if (/(?:^|[\\/])\.{0,2}$/.test(path))
    return err(
      invalidArgument(`patch: ${JSON.stringify(path)} must end with the name of a file.`, {
        argument: "patch",
      }),
    );
  const placed = confinePath(root, RULE, path, { throughFiles: true });
  if (placed.isErr()) return placed;
  const guarded = refuseGitDirectory(root, placed.value);
  if (guarded !== null) return err(guarded);
  if (placed.value === root)
    return err(failure("NOT_FILE", `${path} is the workspace itself.`, { details: { path: "." } }));
  if (isLeft && isLink(root, path)) return err(noLinks(path));
  return placed;
}

/** Whether the last name of a path is a link. The path itself may lead through links. */
function isLink(root: string, path: string): boolean {
  const names = path.replaceAll("\\", "/").split("/");
  const above = names.slice(0, -1).join("/") || (names.length > 1 ? "/" : ".");
  const folder = confinePath(root, RULE, above);
  if (folder.isErr()) return false;
  const at = join(folder.value, names.at(-1) ?? "");
  return lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** To follow the link would remove the file that it leads to, and leave the link. */
function noLinks(path: string): ToolRefusal {
  const message = `${path} is a symbolic link, which no patch takes away. Nothing was written.`;
  return failure("UNSUPPORTED_CHANGE", message, { details: { path } });
}
