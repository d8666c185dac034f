/** Tells operations apart: their change, who asked for them, and which were undone. */
import type { OperationDocument } from "@contract/endpoints/operations.ts";
import { cleanLine } from "@contract/text.ts";

interface Change {
  /** The branch, file or address that it is about. */
  readonly thing: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

type Fields = OperationDocument["before"];

export function changeOf({
  before,
  after,
  kind,
}: Pick<OperationDocument, "before" | "after" | "kind">): Change {
  const both = { ...after, ...before };
  const number = both.number;
  const thing =
    textIn(both, "ref") ??
    textIn(both, "branch") ??
    textIn(both, "file") ??
    textIn(both, "path") ??
    textIn(both, "url");
  if (typeof number === "number") return { thing, from: null, to: `#${number}` };
  if (kind === "worktree_add")
    return { thing, from: null, to: textIn(after, "sha") ?? textIn(before, "baseSha") };
  return {
    thing,
    from: textIn(before, "sha") ?? textIn(before, "is"),
    to: textIn(after, "sha") ?? textIn(after, "is") ?? textIn(after, "commit"),
  };
}

function textIn(fields: Fields, name: string): string | null {
  const value = fields?.[name];
  return typeof value === "string" && value !== "" ? cleanLine(value) : null;
}

/** Seven letters of a commit; anything else whole. */
export function shortSha(text: string): string {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text) ? text.slice(0, 7) : text;
}

interface Asked {
  /** A person, if one asked for it by name. */
  readonly by: string | null;
  /** Their words, or the reason of a snapshot. */
  readonly reason: string | null;
  /** The failure of an act, in the words of git. */
  readonly message: string | null;
}

export function askedOf({ before, after }: Pick<OperationDocument, "before" | "after">): Asked {
  return {
    by: textIn(before, "by")?.replace(/ <[^>]*>$/, "") ?? null,
    reason: textIn(before, "reason"),
    message: textIn(after, "message") ?? textIn(after, "error"),
  };
}

/** How long it took; null if it has not ended. */
export function tookMs({ at, ended_at: ended }: OperationDocument): number | null {
  return ended === null ? null : Math.max(0, Date.parse(ended) - Date.parse(at));
}

/** The ids of those that another one of the list took back. */
export function undoneIn(operations: readonly OperationDocument[]): ReadonlySet<string> {
  return new Set(
    operations
      .filter(({ kind, status }) => kind === "undo" && status === "done")
      .flatMap(({ before }) => textIn(before, "of") ?? []),
  );
}

/** The newest first; what is in several pages counts once, as the newest reading has it. */
export function merged(...pages: readonly (readonly OperationDocument[])[]): readonly OperationDocument[] {
  const byId = new Map<string, OperationDocument>();
  for (const operation of pages.flat()) if (!byId.has(operation.id)) byId.set(operation.id, operation);
  return [...byId.values()].sort(
    (one, other) => other.at.localeCompare(one.at) || other.id.localeCompare(one.id),
  );
}

/** Every field of a state, for a person who wants to see all. */
export function fieldsOf(state: Fields): readonly (readonly [name: string, value: string])[] {
  return Object.entries(state ?? {}).flatMap(([name, value]) =>
    value === null || value === undefined || value === ""
      ? []
      : [[name, cleanLine(typeof value === "string" ? value : JSON.stringify(value))] as const],
  );
}
