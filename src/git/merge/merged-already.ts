/** Proves that a branch holds what a commit changed: by its history, by its content, or by equal patches. */
import { ok, safeTry } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { readCommit } from "../refs/read-commit.ts";
import { commonCommit, isAncestor } from "../refs/rev-list.ts";
import { TAZUNA } from "../repository/identity.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { commitTree } from "./commit-tree.ts";
import { mergeCommits } from "./merge-commits.ts";

interface MergedAlready {
  /** The commit of the branch that brought it in; the branch's own tip if that cannot be told. */
  readonly commit: string;
  /** Where the branch was before; null if that cannot be told. */
  readonly before: string | null;
}

interface Question {
  /** The tip of the branch. */
  readonly target: string;
  /** The commit that may be merged. */
  readonly tip: string;
  /** The commit that the work began from. */
  readonly base: string;
}

/** Null if nothing proves it. */
export async function mergedAlready(
  git: Git,
  place: GitTarget,
  question: Question,
): GitAnswer<MergedAlready | null> {
  return safeTry(async function* () {
    const { target, tip, base } = question;
    if (yield* await isAncestor(git, place, { ancestor: tip, descendant: target }))
      return byHistory(git, place, question);
    // A branch without the base may lack what the commit takes back.
    if (!(yield* await isAncestor(git, place, { ancestor: base, descendant: target }))) return ok(null);
    const common = yield* await commonCommit(git, place, { one: target, other: tip });
    if (common === null) return ok(null);
    const squashed = yield* await asOneCommit(git, place, { tip, common });
    const equal =
      (yield* await equalPatches(git, place, { target, tip: squashed, common })) ??
      (yield* await equalPatches(git, place, { target, tip, common }));
    if (equal !== null) return ok(equal);
    // A commit that changes nothing would seem to be everywhere.
    const changes = (yield* await treeOf(git, place, tip)) !== (yield* await treeOf(git, place, base));
    const merged = await mergeCommits(git, place, { ours: target, theirs: tip });
    const isThere = changes && merged.isOk() && merged.value === (yield* await treeOf(git, place, target));
    return ok(isThere ? { commit: target, before: null } : null);
  });
}

/** The first commit on the main line of the branch that has it. */
async function byHistory(
  git: Git,
  place: GitTarget,
  { target, tip, base }: Question,
): GitAnswer<MergedAlready | null> {
  const args = [
    "rev-list",
    "--first-parent",
    "--ancestry-path",
    "--parents",
    "--reverse",
    `${tip}..${target}`,
    "--",
  ];
  const listed = await git.run(place, args);
  return listed.map(({ stdout }) => {
    const [first = ""] = stdout.split("\n");
    const [commit = tip, before = tip] = first === "" ? [] : first.split(" ");
    return before === tip ? { commit: tip, before: base } : { commit, before };
  });
}

/** Everything up to the tip as one commit, which nothing refers to. */
function asOneCommit(
  git: Git,
  place: GitTarget,
  { tip, common }: { readonly tip: string; readonly common: string },
): GitAnswer<string> {
  const identity = { source: "fallback", author: TAZUNA, committer: TAZUNA } as const;
  const commit = { parents: [common], message: "", identity, sign: false, date: "@0 +0000" };
  return commitTree(git, place, { tree: `${tip}^{tree}`, ...commit });
}

/** The commits of the branch with the same patches as those of the tip; null if one has no equal there. */
async function equalPatches(
  git: Git,
  place: GitTarget,
  { target, tip, common }: { readonly target: string; readonly tip: string; readonly common: string },
): GitAnswer<MergedAlready | null> {
  return safeTry(async function* () {
    const marked = yield* await git.run(
      place,
      [
        "rev-list",
        "--cherry-mark",
        "--left-right",
        "--no-merges",
        "--topo-order",
        `${target}...${tip}`,
        "--",
      ],
      { access: "objects" },
    );
    const lines = marked.stdout.split("\n").filter((line) => line !== "");
    if (lines.some((line) => line.startsWith(">"))) return ok(null);
    const own = yield* await git.run(place, ["rev-list", `${common}..${tip}`, "--"]);
    const ownCommits = new Set(own.stdout.split("\n"));
    const theirs = lines.flatMap((line) =>
      line.startsWith("=") && !ownCommits.has(line.slice(1)) ? [line.slice(1)] : [],
    );
    const [newest, oldest] = [theirs[0], theirs.at(-1)];
    if (newest === undefined || oldest === undefined) return ok(null);
    const [before = null] = (yield* await readCommit(git, place, oldest))?.parents ?? [];
    const between =
      before === null
        ? null
        : yield* await git.run(place, ["rev-list", "--count", `${before}..${newest}`, "--"]);
    // Commits of others in between would be taken back with them.
    return ok({ commit: newest, before: Number(between?.stdout) === theirs.length ? before : null });
  });
}

async function treeOf(git: Git, place: GitTarget, revision: string): GitAnswer<string | null> {
  return (await readCommit(git, place, revision)).map((commit) => commit?.tree ?? null);
}
