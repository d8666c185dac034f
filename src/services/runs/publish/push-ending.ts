/** Turns the end of a push into a result: the step, and the notes about what happened on the way. */
import type { RunNote } from "../../../domain/run/run.ts";
import type { PushFailure } from "../../../git/remote/push.ts";
import type { Remote } from "../../../git/remote/remote.ts";
import { causeOf } from "../../run-core/git-failure.ts";
import { failed, note, type RunWorld, type Step } from "../../run-core/step.ts";

/** Merges after which a push is tried again (seed 003 Push with retry). */
export const MAX_RETRIES = 2;

/** The run's success: the remote has this commit. */
export function pushed(sha: string, notes: Step["notes"]): Step {
  return {
    event: "finish",
    run: { outcome: "pushed", commit: sha },
    ...(notes === undefined ? {} : { notes }),
  };
}

export function pushFailed(error: PushFailure): Step {
  const details = error.at === undefined ? {} : { url: error.at.url, arrived: error.at.arrived };
  const message = atAddress(error, error.kind === "remote_rejected" ? error.reason : error.message);
  switch (error.kind) {
    case "remote_auth":
      return failed("push_auth", message, { details: { ...details, cause: causeOf(error) } });
    case "remote_unreachable":
      return failed("remote_unreachable", message, { details: { ...details, cause: causeOf(error) } });
    case "remote_rejected":
      return failed("push_rejected", message, { details: { remote: error.remoteSaid, ...details } });
    case "behind":
      return failed("push_rejected", message, { details });
  }
}

/** If there are several addresses, names the one that failed and how many have the commit. */
function atAddress({ kind, at }: PushFailure, message: string): string {
  const refused = kind === "remote_rejected" ? "refused the push: " : "";
  if (at === undefined) return refused === "" ? message : `The remote ${refused}${message}`;
  const others = at.arrived.length === 0 ? "" : ` (${at.arrived.join(", ")} took it)`;
  return `${at.url} ${refused || "did not get the push: "}${message}${others}`;
}

export function mergedNote({ attempt }: RunWorld, remote: Remote, sha: string): RunNote {
  const from = `${remote.name}/${attempt.branch}`;
  const message = `Others had pushed to ${from}: it was merged (${sha.slice(0, 8)}) before the push was tried again.`;
  return note("remote_merged", message, { from, commit: sha });
}

export function keptMoving(): Step {
  return failed(
    "push_rejected",
    `The remote branch kept moving: after ${MAX_RETRIES} merges the push was still refused.`,
  );
}

/** Despite the failure, the remote has the right commit. */
export function notHeld(sha: string, { failure }: Step): RunNote {
  const message = `The branch may be elsewhere than at ${sha.slice(0, 8)}, which was pushed: ${failure?.message ?? ""}`;
  return note("branch_unproved", message, { sha });
}
