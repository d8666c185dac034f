/** Marks a place in a list sorted by time and then by id: the next page begins after it. */

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
    return typeof at === "string" && typeof id === "string" ? { at, id } : null;
  } catch {
    return null;
  }
}

/** A page of at most `limit` items, from rows that were read with one row more. */
export function pageOf<T>(rows: readonly T[], limit: number, cursorOf: (row: T) => Cursor): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
