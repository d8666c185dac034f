/** Decides which repositories a call talks to, as far as its words tell. */

import { readGitCall } from "../judge/read-git-call.ts";
import { optionTable, safe } from "../parse/option-spec.ts";
import { type GitCall, parseCall } from "../parse/parse-call.ts";
import { allOperands, isOn, valuesOf } from "../table/command-table.ts";
import { isSubcommandAllowed } from "../verdicts/seed-lists.ts";
import type { Direction } from "./remote-settings.ts";

export interface Contacts {
  /** Names of remotes or groups. Git reads any other text here as an address. */
  readonly named: readonly string[];
  /**
   * Which words may be groups. `none`: no word, before refspecs and for a push. `one`: the one given word. `each`:
   * each of several words. `new`: the word names a new remote, and counts only if something is already configured
   * for it.
   */
  readonly groups: "none" | "one" | "each" | "new";
  /** Texts that git reads as an address, independent of the configured remotes. */
  readonly addresses: readonly string[];
  /** Remotes that the words do not name: none, the branch's, all, or the ones configured for `git remote update`. */
  readonly unnamed: "none" | "default" | "all" | "update";
  readonly direction: Direction;
  /** Whether git talks for a new repository. Only some versions of git then use the configuration here. */
  readonly isNew: boolean;
}

/** Null if neither the words nor the repository's own settings name a repository to talk to. */
export function contactsOf(subcommand: string, args: readonly string[]): Contacts | null {
  if (subcommand === "ls-remote") return listsRemote(args);
  if (subcommand === "archive") return archives(args);
  if (!isSubcommandAllowed(subcommand)) return null;
  const read = readGitCall(subcommand, args);
  if (read.isErr() || read.value.table.network?.(read.value.call) !== true) return null;
  return contactsOfCall(read.value.call);
}

/** The same for a call that the policy read and that talks to a remote. */
export function contactsOfCall(call: GitCall): Contacts | null {
  return call.asksForUsage ? null : (READERS.get(call.subcommand)?.(call) ?? null);
}

const READERS: ReadonlyMap<string, (call: GitCall) => Contacts> = new Map([
  ["fetch", fetches],
  ["pull", fetches],
  ["push", pushes],
  ["clone", (call) => contacts({ addresses: allOperands(call).slice(0, 1), isNew: true })],
  ["submodule add", (call) => contacts({ addresses: allOperands(call).slice(0, 1), isNew: true })],
  ["remote add", addsRemote],
  ["remote show", (call) => contacts({ named: allOperands(call) })],
  ["remote prune", (call) => contacts({ named: allOperands(call) })],
  ["remote set-head", (call) => contacts({ named: allOperands(call).slice(0, 1) })],
  ["remote update", (call) => ({ ...namedOr("update", allOperands(call)), groups: "each" })],
]);

function contacts(some: Partial<Contacts>): Contacts {
  const none = { named: [], groups: "none", addresses: [], unnamed: "none" } as const;
  return { ...none, direction: "fetch", isNew: false, ...some };
}

function namedOr(unnamed: "default" | "update", named: readonly string[], direction: Direction = "fetch") {
  return contacts(named.length === 0 ? { unnamed, direction } : { named, direction });
}

/** Git fetches by the name of the new remote. */
function addsRemote(call: GitCall): Contacts {
  const [name, ...addresses] = allOperands(call);
  return contacts({ named: name === undefined ? [] : [name], groups: "new", addresses });
}

function fetches(call: GitCall): Contacts {
  const operands = allOperands(call);
  if (isOn(call, "all")) return contacts({ named: operands, unnamed: "all" });
  if (isOn(call, "m")) return { ...namedOr("default", operands), groups: "each" };
  return { ...namedOr("default", operands.slice(0, 1)), groups: operands.length === 1 ? "one" : "none" };
}

function pushes(call: GitCall): Contacts {
  return namedOr("default", [...allOperands(call).slice(0, 1), ...valuesOf(call, "repo")], "push");
}

const LS_REMOTE = optionTable(
  safe(
    ...["-h", "--heads", "-b --branches", "-t --tags", "--refs", "-q --quiet", "--exit-code", "--symref"],
    ...["--get-url", "--sort=", "-o= --server-option=", "--upload-pack=", "--exec="],
  ),
);

/** If the call cannot be read, each of its words may name a repository. */
function listsRemote(args: readonly string[]): Contacts {
  return parseCall("ls-remote", args, { options: LS_REMOTE, endOfOptions: true }).match(
    (call) => namedOr("default", allOperands(call).slice(0, 1)),
    () => contacts({ named: args.filter((word) => !word.startsWith("-")), unnamed: "default" }),
  );
}

/** Git also takes a shortened `--remote`. */
function archives(args: readonly string[]): Contacts | null {
  const named = args.flatMap((word, at) => {
    const found = /^--rem(?:o|ot|ote)?(?:=(.*))?$/s.exec(word);
    return found === null ? [] : [found[1] ?? args[at + 1] ?? ""];
  });
  return named.length === 0 ? null : contacts({ named });
}
