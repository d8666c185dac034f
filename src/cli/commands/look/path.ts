/** Prints the folder of an attempt's worktree. */
import { err, ok } from "neverthrow";
import { isOpen } from "../../../contract/words/attempt-standing.ts";
import type { CliError } from "../../shared/cli-options.ts";
import { argument, defineCommand } from "../../shared/command.ts";
import { createEngine } from "../../shared/engine.ts";
import { resolveAttempt, shortId } from "../../shared/resolve-id.ts";

export const pathCommand = defineCommand({
  brief: "Print the folder of an attempt's worktree",
  args: [argument("ATTEMPT", "The attempt")],
  async act(scope, _flags, id) {
    const found = await resolveAttempt(createEngine(scope, { foreground: false }), id);
    if (found.isErr()) return err(found.error);
    const { id: attempt, state, worktree } = found.value.attempt;
    if (!isOpen({ state })) return err(gone(attempt));
    return ok({ exit: 0, document: { path: worktree }, text: `${worktree}\n` });
  },
});

function gone(attempt: string): CliError {
  return {
    exit: 1,
    code: "worktree_removed",
    message: `The worktree of the attempt ${shortId(attempt)} is in the trash.`,
    remedy: `\`tazuna trash restore ${shortId(attempt)}\` brings it back, \`tazuna diff ${shortId(attempt)}\` shows what it changed.`,
    details: { attempt },
  };
}
