/** Compares the commits that a bisection may check out with the one that is checked out. */
import { join } from "node:path";
import { type Asked, type Comparisons, commitsOf, type IncomingOf, linesOf, textOf } from "./ask-git.ts";

/** The commits that may be checked out next: any between bad and good, and the one at which the bisection began. */
export async function bisectComparisons(
  { verb, marks }: IncomingOf<"bisect">,
  { ask, gitDir }: Asked,
): Promise<Comparisons> {
  const began = textOf(join(gitDir, "BISECT_START")).trim();
  const target = verb === "reset" ? (marks[0] ?? began) : verb === "start" ? began : "";
  const [found, refs] = await Promise.all([
    commitsOf(ask, ["HEAD", target === "" ? "HEAD" : target, ...(marks.length === 0 ? ["HEAD"] : marks)]),
    linesOf(ask, ["for-each-ref", "--format=%(refname) %(objectname)", "refs/bisect/"]),
  ]);
  if (found === null || refs === null) return null;
  const [current, back, ...named] = found;
  if (!current) return [];
  const goesBack = back && back !== current ? [`${back} ${current}`] : [];
  if (verb === "reset") return goesBack;
  const given = named.flatMap((one) => one ?? []);
  const marked = verb === "start" ? [] : refs;
  const isGood = (line: string) => /-[0-9a-f]{40,} /.test(line);
  const idOf = (line: string) => line.split(" ")[1] ?? "";
  const tips = [
    ...marked.filter((line) => !isGood(line)).map(idOf),
    ...(verb === "start" ? given.slice(0, 1) : given),
  ];
  const known = verb === "start" ? given.slice(1) : marked.filter(isGood).map(idOf);
  const below = known.length > 0 ? known : marked.length > 0 ? given : [];
  if (below.length === 0) return goesBack;
  const range = await linesOf(ask, ["rev-list", "--parents", "--boundary", ...tips, "--not", ...below, "--"]);
  return (
    range && [
      ...goesBack,
      ...range.map((line) => (line.startsWith("-") ? `${line.slice(1).split(" ")[0]} ${current}` : line)),
    ]
  );
}
