/** Stops a run whose repository would make us run something else by now than what a person trusted. */
import { type Failure, failure } from "../../domain/run/failure.ts";
import type { ServiceContext } from "../context.ts";
import type { RunWorld } from "../runs/step.ts";
import { untrustedScripts } from "./trust.ts";

/** Asked right before anything of the repository's own is run: its files may have changed since the run was created. */
export async function trustFailure(context: ServiceContext, world: RunWorld): Promise<Failure | null> {
  const { repository, configuration, attempt, run } = world;
  const agents = run.kind === "agent" ? [attempt.agent] : [];
  const untrusted = await untrustedScripts(context, { repository, configuration, agents });
  if (untrusted === null) return null;
  return failure(
    "setup_failed",
    `The scripts of this repository changed since you trusted them: ${untrusted.message}`,
    {
      remedy:
        "Read and trust them with `tazuna trust`, then `tazuna retry RUN`. The files are kept in the worktree.",
      details: untrusted.details,
    },
  );
}
