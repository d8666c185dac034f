/** Joins what takes room: worktrees, the trash, and what puts them away. */
import { ok } from "neverthrow";
import { cleanAttempts } from "../clean/clean-attempts.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { restoreEntry } from "../restore/restore-entry.ts";
import { listStorage } from "../storage/list-storage.ts";
import { emptyTrash } from "../trash/empty-trash.ts";
import { listTrash } from "../trash/trash-entries.ts";
import type { ServiceMemory } from "./memory.ts";

export function storageServices(context: ServiceContext, { scanner }: ServiceMemory) {
  return {
    trash: () => listTrash(context),
    restoreTrash: (id) => restoreEntry(context, id),
    emptyTrash: ({ yes }) => emptyTrash(context, { yes, only: null }),
    clean: (request) => cleanAttempts(context, request),
    storage: (query) => listStorage(context, scanner, query),
    scanStorage: async () => {
      scanner.begin();
      return ok({ scanning: true, scanned_at: scanner.last()?.at ?? null });
    },
  } satisfies Partial<Services>;
}
