/** Says what is wrong with what a team left behind after a fault; it only compares what was gathered. */
import { historyOf } from "../crash/what-is-wrong.ts";

export interface EndedRun {
  readonly id: string;
  /** The state in which the fault met it. */
  readonly state: string;
  readonly branch: string;
  readonly status: string;
  /** Its outcome, or the code and the cause of its failure; null while it goes on. */
  readonly ending: string | null;
  readonly commit: string | null;
  /** The endings that are documented for it. */
  readonly expected: readonly string[];
}

/** A file of a copy that the depot had before the fault. */
export interface CopiedFile {
  readonly branch: string;
  readonly path: string;
  readonly blob: string;
}

/** An attempt that was cancelled, once it was restored. */
export interface CleanedAttempt {
  readonly id: string;
  readonly state: string;
  /** How often a fact said that it was removed. */
  readonly removed: number;
  /** What its agent had written, and what holds that by place; null if it holds nothing. */
  readonly edit: string;
  readonly copies: Readonly<Record<string, string | null>>;
  /** What was there of it before it was restored, though its clean-up had ended. */
  readonly left: readonly string[];
}

export interface LeftBehind {
  readonly runs: readonly EndedRun[];
  /** Every change of a branch at the origin, in order. */
  readonly pushes: readonly { readonly branch: string; readonly commit: string }[];
  readonly facts: readonly {
    readonly seq: number;
    readonly kind: string;
    readonly run: string | null;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
  /** What each reader was sent, in the order in which it came. */
  readonly readers: Readonly<Record<string, readonly number[]>>;
  readonly copied: readonly CopiedFile[];
  /** Files of each branch at the origin by path, as blobs. */
  readonly trees: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly cleaned: readonly CleanedAttempt[];
  /** Processes, locks and half worktrees: there should be none. */
  readonly left: readonly string[];
}

/** One sentence for each thing that is wrong; none if all is well. */
export function judge(seen: LeftBehind): readonly string[] {
  return [
    ...seen.runs.flatMap((run) => wrongEnding(run)),
    ...seen.runs.flatMap((run) => wrongPushes(run, seen)),
    ...seen.runs.flatMap((run) => historyOf(seen.facts, run)),
    ...Object.entries(seen.readers).flatMap(([name, read]) => wrongReader(name, read, seen)),
    ...seen.copied.flatMap((file) => lostEdit(file, seen)),
    ...seen.cleaned.flatMap((attempt) => wrongCleaning(attempt)),
    ...seen.left.map((thing) => `left behind: ${thing}`),
  ];
}

function wrongEnding({ state, id, ending, expected, status }: EndedRun): string[] {
  if (ending !== null && expected.includes(ending)) return [];
  return [`the run ${id} (${state}) is ${status} with ${ending}, not ${expected.join(" or ")}`];
}

/** A branch changes once at the origin if its run pushed, and else never. */
function wrongPushes({ state, branch, ending, commit }: EndedRun, { pushes }: LeftBehind): string[] {
  const made = pushes.filter((push) => push.branch === branch).map((push) => push.commit);
  const expected = ending === "pushed" && commit !== null ? [commit] : [];
  if (made.join() === expected.join()) return [];
  return [`${branch} (${state}) was pushed as [${made.join(", ")}], not as [${expected.join(", ")}]`];
}

/** A reader gets each fact that is stored, from its first one on, once and in order. */
function wrongReader(name: string, read: readonly number[], { facts }: LeftBehind): string[] {
  const [first] = read;
  if (first === undefined) return [`the reader ${name} was sent no facts`];
  const stored = facts.map(({ seq }) => seq).filter((seq) => seq >= first);
  const at = stored.findIndex((seq, index) => seq !== read[index]);
  if (at < 0 && read.length === stored.length) return [];
  const place = at < 0 ? stored.length : at;
  return [`the reader ${name} was sent ${read[place] ?? "nothing"} in the place of fact ${stored[place]}`];
}

/** What was copied is in the end's tree, if the branch was pushed at all. */
function lostEdit({ branch, path, blob }: CopiedFile, { trees }: LeftBehind): string[] {
  const tree = trees[branch];
  return tree === undefined || tree[path] === blob ? [] : [`${path} of ${branch} lost its copied edit`];
}

/** A clean-up ends once, removes all but the edits, and those can be had back. */
function wrongCleaning({ id, state, removed, edit, copies, left }: CleanedAttempt): string[] {
  return [
    ...(state === "removed" ? [] : [`the cancelled attempt ${id} is ${state}, not removed`]),
    ...(removed === 1 ? [] : [`the attempt ${id} was removed ${removed} times`]),
    ...left.map((thing) => `the clean-up of ${id} left ${thing}`),
    ...Object.entries(copies)
      .filter(([, text]) => text !== edit)
      .map(([place, text]) => `${place} of ${id} holds ${text} in the place of its edit`),
  ];
}
