/** Describes a credential without showing it. */

const SHOWN = 4;
/** Four characters would be too much of a shorter one. */
const MIN_SHOWN_LENGTH = 12;

/** Its length, and the first four characters if they only tell its kind. */
export function maskCredential({
  credential,
  hasPrefix,
}: {
  readonly credential: string;
  readonly hasPrefix: boolean;
}): string {
  const length = `${credential.length} characters`;
  if (!hasPrefix || credential.length < MIN_SHOWN_LENGTH) return length;
  return `${credential.slice(0, SHOWN).replace(/[^\x21-\x7e]/g, "?")}…, ${length}`;
}
