/** Handles the endpoint of the publish gate. */
import type { GATE_ENDPOINTS } from "../../contract/endpoints/gate.ts";
import { type Handlers, shown } from "./handler.ts";

export const gateHandlers: Handlers<typeof GATE_ENDPOINTS> = {
  gate: ({ services, id }) =>
    shown(services.gate(id), ({ rows, ...same }) => ({
      ...same,
      rows: rows.map(({ whyNotRun, ...row }) => ({ ...row, why_not_run: whyNotRun })),
    })),
};
