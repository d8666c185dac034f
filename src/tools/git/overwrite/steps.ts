/** Reads the remaining steps of a stopped rebase, series of picks or series of patches. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Asked, type Comparisons, commitsOf, textOf } from "./ask-git.ts";
import { pickComparisons } from "./replayed.ts";

/** The remaining steps of a stopped rebase or series of picks. */
export async function stepComparisons({ ask, gitDir }: Asked): Promise<Comparisons> {
  const steps = ["rebase-merge/git-rebase-todo", "sequencer/todo"].flatMap((name) =>
    textOf(join(gitDir, name)).split("\n"),
  );
  const named = (lines: readonly string[]) =>
    lines.flatMap((line) =>
      line
        .split(" ")
        .slice(1, 4)
        .filter((word) => /^[0-9a-f]{4,}$/.test(word)),
    );
  const isRevert = (line: string) => /^revert /.test(line);
  const onto = steps.some((line) => /^(reset|t|merge|m) /.test(line))
    ? [textOf(join(gitDir, "rebase-merge/onto")).trim()]
    : [];
  const picked = named(steps.filter((line) => !isRevert(line)));
  const found = await commitsOf(ask, ["HEAD", ...onto, ...picked]);
  if (found === null) return null;
  const [current, ...rest] = found;
  const starts = rest.slice(0, onto.length).flatMap((one) => (one && current ? [`${one} ${current}`] : []));
  const all = await Promise.all([
    pickComparisons(
      { kind: "pick", revisions: rest.slice(onto.length).flatMap((one) => one ?? []) },
      { ask, gitDir },
    ),
    pickComparisons({ kind: "revert", revisions: named(steps.filter(isRevert)) }, { ask, gitDir }),
  ]);
  return all.some((one) => one === null) ? null : [...starts, ...all.flatMap((one) => one ?? [])];
}

/** Mails of the patches that remain for a stopped `git am`, or a rebase by patches. */
export function waitingPatches(gitDir: string): readonly string[] {
  const folder = join(gitDir, "rebase-apply");
  const next = Number(textOf(join(folder, "next")));
  return namesIn(folder)
    .filter((name) => /^\d+$/.test(name) && Number(name) >= next)
    .map((name) => join(folder, name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
