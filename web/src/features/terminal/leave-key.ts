/** Knows the key that leaves a terminal; the shell gets all others. */

/** As an event of the keyboard has it. */
interface Pressed {
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly code: string;
  readonly key: string;
}

/**
 * Ctrl and the backquote, by its place or by its sign: Japanese keyboards change their input with the key at that
 * place, and have the sign elsewhere.
 */
export function leavesTerminal({ ctrlKey, altKey, metaKey, code, key }: Pressed): boolean {
  return ctrlKey && !altKey && !metaKey && (code === "Backquote" || key === "`");
}
