/** Prints the folder of an attempt's worktree. */
import { err, ok } from "neverthrow";
import { isOpen } from "../../../contract/words/attempt-standing.ts";
import { failed } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import { argument, defineCommand } from "../../shared/command.ts";
import { resolveAttempt, shortId } from "../../shared/resolve-id.ts";

export const pathCommand = defineCommand({
  brief: "Print the folder of an attempt's worktree",
  args: [argument("ATTEMPT", "The attempt")],
  async *act({ engine }, _flags, given) {
    const { id, state, worktree } = (yield* await resolveAttempt(engine, given)).attempt;
    if (!isOpen({ state })) return err(gone(id));
    return ok({ document: { path: worktree }, text: `${worktree}\n` });
  },
});

function gone(attempt: string): CliError {
  return failed({
    code: "worktree_removed",
    message: `The worktree of the attempt ${shortId(attempt)} is in the trash.`,
    remedy: `\`tazuna trash restore ${shortId(attempt)}\` brings it back, \`tazuna diff ${shortId(attempt)}\` shows what it changed.`,
    details: { attempt },
  });
}
