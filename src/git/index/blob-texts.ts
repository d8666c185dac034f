/** Reads blobs as text, those that are not too long. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { blobSizes, visitBlobs } from "./read-blobs.ts";

/** By id. A blob that the repository lacks, that is binary, or that has more bytes is left out. */
export async function blobTexts(
  git: Git,
  target: GitTarget,
  { shas, maxBytes }: { readonly shas: readonly string[]; readonly maxBytes: number },
): GitAnswer<ReadonlyMap<string, string>> {
  const sizes = await blobSizes(git, target, shas);
  if (sizes.isErr()) return err(sizes.error);
  const wanted = [...sizes.value].flatMap(([sha, size]) => (size <= maxBytes ? [{ sha, size }] : []));
  const texts = new Map<string, string>();
  const visited = await visitBlobs(git, target, wanted, async ({ sha }, bytes) => {
    if (!bytes.subarray(0, LOOKED_AT).includes(0)) texts.set(sha, new TextDecoder().decode(bytes));
    return true;
  });
  return visited.andThen(() => ok(texts));
}

/** Git looks for a NUL in this many bytes. */
const LOOKED_AT = 8000;
