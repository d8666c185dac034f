/** Writes comments as the words of a follow-up: `PATH:LINE`, the quoted line, what is said about it. */
import type { PlacedComment } from "./comment.ts";

/** `instruction` comes first, if there is any. `ownLength`: how far that part reaches. */
export function sentText(
  instruction: string,
  comments: readonly PlacedComment[],
): { readonly instruction: string; readonly ownLength: number } {
  const head = instruction.trim() === "" ? "Address these comments on the patch." : instruction.trim();
  return { instruction: [head, ...comments.map(commentText)].join("\n\n"), ownLength: head.length };
}

function commentText({ path, line, endLine, side, severity, quoted, outdated, body }: PlacedComment): string {
  const lines = endLine === null || endLine === line ? `${line}` : `${line}-${endLine}`;
  const place = line === null ? path : `${path}:${lines}`;
  const about = [
    side === "old" ? "before the change" : null,
    outdated ? "changed since" : null,
    severity,
  ].filter((word) => word !== null);
  return [
    `${place}${about.length === 0 ? "" : ` (${about.join(", ")})`}`,
    ...(quoted === null ? [] : [`> ${quoted.replaceAll("\n", "\n> ")}`]),
    body,
  ].join("\n");
}
