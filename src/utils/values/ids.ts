/** Makes the ids of everything that is stored. */

/** A random UUID (version 4), lower case; random from its first character on, never ordered by time. */
export function newId(): string {
  // Uses the global one: importing `node:crypto` takes Bun longer than its own start.
  return crypto.randomUUID();
}
