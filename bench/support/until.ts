/** Waits for a condition by looking often. */

/** What `look` answers first that is neither null nor false. Throws with `what` after ten minutes. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  options: { readonly everyMs?: number } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + 600_000;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false)
      return found as NonNullable<Exclude<T, false>>;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await Bun.sleep(options.everyMs ?? 5);
  }
}
