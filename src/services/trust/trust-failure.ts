/** Stops a run whose repository now names other programs than those that a person trusted. */
import { hasAgent } from "../../domain/attempt/seen-by-run.ts";
import { type Failure, failure } from "../../domain/run/failure.ts";
import type { Uses } from "../core/context-parts.ts";
import type { RunWorld } from "../run-core/step.ts";
import { untrustedScripts } from "./trust.ts";

/**
 * Asked right before anything of the repository's own is run. With `loosened`, asked before its settings loosen a
 * limit. Its files may have changed since the run was created.
 */
export async function trustFailure(
  context: Uses<"db">,
  world: RunWorld,
  { only }: { readonly only?: "loosened" } = {},
): Promise<Failure | null> {
  const { repository, configuration, attempt, run } = world;
  const agents = hasAgent(run) ? [attempt.agent] : [];
  const untrusted = await untrustedScripts(context, {
    repository,
    configuration,
    agents,
    ...(only === undefined ? {} : { only }),
  });
  if (untrusted === null) return null;
  return failure(
    "setup_failed",
    `What this repository brings along changed since you trusted it: ${untrusted.message}`,
    { details: { ...untrusted.details, cause: "untrusted" } },
  );
}
