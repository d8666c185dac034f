/** Ends a merge of the remote's work: with the commit to push, or taken back if the gate or git says no. */
import { err, ok, type Result } from "neverthrow";
import type { Remote } from "../../../git/remote/remote.ts";
import type { ServiceContext } from "../../core/context.ts";
import type { GitContext } from "../../core/context-parts.ts";
import { note, type RunWorld, type Step } from "../../run-core/step.ts";
import { holdBranch } from "./hold-branch.ts";
import { proveMerge } from "./prove-merge.ts";

/**
 * `from` is our commit that the gate has read; if nothing was merged, it is the one to push. A commit that was not
 * judged stays on no branch: the next push would take it along. Null if the branch is at any other commit.
 */
export async function settleMerge(
  context: GitContext & Pick<ServiceContext, "locks">,
  world: RunWorld,
  source: { readonly remote: Remote; readonly from: string },
): Promise<Result<string | null, Step>> {
  context.failpoint("before:merge_proof");
  const proved = await proveMerge(context, world, source);
  if (proved.isOk()) return ok(proved.value);
  const held = await holdBranch(context, world, { sha: source.from, files: "go_back" });
  if (held.isOk()) return err(proved.error);
  const { notes = [] } = proved.error;
  const message = `The merge was not taken back: ${held.error.failure?.message ?? ""}`;
  return err({ ...proved.error, notes: [...notes, note("branch_unproved", message, { sha: source.from })] });
}
