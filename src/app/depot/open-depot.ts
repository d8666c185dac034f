/** Serves the depot on the disk of this machine, tidies it up, and tells all workers where it is. */
import { fileURLToPath } from "node:url";
import type { Chore } from "../../dispatch/chores.ts";
import type { Uses } from "../../services/core/context-parts.ts";
import { collectDepot } from "../../services/depot/collect-depot.ts";
import { placeDepot } from "../../services/depot/depot-of.ts";
import { createDepotServer, type DepotServer, MAX_PUSH_BYTES } from "../../services/depot/serve-depot.ts";
import type { DepotChoice } from "./depot-choice.ts";

/** What a server needs of the engine's depot. */
export interface EngineDepot {
  /** Null unless it is served here. */
  open(choice: DepotChoice | null): DepotServer | null;
  /** Once the server listens. `localUrl` is for this engine, `publicUrl` for all others. */
  settle(
    choice: DepotChoice | null,
    at: { readonly localUrl: string; readonly publicUrl: string },
  ): Promise<void>;
}

/** With some room, so that what is too long is refused in words. */
const MAX_BODY_BYTES = MAX_PUSH_BYTES + 64 * 1024 * 1024;

/** A first push takes a whole history along. */
export function bodyLimit(choice: DepotChoice | null): { readonly maxBodyBytes?: number } {
  return choice?.kind === "served" ? { maxBodyBytes: MAX_BODY_BYTES } : {};
}

type DepotContext = Parameters<typeof createDepotServer>[0] & Uses<"ownDepot" | "timing">;

export function engineDepot(context: DepotContext, chore: (chore: Chore) => void): EngineDepot {
  return {
    open: (choice) => (choice?.kind === "served" ? createDepotServer(context, choice.folder) : null),
    settle: async (choice, { localUrl, publicUrl }) => {
      if (choice === null) return;
      if (choice.kind === "served") context.ownDepot.servedAt = `${localUrl}/depot`;
      const folder = folderOf(choice);
      if (folder !== null) chore(tidyingUp(context, folder));
      await placeDepot(context, choice.kind === "none" ? null : rowOf(choice, publicUrl));
    },
  };
}

/** On another git server its owner does it. Of engines that share the folder, one does it. */
function tidyingUp(context: DepotContext, folder: string): Chore {
  return {
    name: "depot-gc",
    everyMs: context.timing.depotGcMs,
    act: () =>
      collectDepot(context, folder).catch((error) => context.reportFault("tidying up the depot", error)),
  };
}

function folderOf(choice: DepotChoice): string | null {
  if (choice.kind === "served") return choice.folder;
  return choice.kind === "elsewhere" && choice.url.startsWith("file://") ? fileURLToPath(choice.url) : null;
}

function rowOf(choice: Exclude<DepotChoice, { kind: "none" }>, publicUrl: string) {
  return choice.kind === "elsewhere"
    ? ({ kind: "elsewhere", url: choice.url } as const)
    : ({ kind: "served", url: `${publicUrl}/depot` } as const);
}
