/** Says once per attempt that the repository has commit hooks which nobody has decided about. */

import type { RunNote } from "../../domain/run/run.ts";
import { findHooks } from "../../git/hooks.ts";
import type { ServiceContext } from "../context.ts";
import { worktreeTarget } from "../worktrees/targets.ts";
import { note, type RunWorld } from "./step.ts";

/** Empty where there is nothing to decide. Asked while the agent works, when nobody waits for it. */
export async function unaskedHooks(context: ServiceContext, world: RunWorld): Promise<readonly RunNote[]> {
  if (world.run.number > 1 || world.configuration.sources.has("hooks")) return [];
  const found = await findHooks(context.git, worktreeTarget(world.attempt));
  const names = found.map(({ hooks }) => hooks.map(({ name }) => name)).unwrapOr([]);
  if (names.length === 0) return [];
  const message = `This repository has hooks (${names.join(", ")}) that were not run. Set \`hooks\` to \`run\` or \`off\` in the configuration.`;
  return [note("hooks_not_run", message, { hooks: names })];
}
