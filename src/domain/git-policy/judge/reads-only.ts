/** Knows further git calls that never change a repository, beside seed 002's; the guard of attempts allows them. */
import { type OptionTable, optionTable, safe } from "../parse/option-spec.ts";
import { type GitCall, parseCall } from "../parse/parse-call.ts";
import { allOperands, has } from "../table/command-table.ts";

/** Subcommands that read with any arguments. Scripts and build tools ask git through them. */
const ALWAYS: ReadonlySet<string> = new Set([
  ...["annotate", "archive", "check-attr", "check-ignore", "check-mailmap", "check-ref-format", "cherry"],
  ...["count-objects", "diff-files", "diff-index", "diff-tree", "for-each-ref", "get-tar-commit-id", "grep"],
  ...["help", "ls-remote", "merge-base", "name-rev", "patch-id", "range-diff", "rev-list", "show-branch"],
  ...[
    "show-ref",
    "stripspace",
    "var",
    "verify-commit",
    "verify-pack",
    "verify-tag",
    "version",
    "whatchanged",
  ],
]);

/** Verbs of writing subcommands that read with any arguments. */
const VERBS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["bisect", new Set(["log"])],
  ["bundle", new Set(["list-heads", "verify"])],
]);

interface Sometimes {
  readonly options: OptionTable;
  readonly reads: (call: GitCall) => boolean;
}

/** An option that is not listed writes, or is unknown. */
const SOMETIMES: ReadonlyMap<string, Sometimes> = new Map<string, Sometimes>([
  [
    "config",
    {
      options: optionTable(
        safe(`
          --global, --system, --local, --worktree, -f= --file=, --blob=, --get, --get-all, --get-regexp,
          --get-urlmatch, --get-color, --get-colorbool, -l --list, --type=, --bool, --int, --bool-or-int,
          --bool-or-str, --path, --expiry-date, -z --null, --name-only, --[no-]includes, --show-origin,
          --show-scope, --default=, --fixed-value
        `),
      ),
      reads: (call) =>
        has(call, "get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "l") ||
        allOperands(call).length === 1 ||
        /^(?:get|list)$/.test(allOperands(call)[0] ?? ""),
    },
  ],
  [
    "hash-object",
    {
      options: optionTable(safe("-t=, --stdin, --stdin-paths, --path=, --no-filters, --literally")),
      reads: () => true,
    },
  ],
  [
    "interpret-trailers",
    {
      // `--in-place` writes only the named file, as any editor does. Hooks for messages use it.
      options: optionTable(
        safe(`
          --in-place, --trim-empty, --where=, --if-exists=, --if-missing=, --only-trailers, --only-input,
          --unfold, --parse, --no-divider, --trailer=
        `),
      ),
      reads: (call) => !allOperands(call).some((file) => /(?:^|\/)\.git(?:\/|$)/i.test(file)),
    },
  ],
  [
    "symbolic-ref",
    {
      options: optionTable(safe("-q --quiet, --short, --[no-]recurse")),
      reads: (call) => allOperands(call).length === 1,
    },
  ],
]);

/** False for every call that is not known to read. */
export function readsOnly(subcommand: string, args: readonly string[]): boolean {
  if (args.length === 1 && args[0] === "-h") return true;
  const always = ALWAYS.has(subcommand) || VERBS.get(subcommand)?.has(args[0] ?? "") === true;
  // The tables do the same, because the file may be one of git's own.
  if (always) return !args.some((word) => /^(?:--outp|-o)/.test(word));
  const sometimes = SOMETIMES.get(subcommand);
  if (sometimes === undefined) return false;
  return parseCall(subcommand, args, { options: sometimes.options, endOfOptions: true }).match(
    (call) => sometimes.reads(call),
    () => false,
  );
}
