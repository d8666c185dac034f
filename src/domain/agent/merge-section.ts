/** Writes the prompt's section on an unfinished merge: each file in conflict, and what each side did to it. */

/** One path in conflict. A side that has nothing there is false. */
export interface ConflictedFile {
  readonly path: string;
  readonly base: boolean;
  readonly ours: boolean;
  readonly theirs: boolean;
  readonly kind: "file" | "link" | "submodule";
  /** Whether the file holds conflict markers now. */
  readonly marked: boolean;
}

export interface MergeToResolve {
  /** What is being merged, such as `origin/tazuna/1a2b3c4d`. */
  readonly revision: string;
  /** Its commit, in full. */
  readonly sha: string;
  readonly files: readonly ConflictedFile[];
}

const MAX_FILES = 200;

/** The text of the section, without its heading. */
export function mergeSection({ revision, sha, files }: MergeToResolve): string {
  const shown = files.slice(0, MAX_FILES).map((file) => `- ${quoted(file.path)}: ${whatHappened(file)}`);
  const left = files.length - shown.length;
  const more =
    left === 0 ? [] : [`- and ${left} more: \`git diff --name-only --diff-filter=U\` lists them all.`];
  return [
    `Tazuna is merging ${revision} (commit ${sha.slice(0, 12)}) into this branch, and these files conflict:`,
    "",
    ...shown,
    ...more,
    "",
    "Edit, write or delete these files until each one holds what both sides wanted, without any conflict marker.",
    "`git show HEAD:PATH` prints a file as this branch has it, `git show MERGE_HEAD:PATH` as they have it.",
    "Do not commit, add, abort or begin a merge: Tazuna concludes this one from the files when you are done.",
  ].join("\n");
}

/** What both sides did at one path, and what has to be decided. */
export function whatHappened({ base, ours, theirs, kind, marked }: ConflictedFile): string {
  if (ours && theirs) return bothHaveIt({ base, kind, marked });
  if (ours && base) return "they deleted it and this branch changed it; keep it or delete it.";
  if (theirs && base) return "this branch deleted it and they changed it; keep it or delete it.";
  if (base) return "both sides moved it away or deleted it; nothing needs to lie here.";
  const side = ours ? "this branch" : "their side";
  return `only ${side} has something under this name, because of a rename or a folder in its place. Keep it, move it or delete it.`;
}

function bothHaveIt({ base, kind, marked }: Pick<ConflictedFile, "base" | "kind" | "marked">): string {
  const did = base ? "both sides changed it" : "both sides added it";
  if (kind === "submodule")
    return `${did}, a submodule; it stays at this branch's commit unless it is deleted.`;
  if (marked) return `${did}; where they differ stands between conflict markers.`;
  const why = kind === "link" ? "a link" : "which git cannot merge line by line";
  return `${did}, ${why}; it holds no conflict markers, and what lies here now is what is taken.`;
}

/** Quotes a path as JSON if one of its characters would break the line. */
function quoted(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be quoted.
  return /[\x00-\x1f\x7f`]/.test(path) ? JSON.stringify(path) : path;
}
