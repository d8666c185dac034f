/** Defines the format of `issue.json`: the current issue and the earlier ones, oldest first (seed 004 Error Categories). */
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { IssueDefinition } from "../domain/issue/issue-definition.ts";

const stored = z.looseObject({
  issue: z.string().refine((text) => text.trim() !== "", "is blank"),
  context: z.string(),
  constraints: z.string(),
  createdAt: z.iso.datetime({ offset: true }).refine((text) => !Number.isNaN(Date.parse(text)), "is no time"),
});

/** Keys that a person has added are kept. */
const issueDocument = stored.extend({ version: z.literal(1), history: z.array(stored).default([]) });

export type IssueDocument = z.infer<typeof issueDocument>;

/**
 * The depth of nested lists and objects; ours have three levels. Far deeper ones take minutes to write again, or
 * cannot be written.
 */
const MAX_DEPTH = 100;

/** Says in a clause why a text is not such a document. */
export function parseIssueDocument(text: string): Result<IssueDocument, string> {
  if (isDeep(text)) return err(`holds more than ${MAX_DEPTH} lists and objects in each other`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return err("is not JSON");
  }
  const parsed = issueDocument.safeParse(json);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return err(`is not as it was written: ${issue?.path.join(".") || "the whole"}: ${issue?.message}`);
}

/** Uses one pass, so a text that was made to be slow is not slower. */
function isDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') quoted = !quoted;
    else if (quoted && char === "\\") at += 1;
    else if (!quoted && (char === "[" || char === "{")) depth += 1;
    else if (!quoted && (char === "]" || char === "}")) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

export function definitionIn({ issue, context, constraints, createdAt }: IssueDocument): IssueDefinition {
  return { issue, context, constraints, createdAt: new Date(createdAt) };
}

/** The document after `next` was defined. `before` is the former document, null if there was none. */
export function documentOf(next: IssueDefinition, before: IssueDocument | null): IssueDocument {
  const { issue, context, constraints } = next;
  const createdAt = next.createdAt.toISOString();
  return { version: 1, issue, context, constraints, createdAt, history: historyWith(before) };
}

function historyWith(before: IssueDocument | null): IssueDocument["history"] {
  if (before === null) return [];
  const { version: _, history, ...current } = before;
  return [...history, current];
}

export function textOf(document: IssueDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
