/** Asks git which paths a call may write, by the commits that it brings into the working tree. */
import { join } from "node:path";
import { type Incoming, rebaseSteps, type Step } from "../../../domain/git-policy/judge/incoming.ts";
import { textIn } from "../../../utils/paths/read-what-is-there.ts";
import type { AskGit } from "../repository/run-git.ts";

/** Relative to the top of the working tree. A nested repository is only a folder there. */
export type Brought = ReadonlyMap<string, "file" | "repository">;

type ReplayStep = Extract<Step, { readonly kind: "replay" }>;

interface Asked {
  readonly ask: AskGit;
  readonly gitDir: string;
}

/** Null if git does not tell. */
export async function pathsBrought(incoming: Incoming, asked: Asked): Promise<Brought | null> {
  const steps = await stepsOf(incoming, asked);
  return steps && together(steps.map((step) => pathsOfStep(step, asked.ask)));
}

/** Null if one of them is. */
async function together(all: readonly Promise<Brought | null>[]): Promise<Brought | null> {
  const found = await Promise.all(all);
  return found.includes(null) ? null : new Map(found.flatMap((paths) => [...(paths ?? [])]));
}

async function stepsOf(incoming: Incoming, { ask, gitDir }: Asked): Promise<readonly Step[] | null> {
  if (incoming.kind === "anywhere") return null;
  if (incoming.kind === "steps")
    return incoming.steps.flatMap((step) =>
      step.kind === "merge" && step.head === "FETCH_HEAD"
        ? fetchedHeads(gitDir).map((head) => ({ ...step, head }))
        : [step],
    );
  const heads = fetchedHeads(gitDir);
  const merges = heads.map((head) => ({ kind: "merge", head }) as const);
  const rebases = incoming.rebases ?? (await mayRebase(ask));
  if (rebases === null || !rebases) return rebases === null ? null : merges;
  return [...merges, ...heads.flatMap((head) => rebaseSteps({ upstream: head, branch: "HEAD", onto: head }))];
}

/** The commits that `git pull` and `git merge FETCH_HEAD` merge. */
function fetchedHeads(gitDir: string): readonly string[] {
  const lines = textIn(join(gitDir, "FETCH_HEAD")).split("\n");
  return lines.flatMap((line) => /^([0-9a-f]{40,})\t\t/.exec(line)?.[1] ?? []);
}

async function mayRebase(ask: AskGit): Promise<boolean | null> {
  const answer = await ask(["config", "--get-regexp", "^(pull|branch\\..*)\\.rebase$"]);
  if (answer.kind === "unknown") return null;
  return linesOf(answer.text).some((line) => !/ (false|no|off|0)$/i.test(line));
}

/** Empty if git knows no such commits: then it refuses the call itself. */
async function pathsOfStep(step: Step, ask: AskGit): Promise<Brought | null> {
  if (step.kind === "merge") return pathsOfMerge(step.head, ask);
  if (step.kind === "replay") return pathsOfReplay(step, ask);
  const found = await commitsOf([step.to, step.from], ask);
  if (found === null || found.includes(null)) return found && new Map();
  return changedPaths(["--stdin"], ask, `${found.join(" ")}\n`);
}

async function pathsOfMerge(head: string, ask: AskGit): Promise<Brought | null> {
  const found = await commitsOf(["HEAD", head], ask);
  const [current, other] = found ?? [];
  if (!other) return found && new Map();
  if (!current) {
    const empty = await ask(["hash-object", "-t", "tree", "--stdin"], "");
    return empty.kind === "answered" ? changedPaths([empty.text.trim(), other], ask) : null;
  }
  return together([pathsSinceBase(current, other, ask), pathsOfResult(current, head, ask)]);
}

async function pathsSinceBase(current: string, other: string, ask: AskGit): Promise<Brought | null> {
  const listed = await ask(["merge-base", "--all", current, other]);
  if (listed.kind === "unknown") return null;
  const bases = linesOf(listed.text);
  if (bases.length === 0) return changedPaths([current, other], ask);
  return changedPaths(["--stdin", "-m"], ask, `${[other, ...bases].join(" ")}\n`);
}

