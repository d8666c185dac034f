/** Tells text from binary content as git does, and reads both. */

/** Git looks that far for a NUL. */
const LOOKED_AT = 8000;

export interface ReadText {
  readonly text: string;
  readonly isBinary: boolean;
}

/**
 * Bytes that are no UTF-8 become U+FFFD. Of UTF-16, which says so itself, and of all that is binary the NULs are left out:
 * what is ASCII in it is read right, in whatever width it is written, and one NUL hides nothing.
 */
export function readText(bytes: Uint8Array): ReadText {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const isBinary = !isWide && bytes.subarray(0, LOOKED_AT).includes(0);
  const read = bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes;
  return { text: new TextDecoder().decode(read), isBinary };
}
