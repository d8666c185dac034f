/** Handles the endpoints of the publish gate, and of how an attempt stands. */
import type { GATE_ENDPOINTS } from "../../contract/endpoints/gate.ts";
import type { SITUATION_ENDPOINTS } from "../../contract/endpoints/worktree.ts";
import type { ShownGate } from "../../services/core/answer-shapes.ts";
import { type Handlers, shown } from "./handler.ts";

export const gateHandlers: Handlers<Pick<typeof GATE_ENDPOINTS, "gate"> & typeof SITUATION_ENDPOINTS> = {
  gate: ({ services, id }) =>
    shown(services.gate(id), ({ rows, leftOut, ...same }) => ({
      ...same,
      rows: rows.map(showRow),
      left_out: leftOut.map(({ path, by, at }) => ({ path, by, at })),
    })),
  situation: ({ services, id, request }) =>
    shown(services.situation(id, request), ({ reasons: { ownEdits: own_edits, ...reasons }, ...all }) => ({
      processes: all.processes?.map(({ rssBytes, ...one }) => ({ ...one, rss_bytes: rssBytes })) ?? null,
      drift: all.drift && showDrift(all.drift),
      worktree: all.worktree,
      own_edits: all.ownEdits,
      overlap: all.overlap,
      continues: all.continues,
      looked_at: all.lookedAt,
      reasons: { ...reasons, own_edits },
    })),
};

function showRow({ whyNotRun, override, takenBack, ...row }: ShownGate["rows"][number]) {
  return {
    ...row,
    override: override && {
      by: override.by,
      reason: override.reason,
      at: override.at,
      can_take_back: override.canTakeBack,
    },
    taken_back: takenBack.map(({ takenBackBy, takenBackAt, ...given }) => ({
      ...given,
      taken_back_by: takenBackBy,
      taken_back_at: takenBackAt,
    })),
    why_not_run: whyNotRun,
  };
}

function showDrift<D extends { readonly baseSha: string }>({ baseSha, ...drift }: D) {
  return { ...drift, base_sha: baseSha };
}
