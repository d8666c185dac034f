/** Tells text from binary content as git does, and reads both. */

/** Git looks for a NUL in this many bytes. */
const LOOKED_AT = 8000;

export interface ReadText {
  readonly text: string;
  readonly isBinary: boolean;
}

/**
 * Bytes that are not UTF-8 become U+FFFD. The NULs of UTF-16 and of binary content are left out. So ASCII in it is read
 * correctly in any width, and a single NUL hides nothing.
 */
export function readText(bytes: Uint8Array): ReadText {
  const isBinary = !isWide(bytes) && bytes.subarray(0, LOOKED_AT).includes(0);
  const read = bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes;
  return { text: new TextDecoder().decode(read), isBinary };
}

/** In ASCII text as UTF-16 every other byte is NUL; images and programs have NULs anywhere. */
const MOSTLY = 0.8;

/** Whether it is UTF-16: it has a byte order mark, or the positions of its NULs show it. */
function isWide(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const looked = bytes.subarray(0, LOOKED_AT);
  const nulls = [0, 0];
  for (const [at, byte] of looked.entries()) if (byte === 0) nulls[at % 2] = (nulls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nulls;
  return Math.max(even, odd) > (MOSTLY * looked.length) / 2 && Math.min(even, odd) === 0;
}
