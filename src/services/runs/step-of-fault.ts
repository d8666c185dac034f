/** Says what an error that was thrown out of a step means for its run. */
import type { RunState } from "../../domain/run/state.ts";
import { StorageFailure, storageErrorOf } from "../../storage/schema/storage-error.ts";
import { EngineStopping } from "../core/context.ts";
import type { Uses } from "../core/context-parts.ts";
import { failed, type RunWorld, type Step } from "../run-core/step.ts";

/**
 * `left` if the engine stops meanwhile. A fault of ours becomes a failure of the run, and is written to the engine's
 * log. Throws the error again if its failure could not be stored either: the step is taken again later.
 */
export function stepOfFault(context: Uses<"reportFault">, { run }: RunWorld, error: unknown): Step | "left" {
  if (error instanceof EngineStopping) return "left";
  if (isOutOfReach(error, run)) throw error;
  if (isDiskFull(error)) return failed("disk_full", "The disk is full.");
  context.reportFault(`run ${run.id} in ${run.status}/${run.phase ?? ""}`, error);
  const message = error instanceof Error ? error.message : String(error);
  return failed("internal", `Something unforeseen went wrong: ${message}`);
}

/**
 * Another program holds the database, or it does not answer: the run did nothing wrong. A full disk is also no reason
 * to stop a working agent. Its keeper holds it, and its result is stored once there is room.
 */
function isOutOfReach(error: unknown, { phase }: RunState): boolean {
  const code = storageErrorOf(error)?.code;
  if (!(error instanceof StorageFailure)) return false;
  return (
    code === "database_locked" ||
    code === "database_unreachable" ||
    (code === "disk_full" && phase === "agent")
  );
}

function isDiskFull(error: unknown): boolean {
  if (storageErrorOf(error)?.code === "disk_full") return true;
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
