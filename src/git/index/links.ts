/** Lists the symbolic links of a tree. */
import type { GitAnswer } from "../process/git-error.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

interface TreeLink {
  readonly path: string;
  /** The blob that holds the target. */
  readonly sha: string;
}

/** In the tree's order. A tree never changes, even if the index is written at the same time. */
export async function listLinks(git: Git, target: GitTarget, tree: string): GitAnswer<readonly TreeLink[]> {
  const keep = (field: string) => field.startsWith("120000 ");
  const listed = await listFields(git, target, ["ls-tree", "-r", "-z", "--full-tree", tree], { keep });
  return listed.map((fields) =>
    fields.flatMap((field) => {
      const [, sha, path] = /^120000 blob ([0-9a-f]+)\t([\s\S]*)$/.exec(field) ?? [];
      return sha === undefined || path === undefined ? [] : [{ sha, path }];
    }),
  );
}
