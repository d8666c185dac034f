/** Checks whether an attempt may be pushed under another branch name than the one it has. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { pullRequestOf } from "../../storage/tables/pull-requests.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";

/** Refuses a branch that the person named, uncommitted work, and the branch of an open pull request. */
export async function mayTakeAnotherName(
  { db }: Uses<"db">,
  { attempt, kind }: { readonly attempt: Attempt; readonly kind: "commit" | "publish" },
): Promise<Result<void, Refusal>> {
  const { branch, branchExisted } = attempt;
  if (kind === "commit")
    return err(conflict(attempt, "Its work is not committed yet.", "`{publish}` commits it first."));
  if (branchExisted)
    return err(
      conflict(
        attempt,
        `You named its branch, ${branch}.`,
        `\`git branch ${shellWord(`${branch}-mine`)} ${shellWord(branch)}\` keeps its commits under another name.`,
      ),
    );
  const pull = await pullRequestOf(db.reader, attempt.id);
  if (pull?.state !== "open") return ok(undefined);
  const message = `The pull request #${pull.number} is about its branch, ${branch}.`;
  return err(conflict(attempt, message, "Close it on the forge first; then `{publish} --another-branch`."));
}

function conflict({ id }: Attempt, why: string, remedy: string): Refusal {
  return refuse("bad_request", "options_conflict", `It cannot go under another branch name: ${why}`, {
    remedy: remedy.replaceAll("{publish}", `tazuna publish ${shortId(id)}`),
    details: { attempt: id },
  });
}
