/** Draws what is to be said of an attempt in a team. Who works alone does not load it. */
import type { AttemptDocument } from "@contract/task-document.ts";
import { loadWords } from "../../i18n/i18n.ts";
import { part } from "../../ui/loaded/part.tsx";

const TeamChips = part(async () => {
  const [chips] = await Promise.all([import("./team-chips.tsx"), loadWords("engine")]);
  return chips.TeamChips;
});

export function TeamPart({
  of,
  hasOwnLine = false,
}: {
  readonly of: AttemptDocument;
  readonly hasOwnLine?: boolean;
}) {
  const isMoved = of.runs.at(-1)?.notes.some(({ code }) => code === "moved") === true;
  return of.worker !== null ||
    isMoved ||
    of.depot?.unprotected_since != null ||
    of.came_back !== undefined ? (
    <TeamChips of={of} hasOwnLine={hasOwnLine} />
  ) : null;
}
