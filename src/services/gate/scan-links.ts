/** Finds the staged symbolic links that lead out of the tree. */
import { err, ok, type Result } from "neverthrow";
import type { GateFinding } from "../../domain/publish/gate-finding.ts";
import { linksOutside } from "../../domain/publish/links.ts";
import { pathFinding } from "../../domain/publish/staged-rules.ts";
import { listLinks } from "../../git/index/links.ts";
import { blobSizes, visitBlobs } from "../../git/index/read-blobs.ts";
import type { GitError } from "../../git/process/git-error.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";

/** In bytes; more than any system's longest path. */
const MAX_TARGET_LENGTH = 64 * 1024;

/** `changed` are the links of this change; they may lead through the tree's other links. */
export async function scanLinks(
  git: Git,
  target: GitTarget,
  { tree, changed }: { readonly tree: string; readonly changed: readonly string[] },
): Promise<Result<readonly GateFinding[], GitError>> {
  if (changed.length === 0) return ok([]);
  const links = await listLinks(git, target, tree);
  if (links.isErr()) return err(links.error);
  const shas = links.value.map(({ sha }) => sha);
  const targets = await targetsOf(git, target, shas);
  if (targets.isErr()) return err(targets.error);
  const known = new Map(
    links.value.flatMap(({ path, sha }) => {
      const text = targets.value.get(sha);
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
  // A target that no system could follow is not read, and counts as outside.
  const unread = changed.filter((path) => !known.has(path));
  const read = changed.filter((path) => known.has(path));
  return ok([...linksOutside(known, read), ...unread].map((path) => pathFinding("symlink_outside", path)));
}

async function targetsOf(
  git: Git,
  target: GitTarget,
  shas: readonly string[],
): Promise<Result<ReadonlyMap<string, string>, GitError>> {
  const sizes = await blobSizes(git, target, shas);
  if (sizes.isErr()) return err(sizes.error);
  const short = [...sizes.value].flatMap(([sha, size]) => (size <= MAX_TARGET_LENGTH ? [{ sha, size }] : []));
  const targets = new Map<string, string>();
  const read = await visitBlobs(git, target, short, async ({ sha }, bytes) => {
    targets.set(sha, new TextDecoder().decode(bytes));
    return true;
  });
  return read.map(() => targets);
}
