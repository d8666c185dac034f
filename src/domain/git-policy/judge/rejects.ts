/** Says which patches may leave rejected hunks in files `FILE.rej`, as far as the words of a call tell. */
import { type GitCall, parseCall } from "../parse/parse-call.ts";
import { allOperands, has } from "../table/command-table.ts";
import { AM, APPLY } from "../tables/write/patches.ts";

export type Rejects =
  /** The patches in these files, as `git apply` reads them with these options. `-` is standard input. */
  | { readonly kind: "patches"; readonly files: readonly string[]; readonly options: readonly string[] }
  /** The patches that a stopped `git am` still has to apply, if it was started with `--reject`. */
  | { readonly kind: "continue" };

/** Options that change which files a patch touches, or whether it can be read. */
const READS_PATCH: ReadonlySet<string> = new Set([
  ...["p", "directory", "R", "recount", "unidiff-zero", "inaccurate-eof"],
]);

/** Null if the call writes none. */
export function rejectsOf(subcommand: string, args: readonly string[]): Rejects | null {
  const table = subcommand === "apply" ? APPLY : subcommand === "am" ? AM : null;
  if (table === null) return null;
  return parseCall(subcommand, args, { options: table.options, endOfOptions: true }).match(
    (call) => (subcommand === "am" && goesOn(call) ? { kind: "continue" } : rejectsOfCall(call)),
    () => null,
  );
}

function goesOn(call: GitCall): boolean {
  return has(call, "continue", "r", "retry", "skip", "allow-empty");
}

function rejectsOfCall(call: GitCall): Rejects | null {
  if (!has(call, "reject")) return null;
  const options = call.options.flatMap(({ given, spec, value }) => {
    if (!READS_PATCH.has(spec.id) || spec.negated) return [];
    return value === null ? [given] : [given.startsWith("--") ? `${given}=${value}` : given + value];
  });
  const files = allOperands(call);
  return { kind: "patches", files: files.length === 0 ? ["-"] : files, options };
}
