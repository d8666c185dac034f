/** Marks a place in a list sorted by time and then by id: the next page begins after it. */
import { type SelectQueryBuilder, sql } from "kysely";
import type { Schema } from "./schema.ts";

/** The last row of a page; neither part is ever null. */
export interface Cursor {
  /** UTC ISO. */
  readonly at: string;
  readonly id: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The start of the next page; null at the end of the list. */
  readonly next: Cursor | null;
}

/** The cursor as one opaque word for an address. */
export function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.at, cursor.id])).toString("base64url");
}

/** The cursor that `writeCursor` wrote, or null if the word is not a cursor. */
export function readCursor(word: string): Cursor | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(word, "base64url").toString());
    if (!Array.isArray(parts) || parts.length !== 2) return null;
    const [at, id]: unknown[] = parts;
    const isText = typeof at === "string" && typeof id === "string";
    // No database takes a NUL character in a text.
    return isText && !`${at}${id}`.includes("\0") ? { at, id } : null;
  } catch {
    return null;
  }
}

/** Which page is asked for; the first one has no cursor. */
export interface PageQuery {
  readonly cursor: Cursor | null;
  readonly limit: number;
}

/** The rows of one page, newest first by this column and then by id, and one row more. */
export function pageRows<Table extends keyof Schema, Row>(
  rows: SelectQueryBuilder<Schema, Table, Row>,
  { cursor, limit }: PageQuery,
  time: "at" | "createdAt",
): SelectQueryBuilder<Schema, Table, Row> {
  const [at, id] = [sql.ref(time), sql.ref("id")];
  const wanted =
    cursor === null ? rows : rows.where(sql<boolean>`(${at}, ${id}) < (${cursor.at}, ${cursor.id})`);
  return wanted
    .orderBy(at, "desc")
    .orderBy(id, "desc")
    .limit(limit + 1);
}

/** A page of at most `limit` items, from rows that were read with one row more. */
export function pageOf<Time extends string, T extends Readonly<Record<Time | "id", string>>>(
  rows: readonly T[],
  { limit }: PageQuery,
  time: Time,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? { at: last[time], id: last.id } : null };
}
