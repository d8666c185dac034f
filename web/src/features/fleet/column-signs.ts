/** The sign and the family of each column, for its heading on board and table. */
import type { Column } from "@contract/words/present-card.ts";
import type { StateSign } from "@contract/words/present-run.ts";

export const COLUMN_SIGNS: Readonly<Record<Column, { readonly sign: StateSign; readonly family: string }>> = {
  queued: { sign: "ring-dashed", family: "queue" },
  working: { sign: "ring-dot", family: "work" },
  needs: { sign: "diamond-bang", family: "needs" },
  review: { sign: "speech", family: "review" },
  ready: { sign: "disc-arrow", family: "ready" },
  done: { sign: "ring-tick", family: "queue" },
};
