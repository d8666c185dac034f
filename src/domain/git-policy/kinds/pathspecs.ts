/** Judges operands that select files of the repository; git confines them to the repository, this to the workspace. */
import { type Judgement, saying } from "../judgement.ts";
import type { GitCall } from "../parse/parse-call.ts";
import { allOperands } from "../tables/command-table.ts";
import type { Finding } from "../verdict.ts";
import { maySelectUnguarded, type Place, pathFinding } from "./place.ts";

/** `:(top,icase)`, `:/`, `:!`, `:^` and their mixtures in front of a pathspec. */
const MAGIC = /^:(?:\([^)]*\)|[/!^]+:?|:)/;

/** Every operand is a pathspec: `add`, `rm`, `restore`. */
export function pathspecs(call: GitCall, place: Place): Judgement {
  return saying(...allOperands(call).map((text) => pathspecFinding(place, text)));
}

/** Revisions, then pathspecs; without `--` git finds out which is which. */
export function revisionsAndPathspecs(call: GitCall, place: Place): Judgement {
  return saying(
    ...call.operands.filter(looksLikePlace).map((text) => pathspecFinding(place, text)),
    ...call.afterDashes.map((text) => pathspecFinding(place, text)),
  );
}

/** `git diff` also compares two files that git does not know, so its operands may be plain paths. */
export function diffOperands(call: GitCall, place: Place): Judgement {
  const { findings } = revisionsAndPathspecs(call, place);
  const files = [
    ...call.operands.filter((text) => !/:|\.\./.test(text) || isPlace(text)),
    ...call.afterDashes.filter((text) => !text.startsWith(":")),
  ];
  return { ...saying(...findings), paths: files };
}

/** Every operand names a file or folder that git opens or makes by itself. */
export function files(call: GitCall, place: Place): Judgement {
  const all = allOperands(call).filter((text) => text !== "-");
  return { ...saying(...all.map((text) => pathFinding(place, text, text))), paths: all };
}

/** An absolute path, or one that climbs: no revision looks like that. */
function looksLikePlace(text: string): boolean {
  return /^[\\/]|^[a-zA-Z]:[\\/]/.test(text) || text.split("/").includes("..");
}

/** As `looksLikePlace`, but not `HEAD:../x`, which begins with a revision. */
function isPlace(text: string): boolean {
  const [first = ""] = text.split(/[\\/]/);
  return looksLikePlace(text) && (first === ".." || !/:|\.\./.test(first));
}

/** Pathspecs that may select what git would delete without asking; one that starts at the top or excludes may select any. */
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
