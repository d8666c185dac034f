/** Names a credential without telling it. */

const SHOWN = 4;
/** A shorter one would be told by half. */
const SHORTEST_SHOWN = 12;

/** Its first four characters and its length; of a short one the length alone. */
export function maskCredential(credential: string): string {
  const length = `${credential.length} characters`;
  if (credential.length < SHORTEST_SHOWN) return length;
  return `${credential.slice(0, SHOWN).replace(/[^\x21-\x7e]/g, "?")}…, ${length}`;
}
