/** Reads `git diff --raw --numstat -z`: which files differ, how, and by how many lines. */
import { z } from "zod";
import { CHANGES, changeOf, lineCountOf } from "../../../domain/read/file-changes.ts";

export const diffFile = z.strictObject({
  path: z.string().describe("Relative to the root of the repository."),
  old_path: z.string().nullable().describe("Where it was, of a rename or copy."),
  status: z.enum([...Object.values(CHANGES), "unmerged", "unknown"]),
  additions: z.int().nullable().describe("Lines; null of a binary file."),
  deletions: z.int().nullable(),
});

export const parsedDiff = z.strictObject({
  kind: z.literal("diff"),
  files: z.array(diffFile),
  truncated: z.boolean(),
});

type DiffFile = z.output<typeof diffFile>;

/** The call must not ask for any other format beside these. */
export const DIFF_FILES_ARGS: readonly string[] = ["--raw", "--numstat", "-z", "--no-color", "--no-abbrev"];

interface Lines {
  readonly additions: number | null;
  readonly deletions: number | null;
}

/** All raw records come first, then all counts in the same order. An unmerged file may come twice. */
export function parseDiffFiles(text: string): readonly DiffFile[] {
  const fields = text.split("\0").slice(0, -1);
  const files: Omit<DiffFile, keyof Lines>[] = [];
  const lines = new Map<string, Lines>();
  for (let at = 0; at < fields.length; ) {
    const field = fields[at] ?? "";
    if (field.startsWith(":")) {
      const { file, next } = rawFile(fields, at);
      files.push(file);
      at = next;
      continue;
    }
    const { path, counts, next } = countedFile(fields, at);
    lines.set(path, counts);
    at = next;
  }
  const unmerged = new Set(files.filter(({ status }) => status === "unmerged").map(({ path }) => path));
  return files
    .filter(({ path, status }) => status === "unmerged" || !unmerged.has(path))
    .map((file) => ({ ...file, ...(lines.get(file.path) ?? { additions: null, deletions: null }) }));
}

/**
 * `:100644 100644 abc def R086`, then one name, or two for a rename or copy. A merge has more colons, modes and
 * letters.
 */
function rawFile(
  fields: readonly string[],
  at: number,
): { readonly file: Omit<DiffFile, keyof Lines>; readonly next: number } {
  const letters = fields[at]?.split(" ").at(-1) ?? "";
  const letter = letters.charAt(0);
  const isPair = letter === "R" || letter === "C";
  const [first = "", second = ""] = fields.slice(at + 1);
  const status = letter === "U" ? "unmerged" : (changeOf(letter) ?? "unknown");
  return isPair && !/^::/.test(fields[at] ?? "")
    ? { file: { path: second, old_path: first, status }, next: at + 3 }
    : { file: { path: first, old_path: null, status }, next: at + 2 };
}

/** `3 TAB 1 TAB name`, or no name and then the old and the new one. `-` stands for a binary file. */
function countedFile(
  fields: readonly string[],
  at: number,
): { readonly path: string; readonly counts: Lines; readonly next: number } {
  const [added = "", deleted = "", ...name] = (fields[at] ?? "").split("\t");
  const counts = { additions: lineCountOf(added), deletions: lineCountOf(deleted) };
  const path = name.join("\t");
  if (path !== "") return { path, counts, next: at + 1 };
  return { path: fields[at + 2] ?? "", counts, next: at + 3 };
}
