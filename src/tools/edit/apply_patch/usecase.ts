/** Applies a patch to the files of a workspace: all of it, or nothing. */
import { err, ok, type Result } from "neverthrow";
import { failure, type ToolRefusal } from "../../core/result.ts";
import type { ApplyPatchOutput } from "./contract.ts";
import type { PatchFlaw } from "./parse/change_list.ts";
import { parsePatch } from "./parse/parse_patch.ts";
import { checkPlaces } from "./plan/check_places.ts";
import { createFileStates } from "./plan/file_states.ts";
import { placeChange } from "./plan/place_change.ts";
import type { PlacedChange } from "./plan/plan_move.ts";
import { planChanges } from "./plan_changes.ts";
import { writeChanges } from "./write_changes.ts";

interface PatchToApply {
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
  const possible = checkPlaces(root, states.changed());
  if (possible.isErr()) return err(possible.error);
  if (!dryRun) {
    const written = await writeChanges(root, states.changed());
    if (written.isErr()) return err(written.error);
  }
  return ok({ files: [...files.value], dry_run: dryRun });
}

function noPatch({ code, patchLine, why }: PatchFlaw): ToolRefusal {
  return failure(code, `Line ${patchLine} of the patch: ${why}. Nothing was written.`, {
    details: { patch_line: patchLine },
  });
}
