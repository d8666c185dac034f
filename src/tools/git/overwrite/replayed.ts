/** Compares commits that git replays, reverts or stashes with the commits before them. */
import { type Asked, type Comparisons, commitsOf, type IncomingOf, linesOf } from "./ask-git.ts";

export async function pickComparisons(
  { kind, revisions }: IncomingOf<"pick" | "revert">,
  { ask }: Asked,
): Promise<Comparisons> {
  if (revisions.length === 0) return [];
  const lines = await linesOf(ask, [
    "rev-list",
    "--parents",
    "--no-walk",
    "--end-of-options",
    ...revisions,
    "--",
  ]);
  return kind === "pick" || lines === null ? lines : lines.flatMap(backwards);
}

/** From the commit to each of its parents. */
function backwards(line: string): readonly string[] {
  const [commit = "", ...parents] = line.split(" ");
  return parents.map((parent) => `${parent} ${commit}`);
}

export async function rebaseComparisons(call: IncomingOf<"rebase">, { ask }: Asked): Promise<Comparisons> {
  const upstream = call.upstream ?? "@{upstream}";
  const onto = call.onto ?? upstream;
  const sides = call.from === "merge-base" ? [upstream, call.branch] : onto.split("...");
  const places =
    sides.length === 2 ? await linesOf(ask, ["merge-base", ...sides.map((side) => side || "HEAD")]) : [onto];
  if (places === null) return null;
  const found = await commitsOf(ask, ["HEAD", call.branch, upstream, places[0] ?? onto]);
  if (found === null) return null;
  const [current, branch, below, place] = found;
  const start =
    current && place && (call.from !== "root" || call.onto !== null) ? [`${place} ${current}`] : [];
  if (!branch || (call.from !== "root" && !below)) return start;
  const replayed = await linesOf(ask, [
    "rev-list",
    "--parents",
    branch,
    ...(call.from === "root" ? [] : [`^${below}`]),
  ]);
  return replayed && [...start, ...replayed];
}

/** Compares a stash with the commit on which it was made. */
export async function stashComparisons(
  { entry, verb }: IncomingOf<"stash">,
  { ask }: Asked,
): Promise<Comparisons> {
  const lines = await linesOf(ask, ["rev-list", "--parents", "--no-walk", "--end-of-options", entry, "--"]);
  const heads = await commitsOf(ask, ["HEAD"]);
  if (lines === null || heads === null) return null;
  const [commit, base] = (lines[0] ?? "").split(" ");
  if (!commit || !base) return [];
  return [`${commit} ${base}`, ...(verb === "branch" && heads[0] ? [`${base} ${heads[0]}`] : [])];
}
