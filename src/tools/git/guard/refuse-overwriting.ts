/** Lets a prepared call run only where it writes over nothing that git does not keep. */
import { err, ok, type Result } from "neverthrow";
import { deniedByPolicy, type ToolRefusal } from "../../core/result.ts";
import type { ExecCommandOutput } from "../../exec/exec_command/types.ts";
import type { Asking } from "../overwrite/ask-git.ts";
import { overwriteLoss } from "../overwrite/overwrite-loss.ts";
import type { CallNature } from "../run/call-flaw.ts";
import type { ReadyCall } from "./prepare-call.ts";

/** Null where the call may run; else what git said as the fetch failed by which it begins. */
export async function refuseOverwriting(
  call: Pick<CallNature, "subcommand" | "args" | "allowDestructive">,
  { ready, ...asking }: Omit<Asking, "env"> & { readonly ready: ReadyCall },
): Promise<Result<ExecCommandOutput | null, ToolRefusal>> {
  const { env, repository } = ready;
  if (call.allowDestructive || repository === null) return ok(null);
  const outlook = await overwriteLoss(call, { ...asking, env, repository });
  if (outlook.kind === "clear") return ok(null);
  if (outlook.kind === "stopped") return ok(outlook.fetch);
  const { at, message } = outlook.loss;
  return err(deniedByPolicy("DESTRUCTIVE_BLOCKED", message, { details: { at } }));
}
