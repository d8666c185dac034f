/** Publishes an attempt at a person's word: what is committed, or what the gate kept back and they allow. */
import { err, ok, type Result } from "neverthrow";
import type { Allowance } from "../../domain/publish/allowance.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { runsOfAttempt } from "../../storage/runs.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { refuse } from "../refusal.ts";
import type { Publish, Refusal } from "../services.ts";
import { addRun, openAttempt, settingsOption } from "./add-run.ts";
import { allowanceFor } from "./allowance-for.ts";
import { refuseHeldBack } from "./held-back.ts";

/** The id of the new run. */
export async function publishAttempt(
  context: ServiceContext,
  input: Publish,
  key: string | null,
): Promise<Result<string, Refusal>> {
  const attempt = await openAttempt(context, input.attempt);
  if (attempt.isErr()) return err(attempt.error);
  const runs = await runsOfAttempt(context.db.reader, attempt.value.id);
  const last = lastEnded(runs);
  if (last.isErr()) return err(last.error);
  const allowance = await allowanceFor(context, input, { attempt: attempt.value, runs, last: last.value });
  if (allowance.isErr()) return err(allowance.error);
  const kind = keptFromCommit(last.value) ? "commit" : "publish";
  const refused = kind === "publish" ? refusePush(runs, allowance.value) : null;
  if (refused !== null) return err(refused);
  const add = () =>
    addRun(context, attempt.value, {
      kind,
      instruction: last.value.instruction,
      options: {
        retryOf: origin(last.value),
        ...(allowance.value === null ? {} : { allowance: allowance.value }),
        ...settingsOption({ ...last.value.options.settings, ...input.settings, publish: "push" }),
      },
      offline: last.value.offline,
      releasesHeld: false,
      key,
    });
  if (allowance.value === null) return add();
  return journaled(
    context,
    { kind: "allow", subject: { type: "run", id: last.value.id }, before: { ...allowance.value } },
    add,
    (run) => ({ run }),
  );
}

function lastEnded(runs: readonly Run[]): Result<Run, Refusal> {
  const going = runs.find((run) => !isEnded(run.status) && !run.held);
  const last = runs.findLast((run) => isEnded(run.status));
  if (going === undefined && last !== undefined) return ok(last);
  const id = (going ?? runs[0])?.id.slice(0, 8) ?? "";
  return err(
    refuse("conflict", "run_not_ended", `The run ${id} has not ended yet.`, {
      remedy: "Wait for it with `tazuna wait`, or stop it first.",
    }),
  );
}

/** Its work lies in the worktree, and only what looked at it kept it from being committed. */
function keptFromCommit({ kind, status, commit, failure }: Run): boolean {
  const code = failure?.code;
  if (kind === "publish") return false;
  return status === "FAILED" && commit === null && (code === "gate_rejected" || code === "hook_failed");
}

/** The run whose work it is, over any number of tries to publish it. */
function origin({ id, kind, options }: Run): string {
  return kind === "agent" ? id : (options.retryOf ?? id);
}

function refusePush(runs: readonly Run[], allowance: Allowance | null): Refusal | null {
  if (runs.some((run) => run.commit !== null)) return refuseHeldBack(runs, allowance?.checks);
  return refuse("conflict", "nothing_to_push", "The attempt has no commit to publish.", {
    remedy: "Commit your own edits with `tazuna continue ATTEMPT`, or let the agent work first.",
  });
}
