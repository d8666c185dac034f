/** Cuts a long text into overlapping pieces, so that each short enough part lies whole in one of them. */

interface Piece {
  readonly text: string;
  /** Its offset in the whole. */
  readonly at: number;
}

/** Lengths in characters; `overlap` is less than `length`. */
export function* piecesOf(
  text: string,
  { length, overlap }: { readonly length: number; readonly overlap: number },
): Generator<Piece> {
  for (let at = 0; ; at += length - overlap) {
    yield { text: text.slice(at, at + length), at };
    if (at + length >= text.length) return;
  }
}
