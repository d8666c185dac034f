/** Explains how to go on with an attempt that cannot come back: a new one begins at its snapshot. */
import { NO_AGENT } from "../../domain/attempt/attempt.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { readRef } from "../../git/refs/refs.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import type { TrashedWorktree } from "./trash-entries.ts";

/** Without a valid snapshot, the new attempt begins at the base. `entry` is null if it was never in the trash. */
export async function fromSnapshot(
  context: Uses<"git">,
  { attempt, repository, entry }: AttemptInRepository & { readonly entry: TrashedWorktree | null },
): Promise<string> {
  const by = attempt.executor === NO_AGENT ? "" : ` --agent ${shellWord(attempt.agent)}`;
  const to = `--repo ${shellWord(repository.path)}${by}`;
  const ref = entry?.snapshot ?? null;
  const there =
    ref === null ? null : await readRef(context.git, repositoryTarget(repository), `${ref}^{commit}`);
  if (ref === null || there === null || there.unwrapOr(null) === null)
    return `\`tazuna run "..." ${to}\` begins a new attempt.`;
  return `\`tazuna run "..." ${to} --base ${shellWord(ref)}\` begins a new attempt with its last files. Ignored ones, as far as they were kept, are in \`ignored/${entry?.id}\` of the data folder.`;
}
