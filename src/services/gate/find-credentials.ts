/** Finds everything in one text that looks like a credential. It works in pieces, so that other work does not wait long. */
import { setImmediate as otherWork } from "node:timers/promises";
import { piecesOf } from "../../domain/publish/pieces.ts";
import type { FoundSecret } from "../../domain/secrets/find/compile.ts";
import { findSecrets } from "../../domain/secrets/find/find-secrets.ts";

/** Characters to read in one go; the overlap holds the longest key. */
const PIECES = { length: 256 * 1024, overlap: 24 * 1024 };

/** This much of a piece only shows what stands before a secret. The piece before finds secrets that begin in it. */
const SEEN_BEFORE = 2 * 1024;

export interface Credential {
  /** Counts from 1. */
  readonly line: number;
  /** The row of the list of shapes that it matches. */
  readonly kind: string;
  /** Whether it begins with the prefix of its kind: that prefix may be shown. */
  readonly hasPrefix: boolean;
  /** The text itself; it leaves the gate only masked. */
  readonly credential: string;
}

/** In the order of the text. Null if `isLate` became true before the end. */
export async function findCredentials(
  text: string,
  {
    path,
    isBinary,
    isLate,
  }: { readonly path: string; readonly isBinary: boolean; readonly isLate: () => boolean },
): Promise<readonly Credential[] | null> {
  const found: FoundSecret[] = [];
  for (const piece of piecesOf(text, PIECES)) {
    if (isLate()) return null;
    const isLast = piece.at + PIECES.length >= text.length;
    const from = piece.at === 0 ? 0 : SEEN_BEFORE;
    const to = isLast ? Number.POSITIVE_INFINITY : PIECES.length - PIECES.overlap + SEEN_BEFORE;
    for (const secret of findSecrets(piece.text, { path, isBinary }).filter(
      ({ start }) => start >= from && start < to,
    ))
      found.push({ ...secret, start: piece.at + secret.start, end: piece.at + secret.end });
    if (text.length > PIECES.length) await otherWork();
  }
  return withLines(text, found);
}

function withLines(text: string, found: readonly FoundSecret[]): readonly Credential[] {
  let line = 1;
  let counted = 0;
  return found
    .toSorted((a, b) => a.start - b.start)
    .map(({ name, hasPrefix, start, end }) => {
      for (let at = text.indexOf("\n", counted); at >= 0 && at < start; at = text.indexOf("\n", counted)) {
        line += 1;
        counted = at + 1;
      }
      return { line, kind: name, hasPrefix, credential: text.slice(start, end) };
    });
}
