/** Compares what a merge brings with what both sides had before. */
import { join } from "node:path";
import { type AskGit, commitsOf, linesOf } from "./ask-git.ts";
import type { Asked, Comparisons, Of } from "./asked.ts";
import { textOf } from "./files-of-git.ts";
import { rebaseComparisons } from "./replayed.ts";

/** Against what both sides had before; all of it where they had nothing. */
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

/** As `git pull` and `git merge FETCH_HEAD` take them. */
function fetchedHeads(gitDir: string): readonly string[] {
  const lines = textOf(join(gitDir, "FETCH_HEAD")).split("\n");
  return lines.flatMap((line) => /^([0-9a-f]{40,})\t\t/.exec(line)?.[1] ?? []);
}

/** Compared with a tree in which nothing is; git knows it without having it. */
async function whole(ask: AskGit, commit: string): Promise<string | null> {
  const said = await ask(["rev-parse", "--verify", "--quiet", `${commit}^{tree}`]);
  if (said.kind !== "said") return null;
  const empty = await ask(["hash-object", "-t", "tree", "--stdin"], "");
  return empty.kind === "said" ? `${empty.text.trim()} ${said.text.trim()}` : null;
}

/** After the fetch. Where it rebases, our own commits are replayed on what came. */
export async function pullComparisons({ rebases }: Of<"pull">, asked: Asked): Promise<Comparisons> {
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
