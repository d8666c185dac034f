/** Applies a patch to the files of a workspace: all of it, or nothing. */
import { ok, type Result, safeTry } from "neverthrow";
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
  return safeTry(async function* () {
    const changes = yield* parsePatch(patch).mapErr(noPatch);
    const placed: PlacedChange[] = [];
    for (const change of changes) placed.push(yield* placeChange(root, cwd, change));
    const states = createFileStates(root);
    const files = yield* planChanges(root, states, placed);
    yield* checkPlaces(root, states.changed());
    if (!dryRun) yield* await writeChanges(root, states.changed());
    return ok({ files: [...files], dry_run: dryRun });
  });
}

function noPatch({ code, patchLine, why }: PatchFlaw): ToolRefusal {
  return failure(code, `Line ${patchLine} of the patch: ${why}. Nothing was written.`, {
    details: { patch_line: patchLine },
  });
}
