/** Waits for a condition instead of a time. */

/**
 * Polls until `probe` answers something other than null, undefined or false, and returns it.
 * Throws with `what` when the deadline passes first. That is 120 s unless told: long for a busy machine, and shorter
 * than the time limit of a test. `instead` says what is there then, for the reader of the message.
 */
export async function waitFor<T>(
  what: string,
  probe: () => T | Promise<T>,
  options: { readonly withinMs?: number; readonly instead?: () => unknown } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + (options.withinMs ?? 120_000);
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false)
      return found as NonNullable<Exclude<T, false>>;
    if (Date.now() > deadline) {
      const instead =
        options.instead === undefined ? "" : `; instead: ${JSON.stringify(await options.instead())}`;
      throw new Error(`waited in vain for: ${what}${instead}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
