/** Names branches, worktree folders and private refs (seed 003 Phase 1). */
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
