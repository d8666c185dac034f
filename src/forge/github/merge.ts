/** Merges a pull request on GitHub, once. */
import { z } from "zod";
import type { MergeOptions } from "../forge.ts";
import { ForgeFailure, failureIn } from "../http/forge-failure.ts";
import { readShape } from "../http/read-shape.ts";
import type { GitHubClient } from "./github-client.ts";
import { readPull } from "./pulls.ts";

export async function mergePull(
  client: GitHubClient,
  number: number,
  { sha, squash, title }: MergeOptions,
): Promise<{ readonly commit: string | null }> {
  try {
    const { data } = await client.rest.pulls.merge({
      ...client.repository,
      pull_number: number,
      sha,
      merge_method: squash ? "squash" : "merge",
      ...(title === null ? {} : { commit_title: title }),
    });
    return { commit: readShape(z.object({ sha: z.string() }), data, "a merge").sha };
  } catch (thrown) {
    const failure = failureIn(thrown);
    if (failure === null || !(failure.isOpen || [405, 409].includes(failure.error.status ?? 0))) throw thrown;
    const now = await readPull(client, number).catch(() => null);
    if (now?.state === "merged" && now.head.sha === sha) return { commit: now.mergeCommit };
    // GitHub says 405 while the base moves under the merge; the same request may pass a moment later.
    const transient = failure.error.transient || /base branch was modified/i.test(failure.words);
    throw new ForgeFailure({ ...failure.error, transient }, { words: failure.words });
  }
}
