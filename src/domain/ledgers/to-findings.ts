/** Turns explanations into the findings of `tazuna doctor`: only what a person should know. */
import type { Finding } from "../doctor/finding.ts";
import { type Explanation, type Owner, short } from "./explanation.ts";

/** The shown ones, by standing; the rest is in order. */
const LEVELS = { unexplained: "warning", unfinished: "warning", lost: "warning", stale: "info" } as const;

export function isShown({ standing }: Explanation): boolean {
  return standing in LEVELS;
}

/** One finding for each thing that a person should know of; a single `ok` if there is none. */
export function toFindings(
  explanations: readonly Explanation[],
  bytesOf: ReadonlyMap<string, number | null>,
): readonly Finding[] {
  const shown = explanations.flatMap(({ standing, ...explanation }) => {
    const level = standing in LEVELS ? LEVELS[standing as keyof typeof LEVELS] : null;
    return level === null ? [] : [{ level, ...explanation }];
  });
  if (shown.length === 0) return [AGREED];
  return shown.map(({ id, level, what, owner, why, path, remedy }) => ({
    id,
    level,
    what,
    whose: owner === null ? null : whose(owner),
    why,
    bytes: bytesOf.get(id) ?? null,
    path,
    remedy,
  }));
}

const AGREED: Finding = {
  id: "ledgers",
  level: "ok",
  what: "The database, git, the disk and the living processes agree.",
  whose: null,
  why: null,
  bytes: null,
  path: null,
  remedy: null,
};

function whose({ type, id }: Owner): string {
  return `${type} ${short(id)}`;
}
