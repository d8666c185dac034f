/** Applies a patch to the files of a workspace: all of it, or nothing. */
import { err, ok, type Result } from "neverthrow";
import { confinePath } from "../../core/confine-paths.ts";
import { failure, type ToolRefusal } from "../../core/result.ts";
import { refuseGitDirectory } from "../../files/git-directory.ts";
import { relativePath } from "../../files/relative-path.ts";
import type { FileChange, PatchFlaw } from "./change_list.ts";
import { createFileStates } from "./file_states.ts";
import { parsePatch } from "./parse_patch.ts";
import { type PlacedChange, planChanges } from "./plan_changes.ts";
import type { ApplyPatchOutput } from "./types.ts";
import { writeChanges } from "./write_changes.ts";

export interface PatchToApply {
  readonly root: string;
  /** Real absolute folder that its paths are relative to. */
  readonly cwd: string;
  readonly patch: string;
  readonly dryRun: boolean;
}

export async function applyPatch({
  root,
  cwd,
  patch,
  dryRun,
}: PatchToApply): Promise<Result<ApplyPatchOutput, ToolRefusal>> {
  const changes = parsePatch(patch);
  if (changes.isErr()) return err(noPatch(changes.error));
  const placed: PlacedChange[] = [];
  for (const change of changes.value) {
    const places = placeChange(root, cwd, change);
    if (places.isErr()) return err(places.error);
    placed.push(places.value);
  }
  const states = createFileStates(root);
  const files = planChanges(root, states, placed);
  if (files.isErr()) return err(files.error);
  if (!dryRun) {
    const written = await writeChanges(root, states.changed());
    if (written.isErr()) return err(written.error);
  }
  return ok({ files: [...files.value], dry_run: dryRun });
}

function placeChange(root: string, cwd: string, change: FileChange): Result<PlacedChange, ToolRefusal> {
  const place = (path: string | null): Result<string | null, ToolRefusal> =>
    path === null ? ok(null) : placePath(root, cwd, path);
  return place(change.oldPath).andThen((oldPath) =>
    place(change.newPath).map((newPath) => ({ change, oldPath, newPath })),
  );
}

function placePath(root: string, cwd: string, path: string): Result<string, ToolRefusal> {
  // Put behind a folder, an absolute or a blank path would look like a good one.
  const standsAlone = cwd === root || path.trim() === "" || /^(?:[\\/]|[a-zA-Z]:)/.test(path);
  const given = standsAlone ? path : `${relativePath(root, cwd)}/${path}`;
  const placed = confinePath(root, { argument: "patch", must: "stay-inside", absolute: "inside" }, given);
  return placed.andThen((real) => {
    const guarded = refuseGitDirectory(root, real);
    return guarded === null ? ok(real) : err(guarded);
  });
}

function noPatch({ code, patchLine, why }: PatchFlaw): ToolRefusal {
  return failure(code, `Line ${patchLine} of the patch: ${why}. Nothing was written.`, {
    details: { patch_line: patchLine },
  });
}
