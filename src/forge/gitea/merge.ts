/** Merges a pull request on Gitea, once. */
import type { MergeOptions } from "../forge.ts";
import { ForgeFailure, failureIn } from "../http/forge-failure.ts";
import type { GiteaClient } from "./gitea-client.ts";
import { readPull } from "./pulls.ts";

export async function mergePull(
  client: GiteaClient,
  number: number,
  { sha, squash, title }: MergeOptions,
): Promise<{ readonly commit: string | null }> {
  try {
    await client.send("POST", `${client.place}/pulls/${number}/merge`, {
      Do: squash ? "squash" : "merge",
      head_commit_id: sha,
      // Else the repository's own setting would let the branch go with the merge.
      delete_branch_after_merge: false,
      ...(title === null ? {} : { MergeTitleField: title }),
    });
  } catch (thrown) {
    const failure = failureIn(thrown);
    if (failure === null || !(failure.isOpen || [405, 409].includes(failure.error.status ?? 0))) throw thrown;
    const now = await readPull(client, number).catch(() => null);
    if (now?.state === "merged" && now.head.sha === sha) return { commit: now.mergeCommit };
    // Gitea says 405 while it still looks for conflicts; the same request may pass a moment later.
    const transient = failure.error.transient || /try again later/i.test(failure.words);
    throw new ForgeFailure({ ...failure.error, transient }, { words: failure.words });
  }
  // The answer is empty. That it was merged stays true if nothing more can be read.
  return { commit: (await readPull(client, number).catch(() => null))?.mergeCommit ?? null };
}
