/** Describes and makes one finding of `tazuna doctor`: the thing, its owner, why it may or may not go, and its remedy. */

export interface Finding {
  /** Stable as long as the thing does not change, such as `worktree:run_1234`. */
  readonly id: string;
  readonly level: "ok" | "info" | "warning" | "error";
  /** One sentence. */
  readonly what: string;
  /** Its owner, in words for a person; null if it is unknown, or if there is none. */
  readonly whose: string | null;
  /** Why it may or may not go, or why it matters; null if `what` says all. */
  readonly why: string | null;
  /** Its size in bytes; null if that was not counted. */
  readonly bytes: number | null;
  /** Absolute; null if it is not a file. */
  readonly path: string | null;
  /** What to do about it, in one sentence with clear steps; null if nothing has to be done. */
  readonly remedy: string | null;
}

type More = Partial<Omit<Finding, "id" | "level" | "what">>;

/** Omitted fields are null. */
export function found(level: Finding["level"], id: string, what: string, more: More = {}): Finding {
  return { id, level, what, whose: null, why: null, bytes: null, path: null, remedy: null, ...more };
}

/** The first line of a program's message, with a full stop. */
export function sentence(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** The owner of a thing that concerns these repositories. */
export function repositoriesOf(names: readonly string[]): string {
  return `${names.length === 1 ? "repository" : "repositories"} ${listed(names)}`;
}

/** `one`, `one and two`, `one, two and three`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
