/** Finds everything in one text that looks like a credential, piece by piece, so that nobody else waits for long. */
import { setImmediate as otherWork } from "node:timers/promises";
import { piecesOf } from "../../domain/publish/pieces.ts";
import { findPrivateKeys } from "../../domain/publish/private-keys.ts";
import { findRandomStrings } from "../../domain/publish/random-strings.ts";
import { findKnownCredentials, type KnownCredential } from "./known-credentials.ts";

/** Characters that are read in one go; the overlap holds the longest key. */
const PIECES = { length: 256 * 1024, overlap: 24 * 1024 };

export interface Credential {
  /** From 1. */
  readonly line: number;
  readonly kind: string;
  /** The text itself; it never leaves the gate but masked. */
  readonly credential: string;
}

/**
 * In the order of the text; several rules may find the same. Null where `isLate` said so before the end. In binary content
 * much looks random, so only credentials of a known shape are looked for.
 */
export async function findCredentials(
  text: string,
  {
    path,
    isBinary,
    isLate,
  }: { readonly path: string; readonly isBinary: boolean; readonly isLate: () => boolean },
): Promise<readonly Credential[] | null> {
  const found: KnownCredential[] = [];
  for (const piece of piecesOf(text, PIECES)) {
    if (isLate()) return null;
    const here = [
      ...(await findKnownCredentials(piece.text, path)),
      ...findPrivateKeys(piece.text).map((key) => ({ kind: "privatekey", ...key })),
      ...(isBinary ? [] : findRandomStrings(piece.text, path)).map((string) => ({
        kind: "random",
        ...string,
      })),
    ];
    found.push(
      ...here.map(({ kind, start, end }) => ({ kind, start: piece.at + start, end: piece.at + end })),
    );
    if (text.length > PIECES.length) await otherWork();
  }
  return withLines(text, found);
}

function withLines(text: string, found: readonly KnownCredential[]): readonly Credential[] {
  let line = 1;
  let counted = 0;
  return found
    .toSorted((a, b) => a.start - b.start)
    .map(({ kind, start, end }) => {
      for (let at = text.indexOf("\n", counted); at >= 0 && at < start; at = text.indexOf("\n", counted)) {
        line += 1;
        counted = at + 1;
      }
      return { line, kind, credential: text.slice(start, end) };
    });
}
