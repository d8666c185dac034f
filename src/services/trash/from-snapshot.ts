/** Says how to go on with an attempt that cannot come back: a new one begins at its snapshot. */
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { readRef } from "../../git/refs/refs.ts";
import type { ServiceContext } from "../core/context.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import type { TrashedWorktree } from "./trash-entries.ts";

interface TrashedAttempt {
  readonly attempt: Attempt;
  readonly repository: Repository;
  /** Null if it was never put into the trash. */
  readonly entry: TrashedWorktree | null;
}

/** Without a valid snapshot, the new attempt begins at the base. */
export async function fromSnapshot(
  context: Pick<ServiceContext, "git">,
  { attempt, repository, entry }: TrashedAttempt,
): Promise<string> {
  const to = `--repo ${shellWord(repository.path)} --agent ${shellWord(attempt.agent)}`;
  const ref = entry?.snapshot ?? null;
  const there =
    ref === null ? null : await readRef(context.git, repositoryTarget(repository), `${ref}^{commit}`);
  if (ref === null || there === null || there.unwrapOr(null) === null)
    return `\`tazuna run "..." ${to}\` begins a new attempt.`;
  return `\`tazuna run "..." ${to} --base ${shellWord(ref)}\` begins a new attempt with its last files. Ignored ones, as far as they were kept, are in \`ignored/${entry?.id}\` of the data folder.`;
}
