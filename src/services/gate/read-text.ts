/** Tells text from binary content as git does, and reads it. */

/** Git looks that far for a NUL. */
const LOOKED_AT = 8000;

/**
 * Null for what is binary. Bytes that are no UTF-8 become U+FFFD. Of UTF-16, which says so itself, the NULs are left out:
 * what is ASCII in it is read right, and so is what only pretends to be UTF-16.
 */
export function readText(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const wide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (wide) return new TextDecoder().decode(bytes.filter((byte) => byte !== 0));
  return bytes.subarray(0, LOOKED_AT).includes(0) ? null : new TextDecoder().decode(bytes);
}
