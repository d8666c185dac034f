/** Lets a prepared call run only if it overwrites nothing that git does not keep. */
import { err, ok, type Result } from "neverthrow";
import { deniedByPolicy, type ToolRefusal } from "../../core/result.ts";
import type { ExecCommandOutput } from "../../exec/exec_command/types.ts";
import type { Asking } from "../overwrite/ask-git.ts";
import { overwriteLoss } from "../overwrite/overwrite-loss.ts";
import { rejectLoss } from "../overwrite/reject-loss.ts";
import type { CallNature } from "../repository/call-flaw.ts";
import type { RepositoryFlaw } from "../repository/find-repository.ts";
import type { ReadyCall } from "./prepare-call.ts";

/** Null if the call may run. If its first step, a fetch, failed: git's answer to that fetch. */
export async function refuseOverwriting(
  call: Pick<CallNature, "subcommand" | "args" | "allowDestructive">,
  {
    ready,
    stdin = null,
    ...asking
  }: Omit<Asking, "env"> & { readonly ready: ReadyCall; readonly stdin?: string | null },
): Promise<Result<ExecCommandOutput | null, ToolRefusal>> {
  const { env, repository } = ready;
  if (call.allowDestructive) return ok(null);
  const { gitDir = null, topLevel = null } = repository ?? {};
  const rejects = await rejectLoss(call, { ...asking, env, gitDir, topLevel, stdin });
  if (rejects !== null) return err(losing(rejects));
  if (repository === null) return ok(null);
  const outlook = await overwriteLoss(call, { ...asking, env, repository });
  if (outlook.kind === "clear") return ok(null);
  if (outlook.kind === "stopped") return ok(outlook.fetch);
  return err(losing(outlook.loss));
}

function losing({ at, message }: RepositoryFlaw): ToolRefusal {
  return deniedByPolicy("DESTRUCTIVE_BLOCKED", message, { details: { at } });
}