/** Merges without touching a file. That shows files that git moves with a renamed folder, or puts beside a folder. */
async function pathsOfResult(current: string, head: string, ask: AskGit): Promise<Brought | null> {
  const merged = await ask(["merge-tree", "--write-tree", "--allow-unrelated-histories", "HEAD", head]);
  if (merged.kind === "unknown") return null;
  // With conflicts git fails, and names the tree all the same.
  const tree = /^[0-9a-f]{40,}/.exec(merged.text)?.[0];
  return tree === undefined ? new Map() : changedPaths([current, tree], ask);
}

async function pathsOfReplay({ revisions, backwards }: ReplayStep, ask: AskGit): Promise<Brought | null> {
  if (revisions.length === 0) return new Map();
  const options = ["--parents", "--no-walk", "--ignore-missing", "--end-of-options"];
  const listed = await ask(["rev-list", ...options, ...revisions, "--"]);
  if (listed.kind !== "answered") return listed.kind === "failed" ? new Map() : null;
  const lines = linesOf(listed.text);
  const turned = backwards ? lines.flatMap(toParents) : lines;
  return changedPaths(["--stdin", "-m", "--root"], ask, `${turned.join("\n")}\n`);
}

/** From the commit to each of its parents. */
function toParents(line: string): readonly string[] {
  const [commit = "", ...parents] = line.split(" ");
  return parents.map((parent) => `${parent} ${commit}`);
}

/** The commit of each name, or null if the name is not a commit. Null as a whole if git does not answer. */
async function commitsOf(names: readonly string[], ask: AskGit): Promise<readonly (string | null)[] | null> {
  const places = await Promise.all(names.map((name) => placeOf(name, ask)));
  // `:/words` names a commit only without the suffix. A short ambiguous name needs the suffix.
  const questions = places.flatMap((one) => (one.includes("\n") ? ["", ""] : [`${one}^{commit}`, one]));
  const answer = await ask(
    ["cat-file", "--batch-check=%(objecttype) %(objectname)"],
    `${questions.join("\n")}\n`,
  );
  if (answer.kind !== "answered") return null;
  const ids = answer.text.split("\n").map((line) => /^commit ([0-9a-f]{40,})$/.exec(line)?.[1]);
  return names.map((_, at) => ids[2 * at] ?? ids[2 * at + 1] ?? null);
}

/** `A...B` is the merge base of both. */
async function placeOf(name: string, ask: AskGit): Promise<string> {
  const sides = name.startsWith(":") ? [name] : name.split("...");
  if (sides.length !== 2) return name;
  const answer = await ask(["merge-base", ...sides.map((side) => side || "HEAD")]);
  return answer.kind === "answered" ? answer.text.trim() : "";
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

const REPOSITORY = "160000";

/** Paths that `git diff-tree` finds changed or new; null if git does not tell. */
async function changedPaths(words: readonly string[], ask: AskGit, stdin?: string): Promise<Brought | null> {
  const options = ["-r", "--no-commit-id", "--raw", "-z", "--no-renames", "--no-relative", "--no-ext-diff"];
  const filter = ["--ignore-submodules=none", "--diff-filter=d"];
  const answer = await ask(["diff-tree", ...options, ...filter, ...words], stdin);
  if (answer.kind !== "answered") return null;
  const paths = new Map<string, "file" | "repository">();
  const fields = answer.text.split("\0");
  for (const [at, field] of fields.entries()) {
    const mode = /^\n?:\d{6} (\d{6}) /.exec(field)?.[1];
    const path = fields[at + 1] ?? "";
    if (mode !== undefined && paths.get(path) !== "file")
      paths.set(path, mode === REPOSITORY ? "repository" : "file");
  }
  return paths;
}
