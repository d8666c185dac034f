/** Makes one finding of `tazuna doctor`: the thing, its owner, why it may or may not go, and its remedy. */
import { z } from "zod";
import type { Entity } from "../entity.ts";
import { listed } from "../text/listed.ts";

export const findingSchema = z.object({
  /** Stable as long as the thing does not change, such as `worktree:run_1234`. */
  id: z.string(),
  level: z.enum(["ok", "info", "warning", "error"]),
  /** One sentence. */
  what: z.string(),
  /** Its owner, in words for a person; null if it is unknown, or if there is none. */
  whose: z.string().nullable(),
  /** Why it may or may not go, or why it matters; null if `what` says all. */
  why: z.string().nullable(),
  /** Its size in bytes; null if that was not counted. */
  bytes: z.number().nullable(),
  /** Absolute; null if it is not a file. */
  path: z.string().nullable(),
  /** What to do about it, in one sentence with clear steps; null if nothing has to be done. */
  remedy: z.string().nullable(),
});
export type Finding = Entity<typeof findingSchema>;

type More = Partial<Omit<Finding, "id" | "level" | "what">>;

/** Omitted fields are null. */
export function makeFinding(level: Finding["level"], id: string, what: string, more: More = {}): Finding {
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
