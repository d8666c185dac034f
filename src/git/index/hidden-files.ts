/** Lists the files that only new ignore rules hide. */
import { ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { fromNul, toNul } from "../process/nul-list.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

const IGNORED = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z"];

/** The rules that a file had before, one a line. Null if all its rules are old. */
export type RulesBefore = (file: string) => Promise<ReadonlySet<string> | null>;

/**
 * A file of rules has the name that git prints. For a `.gitignore` this is relative to the top of the worktree; any
 * other has its absolute path. Whole folders are checked first: inside a folder that an old rule hides, nothing is
 * checked.
 */
export async function listHidden(
  git: Git,
  target: GitTarget,
  rulesBefore: RulesBefore,
): GitAnswer<readonly string[]> {
  const places = await listFields(git, target, [...IGNORED, "--directory"]);
  if (places.isErr() || places.value.length === 0) return places;
  const checked = await git.run(target, ["check-ignore", "--no-index", "--verbose", "-z", "--stdin"], {
    stdin: toNul(places.value),
    expect: [0, 1],
  });
  if (checked.isErr()) return checked.map(() => []);
  const before = new Map<string, ReadonlySet<string> | null>();
  const hidden = new Set<string>();
  for (const { source, pattern, place } of rulesOf(fromNul(checked.value.stdout))) {
    if (!before.has(source)) before.set(source, await rulesBefore(source));
    if (before.get(source)?.has(pattern) === false) hidden.add(place);
  }
  const folders = [...hidden].filter((place) => place.endsWith("/"));
  const inside = await filesIn(git, target, folders);
  for (const folder of folders) hidden.delete(folder);
  return inside.map((files) => [...hidden.union(new Set(files))].sort());
}

/** The most paths on one command line. */
const MAX_PLACES = 1000;

async function filesIn(
  git: Git,
  target: GitTarget,
  folders: readonly string[],
): GitAnswer<readonly string[]> {
  const files: string[] = [];
  for (let at = 0; at < folders.length; at += MAX_PLACES) {
    const some = folders.slice(at, at + MAX_PLACES).map((folder) => `:(literal)${folder}`);
    const listed = await listFields(git, target, [...IGNORED, "--", ...some]);
    if (listed.isErr()) return listed;
    for (const file of listed.value) files.push(file);
  }
  return ok(files);
}

interface Rule {
  readonly source: string;
  readonly pattern: string;
  readonly place: string;
}

/** Source, line, pattern, path. */
function rulesOf(fields: readonly string[]): readonly Rule[] {
  const rules: Rule[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source = "", , pattern = "", place = ""] = fields.slice(at, at + 4);
    rules.push({ source, pattern, place });
  }
  return rules;
}

/** The rules of a `.gitignore` in any of the given commits. */
export async function rulesIn(
  git: Git,
  target: GitTarget,
  { path, commits }: { readonly path: string; readonly commits: readonly string[] },
): Promise<ReadonlySet<string>> {
  const texts: string[] = [];
  for (const commit of new Set(commits)) {
    const shown = await git.run(target, ["cat-file", "blob", `${commit}:${path}`], {
      access: "objects",
      expect: [0, 128],
    });
    if (shown.isOk() && shown.value.exitCode === 0) texts.push(shown.value.stdout);
  }
  return linesOf(texts.join("\n"));
}

/** The rules as git reads them: without blanks at the end of a line, but for one that a backslash quotes. */
export function linesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\r?\n/).map(ruleOf));
}

function ruleOf(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end -= 1;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === "\\") backslashes += 1;
  return line.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}
