/** Reports once per attempt that the repository has commit hooks without a person's decision. */
import type { RunNote } from "../../../domain/run/run.ts";
import { findHooks } from "../../../git/repository/hooks.ts";
import type { Uses } from "../../core/context-parts.ts";
import { note, type RunWorld } from "../../run-core/step.ts";
import { worktreeTarget } from "../../run-core/targets.ts";

/** Empty if there is nothing to decide. Asked while the agent works, so that nothing waits for it. */
export async function unaskedHooks(context: Uses<"git">, world: RunWorld): Promise<readonly RunNote[]> {
  if (world.run.number > 1 || world.configuration.sources.has("hooks")) return [];
  const found = await findHooks(context.git, worktreeTarget(world.attempt));
  const names = found.map(({ hooks }) => hooks.map(({ name }) => name)).unwrapOr([]);
  if (names.length === 0) return [];
  const message = `This repository has hooks (${names.join(", ")}) that were not run. Set \`hooks\` to \`run\` or \`off\` in the configuration.`;
  return [note("hooks_not_run", message, { hooks: names })];
}
