/** Tells the errors by which the system had no room to look: they say nothing of what is there. */

const NO_LOOK: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

/** Such as that this process has as many files open as it may. */
export function isNoLook(error: unknown): boolean {
  return NO_LOOK.has((error as NodeJS.ErrnoException).code);
}
