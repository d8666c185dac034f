/** Writes comments on a patch for people, the gravest first. */
import type { CommentDocument } from "../../contract/endpoints/comments.ts";
import { cleanLine, cleanText } from "../../contract/text.ts";
import { actorWords, needsNames } from "../../contract/words/actor-words.ts";
import { shortId } from "../shared/resolve-id.ts";

const ORDER = ["critical", "high", "medium", "low", null] as const;

/** Empty if there are none. */
export function commentsText(comments: readonly CommentDocument[]): string {
  const sorted = ORDER.flatMap((severity) => comments.filter((comment) => comment.severity === severity));
  return sorted.map(commentText).join("\n");
}

function commentText(comment: CommentDocument): string {
  const { id, path, line, side, severity, author, state, quoted, body } = comment;
  const place = `${cleanLine(path)}${line === null ? "" : `:${line}`}`;
  const said = [
    severity,
    side === "old" ? "before the change" : null,
    author === null ? writerText(comment) : `by ${cleanLine(author)}`,
    state === "open" ? null : state,
  ].filter((word) => word !== null);
  return [
    `${shortId(id)}  ${place}  (${said.join(", ")})\n`,
    quoted === null ? "" : `  > ${cleanLine(quoted)}\n`,
    `  ${cleanText(body).trim().replaceAll("\n", "\n  ")}\n`,
  ].join("");
}

/** Who is at this machine is not told apart: an older engine did not either. */
function writerText({ actor }: CommentDocument): string {
  return needsNames([actor]) ? `by ${cleanLine(actorWords(actor))}` : "yours";
}
