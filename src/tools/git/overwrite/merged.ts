/** Compares what a merge brings with the common ancestors of both sides. */
import { join } from "node:path";
import {
  type Asked,
  type AskGit,
  type Comparisons,
  commitsOf,
  type IncomingOf,
  linesOf,
  textOf,
} from "./ask-git.ts";
import { rebaseComparisons } from "./replayed.ts";

/** Compares with the common ancestors, or with an empty tree if there are none. */
export async function mergeComparisons(
  heads: readonly string[],
  { ask, gitDir }: Asked,
): Promise<Comparisons> {
  const names = (heads.length === 0 ? ["@{upstream}"] : heads).flatMap((head) =>
    head === "FETCH_HEAD" ? fetchedHeads(gitDir) : [head],
  );
  const found = await commitsOf(ask, ["HEAD", ...names]);
  if (found === null) return null;
  const [current = null, ...others] = found;
  const lines: string[] = [];
  for (const other of others) {
    if (other === null) continue;
    const bases = current === null ? [] : await linesOf(ask, ["merge-base", "--all", current, other]);
    const line = bases === null || bases.length === 0 ? await whole(ask, other) : [other, ...bases].join(" ");
    if (line === null) return null;
    lines.push(line);
  }
  return lines;
}

/** The commits that `git pull` and `git merge FETCH_HEAD` merge. */
function fetchedHeads(gitDir: string): readonly string[] {
  const lines = textOf(join(gitDir, "FETCH_HEAD")).split("\n");
  return lines.flatMap((line) => /^([0-9a-f]{40,})\t\t/.exec(line)?.[1] ?? []);
}

/** Compares with the empty tree, which git knows even if it is not stored. */
async function whole(ask: AskGit, commit: string): Promise<string | null> {
  const said = await ask(["rev-parse", "--verify", "--quiet", `${commit}^{tree}`]);
  if (said.kind !== "said") return null;
  const empty = await ask(["hash-object", "-t", "tree", "--stdin"], "");
  return empty.kind === "said" ? `${empty.text.trim()} ${said.text.trim()}` : null;
}

/** To be called after the fetch. If the pull rebases, our own commits are replayed on the fetched ones. */
export async function pullComparisons({ rebases }: IncomingOf<"pull">, asked: Asked): Promise<Comparisons> {
  const heads = fetchedHeads(asked.gitDir);
  const merged = await mergeComparisons(["FETCH_HEAD"], asked);
  const may = rebases ?? (await mayRebase(asked.ask));
  if (merged === null || may === null) return null;
  if (!may) return merged;
  const lines = [...merged];
  for (const upstream of heads) {
    const replayed = await rebaseComparisons(
      { kind: "rebase", upstream, onto: null, branch: "HEAD", from: "upstream" },
      asked,
    );
    if (replayed === null) return null;
    lines.push(...replayed);
  }
  return lines;
}

async function mayRebase(ask: AskGit): Promise<boolean | null> {
  const lines = await linesOf(ask, ["config", "--get-regexp", "^(pull|branch\\..*)\\.rebase$"]);
  return lines === null ? null : lines.some((line) => !/ (false|no|off|0)$/i.test(line));
}
