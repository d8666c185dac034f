/** Says which commits a call would write into the working tree, as far as its words tell. */
import { type GitCall as Call, parseCall } from "../parse/parse-call.ts";
import { allOperands, has, hasNo, valuesOf } from "../table/command-table.ts";
import { TRANSFER_OPTIONS } from "../tables/families/transfer-options.ts";
import { SUBCOMMANDS } from "../tables/subcommands.ts";
import { isSubcommandAllowed } from "../verdicts/seed-lists.ts";
import { selectTable } from "./select-table.ts";

/** Revisions are written as git itself reads them. */
export type Incoming =
  /** Empty for the upstream of the branch. */
  | { readonly kind: "merge"; readonly heads: readonly string[] }
  | {
      readonly kind: "pull";
      /** The arguments of the fetch at its start. */
      readonly fetch: readonly string[];
      /** Null if the configuration decides whether it rebases. */
      readonly rebases: boolean | null;
    }
  /** As `git rev-list --no-walk` takes them. */
  | { readonly kind: "pick" | "revert"; readonly revisions: readonly string[] }
  | {
      readonly kind: "rebase";
      readonly upstream: string | null;
      readonly onto: string | null;
      readonly branch: string;
      readonly from: "upstream" | "root" | "merge-base";
    }
  /** `branch` also checks out the commit on which the stash was made. */
  | { readonly kind: "stash"; readonly entry: string; readonly verb: "apply" | "branch" }
  | { readonly kind: "bisect"; readonly verb: string; readonly marks: readonly string[] }
  /** It writes files in unknown places: in folders that git guesses, or from a patch on standard input. */
  | { readonly kind: "anywhere" }
  /** A stopped operation continues with its recorded steps. */
  | { readonly kind: "continue" }
  /** The patches that git merges if they do not apply. */
  | { readonly kind: "patches"; readonly files: readonly string[]; readonly options: readonly string[] };

/** Null if the call writes no commit into the working tree. Null if git itself protects the files in the way. */
export function incomingOf(subcommand: string, args: readonly string[]): Incoming | null {
  const reader = READERS.get(subcommand);
  if (reader === undefined || !isSubcommandAllowed(subcommand)) return null;
  const selected = selectTable(subcommand, args, SUBCOMMANDS[subcommand]);
  if (selected.isErr()) return null;
  const { command, rest, name } = selected.value;
  const call = parseCall(name, rest, {
    options: command.options,
    endOfOptions: command.endOfOptions ?? true,
  });
  if (call.isErr()) return null;
  const incoming = reader(call.value);
  return incoming !== null && shiftsTrees(call.value) ? { kind: "anywhere" } : incoming;
}

const READERS: ReadonlyMap<string, (call: Call) => Incoming | null> = new Map([
  ["merge", (call) => (stands(call) ? null : { kind: "merge", heads: revisionsOf(call) })],
  ["pull", readPull],
  ["cherry-pick", (call) => readPick("pick", call)],
  ["revert", (call) => readPick("revert", call)],
  ["rebase", readRebase],
  ["stash", readStash],
  ["bisect", readBisect],
  ["am", readAm],
]);

/** Whether a merge shifts the tree into a folder or out of one. */
function shiftsTrees(call: Call): boolean {
  const named = [...valuesOf(call, "s"), ...valuesOf(call, "strategy"), ...valuesOf(call, "X")];
  return named.some((value) => /^subtree(=|$)/.test(value));
}

/** `-` is the previous branch. */
function revisionsOf(call: Call): readonly string[] {
  return allOperands(call).map((word) => (word === "-" ? "@{-1}" : word));
}

/** Whether the call leaves the files as they are and only ends an operation. */
function stands(call: Call): boolean {
  return has(call, "quit", "continue", "show-current-patch");
}

function readPick(kind: "pick" | "revert", call: Call): Incoming | null {
  if (has(call, "continue")) return { kind: "continue" };
  return has(call, "quit") ? null : { kind, revisions: revisionsOf(call) };
}

/** Options that must not run twice, because they deepen a shallow history; and `dry-run`. */
const ONCE: ReadonlySet<string> = new Set(["deepen", "unshallow", "dry-run"]);

function readPull(call: Call): Incoming | null {
  if (has(call, "dry-run")) return null;
  const fetch = call.options.flatMap(({ given, spec, value }) => {
    const known = TRANSFER_OPTIONS.get(given);
    if (known === undefined || ONCE.has(spec.id) || (known.takes === "value" && value === null)) return [];
    return value === null ? [given] : [given.startsWith("--") ? `${given}=${value}` : given + value];
  });
  const asked = call.options.findLast(({ spec }) => spec.id === "r");
  const rebases = asked === undefined ? null : !asked.spec.negated && asked.value !== "false";
  return { kind: "pull", fetch: [...fetch, "--", ...allOperands(call)], rebases };
}

function readRebase(call: Call): Incoming | null {
  if (has(call, "continue")) return { kind: "continue" };
  if (stands(call)) return null;
  const [first, second] = revisionsOf(call);
  const isRoot = has(call, "root");
  const [upstream = null, branch = "HEAD"] = isRoot ? [undefined, first] : [first, second];
  const keepsBase = has(call, "keep-base") && !hasNo(call, "keep-base");
  const onto = valuesOf(call, "onto").at(-1) ?? null;
  return {
    kind: "rebase",
    upstream,
    onto,
    branch,
    from: isRoot ? "root" : keepsBase ? "merge-base" : "upstream",
  };
}

function readStash({ subcommand, operands, afterDashes }: Call): Incoming | null {
  const verb = /^stash (pop|apply|branch)$/.exec(subcommand)?.[1];
  if (verb === undefined) return null;
  const words = [...operands, ...afterDashes];
  const [entry = "refs/stash"] = verb === "branch" ? words.slice(1) : words;
  const named = /^\d+$/.test(entry) ? `stash@{${entry}}` : entry;
  return { kind: "stash", entry: named, verb: verb === "branch" ? "branch" : "apply" };
}

function readBisect({ subcommand, operands }: Call): Incoming | null {
  const verb = subcommand.slice("bisect ".length);
  return /^(terms|log)$/.test(verb) ? null : { kind: "bisect", verb, marks: operands };
}

/** Without `--3way`, git never overwrites a file in the way. */
function readAm(call: Call): Incoming | null {
  if (has(call, "continue", "r", "retry")) return { kind: "continue" };
  if (!has(call, "3")) return null;
  if (allOperands(call).length === 0) return { kind: "anywhere" };
  const options = call.options.flatMap(({ given, spec, value }) =>
    ["p", "directory"].includes(spec.id) && value !== null
      ? [given.startsWith("--") ? `${given}=${value}` : given + value]
      : [],
  );
  return { kind: "patches", files: allOperands(call), options };
}
