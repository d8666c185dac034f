/** Draws what is to be said of an attempt in a team. Who works alone does not load it. */
import type { AttemptDocument } from "@contract/task-document.ts";
import { loadWords } from "../../i18n/i18n.ts";
import { part } from "../../ui/loaded/part.tsx";

const TeamChips = part(async () => {
  const [chips] = await Promise.all([import("./team-chips.tsx"), loadWords("engine")]);
  return chips.TeamChips;
});

const CameBack = part(async () => {
  const [cameBack] = await Promise.all([import("./came-back.tsx"), loadWords("engine")]);
  return cameBack.CameBack;
});

/** What a machine that came back still had. */
export function CameBackPart({ of }: { readonly of: AttemptDocument }) {
  return hasOffers(of) ? <CameBack of={of} /> : null;
}

const hasOffers = ({ came_back: offers }: AttemptDocument) => offers !== undefined && offers.length > 0;

export function TeamPart({
  of,
  hasOwnLine = false,
}: {
  readonly of: AttemptDocument;
  readonly hasOwnLine?: boolean;
}) {
  const isMoved = of.runs.at(-1)?.notes.some(({ code }) => code === "moved") === true;
  return of.worker !== null || isMoved || of.depot?.unprotected_since != null || hasOffers(of) ? (
    <TeamChips of={of} hasOwnLine={hasOwnLine} />
  ) : null;
}
