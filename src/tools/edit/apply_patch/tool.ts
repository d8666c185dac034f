/** Defines the tool `apply_patch`: changes to files of the workspace, all of them or none (seed 000 §9). */
import { createKeyedLock, type KeyedLock } from "../../../utils/locks/keyed-lock.ts";
import type { SharedKey } from "../../core/kept-things.ts";
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { APPLY_PATCH_CONTRACT } from "./contract.ts";
import { applyPatch } from "./usecase.ts";

/** Patches of one workspace run one after the other, so that none is planned on files that another one replaces. */
const PATCHES: SharedKey<KeyedLock> = { name: "patches", make: createKeyedLock };

export const applyPatchTool = defineTool({
  ...APPLY_PATCH_CONTRACT,
  title: "Apply a patch",
  effect: "writes",
  hints: { destructive: true, idempotent: false, openWorld: false },
  paths: [{ argument: "cwd", must: "be-directory", absolute: "inside" }],
  notes: [
    "It needs neither git nor a repository. At most 10,000,000 characters a patch and 16 MiB a file.",
    "A hunk that does not fit at its line is looked for elsewhere. It is refused if it fits in several places. Wrong counts in a header do no harm.",
    "Paths may have git's prefixes (`a/`, `b/`) or none. Absolute paths are accepted inside the workspace.",
    "Files in any encoding are patched byte for byte. If the patch has other line ends than the file, those of the file are kept.",
    "Hunks may come in any order, and may not overlap. A unified diff deletes a file that holds exactly what it shows; `*** Delete File` deletes whatever it holds.",
    "Folders that become empty stay, unless a file takes their place. Symbolic links are not made, changed, moved or deleted; lines of a file to which one leads are changed there.",
    "All new content is on the disk before anything is changed. Then everything is moved without a pause. A call that dies before the move changes nothing. A call that dies during it leaves each file whole, old or new.",
  ],
  async run({ patch, dry_run: dryRun }, { context, paths }) {
    const { cwd = context.workspaceRoot } = paths;
    const apply = () => applyPatch({ root: context.workspaceRoot, cwd, patch, dryRun });
    const result = await context.shared.get(PATCHES).run("all", apply);
    return result.match(success, (refusal) => refusal);
  },
});
