/** Judges operands that select files; git confines them to the repository, and this to the workspace. */

import type { GitCall } from "../parse/parse-call.ts";
import { allOperands } from "../table/command-table.ts";
import { maySelectUnguarded, type Place, pathFinding } from "../table/place.ts";
import { type Judgement, judgementOf } from "../verdicts/judgement.ts";
import type { Finding } from "../verdicts/verdict.ts";

/** `:(top,icase)`, `:/`, `:!`, `:^` and mixtures of them before a pathspec. */
const MAGIC = /^:(?:\([^)]*\)|[/!^]+:?|:)/;

/** Every operand is a pathspec: `add`, `rm`, `restore`. */
export function pathspecs(call: GitCall, place: Place): Judgement {
  return judgementOf(...allOperands(call).map((text) => pathspecFinding(place, text)));
}

/** Revisions, then pathspecs. Without `--`, git decides which is which. */
export function revisionsAndPathspecs(call: GitCall, place: Place): Judgement {
  return judgementOf(
    ...call.operands.filter(looksLikePlace).map((text) => pathspecFinding(place, text)),
    ...call.afterDashes.map((text) => pathspecFinding(place, text)),
  );
}

/** `git diff` also compares two files outside of the index, so its operands may be plain paths. */
export function diffOperands(call: GitCall, place: Place): Judgement {
  const { findings } = revisionsAndPathspecs(call, place);
  const files = [
    ...call.operands.filter((text) => !/:|\.\./.test(text) || isPlace(text)),
    ...call.afterDashes.filter((text) => !text.startsWith(":")),
  ];
  return { ...judgementOf(...findings), paths: files };
}

/** Every operand names a file or folder that git itself opens or makes. */
export function files(call: GitCall, place: Place): Judgement {
  const all = allOperands(call).filter((text) => text !== "-");
  return { ...judgementOf(...all.map((text) => pathFinding(place, text, text))), paths: all };
}

/** An absolute path, or one with `..`: no revision looks like that. */
function looksLikePlace(text: string): boolean {
  return /^[\\/]|^[a-zA-Z]:[\\/]/.test(text) || text.split("/").includes("..");
}

/** Like `looksLikePlace`, but false for `HEAD:../x`, which begins with a revision. */
function isPlace(text: string): boolean {
  const [first = ""] = text.split(/[\\/]/);
  return looksLikePlace(text) && (first === ".." || !/:|\.\./.test(first));
}

/**
 * Pathspecs that may select files that git deletes unchecked. One that starts at the top or excludes may select any.
 */
export function unguardedPathspecs(call: GitCall, place: Place): readonly string[] {
  return allOperands(call).filter((text) =>
    MAGIC.test(text) ? place.unguarded.length > 0 : maySelectUnguarded(place, text),
  );
}

function pathspecFinding(place: Place, text: string): Finding | null {
  const plain = text.replace(MAGIC, "");
  if (plain.trim() === "") return null;
  return pathFinding(place, text, plain);
}
