/** Ends a merge of the remote's work: with the commit to push, or taken back where the gate or git says no. */
import { err, ok, type Result } from "neverthrow";
import type { Remote } from "../../git/remote.ts";
import type { ServiceContext } from "../context.ts";
import { holdBranch } from "./hold-branch.ts";
import { proveMerge } from "./prove-merge.ts";
import { note, type RunWorld, type Step } from "./step.ts";

/**
 * `from` is the commit of ours that the gate has read; where nothing was merged, it is the one to push. What was not judged
 * stays on no branch, where the next push would take it along. Null where the branch is at anything else.
 */
export async function settleMerge(
  context: ServiceContext,
  world: RunWorld,
  of: { readonly remote: Remote; readonly from: string },
): Promise<Result<string | null, Step>> {
  context.failpoint("before:merge_proof");
  const proved = await proveMerge(context, world, of);
  if (proved.isOk()) return ok(proved.value);
  const held = await holdBranch(context, world, { sha: of.from, files: "go_back" });
  if (held.isOk()) return err(proved.error);
  const { notes = [] } = proved.error;
  const message = `The merge was not taken back: ${held.error.failure?.message ?? ""}`;
  return err({ ...proved.error, notes: [...notes, note("branch_unproved", message, { sha: of.from })] });
}
