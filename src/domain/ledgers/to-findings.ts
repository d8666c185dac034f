/** Turns explanations into the findings of `tazuna doctor`: only what a person should know. */
import { type Finding, makeFinding } from "../doctor/finding.ts";
import { type Explanation, type Owner, short } from "./explanation.ts";

/** The shown ones, by standing; the rest is in order. */
const LEVELS: ReadonlyMap<Explanation["standing"], Finding["level"]> = new Map([
  ["unexplained", "warning"],
  ["unfinished", "warning"],
  ["lost", "warning"],
  ["stale", "info"],
]);

/** One finding for each thing that a person should know of; a single `ok` if there is none. */
export function toFindings(
  explanations: readonly Explanation[],
  bytesOf: ReadonlyMap<string, number | null>,
): readonly Finding[] {
  const shown = explanations.flatMap(({ id, standing, what, owner, why, path, remedy }) => {
    const level = LEVELS.get(standing);
    const more = { whose: owner && whose(owner), why, bytes: bytesOf.get(id) ?? null, path, remedy };
    return level === undefined ? [] : [makeFinding(level, id, what, more)];
  });
  return shown.length > 0 ? shown : [AGREED];
}

export function isShown({ standing }: Explanation): boolean {
  return LEVELS.has(standing);
}

const AGREED = makeFinding("ok", "ledgers", "The database, git, the disk and the living processes agree.");

function whose({ type, id }: Owner): string {
  return `${type} ${short(id)}`;
}
