/** Decides which commits a call writes into the working tree, if git itself would write over ignored files. */
import type { GitCall as Call } from "../parse/parse-call.ts";
import { allOperands, has, hasNo, valuesOf } from "../table/command-table.ts";
import { TRANSFER_OPTIONS } from "../tables/families/transfer-options.ts";

/** Revisions are written as git itself reads them; `A...B` is their merge base. */
export type Step =
  /** Merges the commit into HEAD. */
  | { readonly kind: "merge"; readonly head: string }
  /** Changes the files from one commit to another one. */
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  /**
   * Repeats the change of each commit, or takes it back. `git rev-list --no-walk --ignore-missing` takes these words.
   */
  | { readonly kind: "replay"; readonly revisions: readonly string[]; readonly backwards: boolean };

export type Incoming =
  | { readonly kind: "steps"; readonly steps: readonly Step[] }
  /** What it brings is known after its fetch. */
  | {
      readonly kind: "pull";
      /** The arguments of the fetch at its start. */
      readonly fetch: readonly string[];
      /** Null if the configuration decides whether it rebases. */
      readonly rebases: boolean | null;
    }
  /** It writes files into folders that git guesses. */
  | { readonly kind: "anywhere" };

/** Null if the call writes no commit into the working tree, or if git protects ignored files by itself. */
export function incomingOf(call: Call): Incoming | null {
  if (call.asksForUsage || has(call, "quit", "show-current-patch", "dry-run")) return null;
  const incoming = ROWS.get(call.subcommand)?.(call) ?? null;
  return incoming !== null && shiftsTrees(call) ? { kind: "anywhere" } : incoming;
}

/** `checkout` and `switch` have no row: git refuses with `--no-overwrite-ignore`. */
const ROWS: ReadonlyMap<string, (call: Call) => Incoming | null> = new Map([
  ["merge", readMerge],
  ["pull", readPull],
  ["cherry-pick", (call) => readPick(call, { backwards: false })],
  ["revert", (call) => readPick(call, { backwards: true })],
  ["rebase", readRebase],
  ["stash pop", readStash],
  ["stash apply", readStash],
  ["stash branch", readStash],
]);

/** Where a stopped rebase keeps the commit that it began with. */
const BEGUN = ["rebase-merge/orig-head", "rebase-apply/orig-head"];

function steps(...all: readonly Step[]): Incoming {
  return { kind: "steps", steps: all };
}

/** `-` is the previous branch. */
function revisionsOf(call: Call): readonly string[] {
  return allOperands(call).map((word) => (word === "-" ? "@{-1}" : word));
}

/** Whether a merge shifts the tree into a folder or out of one. */
function shiftsTrees(call: Call): boolean {
  const named = ["s", "strategy", "X"].flatMap((id) => valuesOf(call, id));
  return named.some((value) => /^subtree(=|$)/.test(value));
}

function readPick(call: Call, { backwards }: { readonly backwards: boolean }): Incoming | null {
  return has(call, "continue") ? null : steps({ kind: "replay", revisions: revisionsOf(call), backwards });
}

function readMerge(call: Call): Incoming | null {
  if (has(call, "continue")) return null;
  const heads = allOperands(call).length === 0 ? ["@{upstream}"] : revisionsOf(call);
  return steps(...heads.map((head) => ({ kind: "merge", head }) as const));
}

/** Options that must not run twice, because they deepen a shallow history. */
const ONCE: ReadonlySet<string> = new Set(["deepen", "unshallow"]);

function readPull(call: Call): Incoming {
  const fetch = call.options.flatMap(({ given, spec, value }) => {
    const known = TRANSFER_OPTIONS.get(given);
    if (known === undefined || ONCE.has(spec.id) || (known.takes === "value" && value === null)) return [];
    return value === null ? [given] : [given.startsWith("--") ? `${given}=${value}` : given + value];
  });
  const asked = call.options.findLast(({ spec }) => spec.id === "r");
  const rebases = asked === undefined ? null : !asked.spec.negated && asked.value !== "false";
  return { kind: "pull", fetch: [...fetch, "--", ...allOperands(call)], rebases };
}

function readRebase(call: Call): Incoming {
  if (has(call, "continue"))
    return steps({ kind: "replay", revisions: [...BEGUN, "^HEAD"], backwards: false });
  const [first, second] = revisionsOf(call);
  const onto = valuesOf(call, "onto").at(-1);
  if (has(call, "root")) {
    const places = [onto, first].filter((place) => place !== undefined);
    return steps(...places.map((to) => ({ kind: "move", from: "HEAD", to }) as const));
  }
  const [upstream = "@{upstream}", branch = "HEAD"] = [first, second];
  const keepsBase = has(call, "keep-base") && !hasNo(call, "keep-base");
  return steps(
    ...rebaseSteps({ upstream, branch, onto: keepsBase ? `${upstream}...${branch}` : (onto ?? upstream) }),
  );
}

/** Git goes to `onto` first, then repeats the commits of the branch that the upstream lacks. */
export function rebaseSteps({
  upstream,
  branch,
  onto,
}: {
  readonly upstream: string;
  readonly branch: string;
  readonly onto: string;
}): readonly Step[] {
  return [
    { kind: "move", from: "HEAD", to: onto },
    { kind: "replay", revisions: [branch, `^${upstream}`], backwards: false },
  ];
}

/** A stash is compared with the commit on which it was made. `branch` checks that commit out first. */
function readStash(call: Call): Incoming {
  const makesBranch = call.subcommand === "stash branch";
  const [entry = "refs/stash"] = allOperands(call).slice(makesBranch ? 1 : 0);
  const to = /^\d+$/.test(entry) ? `stash@{${entry}}` : entry;
  const from = `${to}^1`;
  const start: readonly Step[] = makesBranch ? [{ kind: "move", from: "HEAD", to: from }] : [];
  return steps(...start, { kind: "move", from, to });
}
