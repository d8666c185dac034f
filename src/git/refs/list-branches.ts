/** Lists what a task can begin from: local branches, those of remotes, and tags, the newest first. */
import { isoOfSeconds } from "../../utils/time/iso-of-seconds.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

interface ListedBranch {
  /** As a person names it as a base, such as `main` or `origin/main`. */
  readonly name: string;
  readonly remote: boolean;
  readonly tag: boolean;
  /** Of the commit. */
  readonly sha: string;
  /** When its newest commit, or the tag, was made, UTC ISO. */
  readonly at: string;
}

/** At most `limit`, of those whose name contains the words of `query`, in any case. */
export async function listBranches(
  git: Git,
  target: GitTarget,
  { query, limit }: { readonly query: string; readonly limit: number },
): GitAnswer<readonly ListedBranch[]> {
  const wanted = query.toLowerCase();
  const listed = await listFields(
    git,
    target,
    ["for-each-ref", "--sort=-creatordate", `--format=${FORMAT}`, "refs/heads", "refs/remotes", "refs/tags"],
    { keep: (field) => branchOf(field)?.name.toLowerCase().includes(wanted) ?? false },
  );
  return listed.map((fields) => fields.slice(0, limit).flatMap((field) => branchOf(field) ?? []));
}

/** No part of it holds a space. */
const FORMAT =
  "%(objectname) %(objecttype) %(*objectname) %(*objecttype) %(refname) %(symref) %(creatordate:unix)%00";

/** Null for the HEAD of a remote: it is another branch's name. Null for a tag of something else than a commit, too. */
function branchOf(field: string): ListedBranch | null {
  const [own = "", type = "", tagged = "", taggedType = "", ref = "", symref = "", seconds = ""] = field
    .trimStart()
    .split(" ");
  if (symref !== "" || (taggedType || type) !== "commit") return null;
  const name = ref.replace(/^refs\/(?:heads|remotes|tags)\//, "");
  return {
    name,
    remote: ref.startsWith("refs/remotes/"),
    tag: ref.startsWith("refs/tags/"),
    sha: tagged || own,
    at: isoOfSeconds(seconds),
  };
}
