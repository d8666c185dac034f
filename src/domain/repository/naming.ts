/** Names branches, worktree folders and private refs (seed 003, phase 1). */
import { createRedactor } from "../agent/redact.ts";

/** `run_{id of the first run}`, the folder of an attempt's worktree. */
export function worktreeName(firstRunId: string): string {
  return `run_${firstRunId}`;
}

/**
 * The branch name by `template`. `{id8}` is the first eight characters of the first run's id. `{slug}` is the title
 * in lower-case ASCII words without tokens, or the id if the title has none.
 */
export function branchName(
  template: string,
  run: { readonly runId: string; readonly title: string },
): string {
  const id8 = run.runId.slice(0, 8);
  const title = createRedactor({ values: [] }).text(run.title);
  return template.replaceAll("{id8}", id8).replaceAll("{slug}", slugOf(title) || id8);
}

/** Whether a branch name is one of ours: below `tazuna/`, or below the folder of `template`. */
export function isNamedByUs(branch: string, template: string): boolean {
  const fixed = template.slice(0, Math.max(0, template.indexOf("{")));
  const folder = fixed.slice(0, fixed.lastIndexOf("/") + 1);
  return branch.startsWith("tazuna/") || (folder !== "" && branch.startsWith(folder));
}

/**
 * The name to try if `taken` names exist: the wanted one, then `-2`, `-3` and so on. On some systems, names that
 * differ only in case are one file. A folder of a taken name is taken too.
 */
export function freeBranchName(wanted: string, taken: Iterable<string>): string {
  const folded = new Set([...taken].map(foldCase).flatMap(withFolders));
  for (let suffix = 1; ; suffix += 1) {
    const candidate = suffix === 1 ? wanted : `${wanted}-${suffix}`;
    if (!folded.has(foldCase(candidate))) return candidate;
  }
}

/**
 * The existing branch that prevents git from creating `branch`. It is a folder of its path (`tazuna` for `tazuna/x`),
 * or is below it (`tazuna/x` for `tazuna`). Null if there is none; a branch of the same name does not count.
 */
export function nameInTheWay(branch: string, names: Iterable<string>): string | null {
  for (const name of names) if (branch.startsWith(`${name}/`) || name.startsWith(`${branch}/`)) return name;
  return null;
}

/** `a/b/c`, `a/b` and `a`. */
function withFolders(name: string): readonly string[] {
  const parts = name.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function foldCase(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** At most 40 characters of lower-case ASCII words joined by `-`; empty if the title has no such word. */
export function slugOf(title: string): string {
  const words = title
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? word.slice(0, 40) : `${slug}-${word}`;
    if (longer.length > 40) break;
    slug = longer;
  }
  return slug;
}

/** Whether git accepts `name` as a branch name (the rules of `git check-ref-format --branch`). */
export function isBranchName(name: string): boolean {
  return (
    name !== "" &&
    name !== "@" &&
    name !== "HEAD" &&
    name.length <= 200 &&
    !name.startsWith("-") &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what git refuses.
    !/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$/.test(name) &&
    name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"))
  );
}

/** A one-line title from an instruction: its first non-empty line, without Markdown marks, at most 80 characters. */
export function titleOf(instruction: string): string {
  const line = firstLine(instruction);
  return line.length <= 80 ? line : `${line.slice(0, 79).trimEnd()}…`;
}

/** The first line with text, without Markdown marks. */
export function firstLine(text: string): string {
  const line = text.split(/\r?\n/).find((candidate) => candidate.replace(/[#>*\-\s]/g, "") !== "") ?? "";
  return line
    .replace(/^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+|\d+[.)]\s+)+/, "")
    .replace(/[*_`]{1,3}(\S(?:.*?\S)?)[*_`]{1,3}/g, "$1")
    .trim();
}
