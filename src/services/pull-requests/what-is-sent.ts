/** Gathers what a pull request of an attempt is made of: its forge, its two branches, the pushed commit, the words. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { wasCleaned } from "../branches/remove-branch.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";
import { attemptWords } from "./attempt-words.ts";
import { type ForgeAt, type ForgeContext, findForge } from "./find-forge.ts";
import { pushedCommit } from "./pushed-commit.ts";

interface WhatIsSent {
  readonly at: ForgeAt;
  readonly base: string;
  /** The commit of the attempt that the remote has. */
  readonly commit: string;
  /** The words as Tazuna writes them now. */
  readonly now: { readonly title: string; readonly body: string };
}

/** Refused if there can be none. The forge is not asked. */
export async function whatIsSent(
  context: ForgeContext & Uses<"db" | "tokens">,
  place: AttemptPlace,
): Promise<Result<WhatIsSent, Refusal>> {
  return safeTry(async function* () {
    const { attempt } = place;
    const gone = await refuseGone(context, place);
    if (gone !== null) return err(gone);
    const base = attempt.base.branch;
    if (base === null) return err(noBase(attempt.id));
    const at = yield* await findForge(context, place);
    const commit = yield* await pushedCommit(context, place);
    const now = await attemptWords(context, place, { commit, kind: at.place.kind });
    return ok({ at, base, commit, now });
  });
}

/** A cancelled attempt is over. One that was only cleaned up has its branch and may have a pull request. */
async function refuseGone(context: Uses<"db">, { attempt }: AttemptPlace): Promise<Refusal | null> {
  if (attempt.state === "open" || (await wasCleaned(context, attempt))) return null;
  const id = shortId(attempt.id);
  return refuse("conflict", "attempt_canceled", `The attempt ${id} was cancelled.`, {
    remedy: `\`tazuna trash restore ${id}\` brings it back; then \`tazuna pr ${id}\` again.`,
    details: { attempt: attempt.id },
  });
}

function noBase(id: string): Refusal {
  return refuse("conflict", "base_not_a_branch", "The attempt began at a commit or a tag, not at a branch.", {
    remedy: `A pull request needs a branch to go to: start the task with \`--base BRANCH\`. \`tazuna show ${shortId(id)}\` names the base.`,
  });
}
