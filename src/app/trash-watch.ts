/** Looks now and then, while an engine runs, at what in the trash is to go by itself. */
import type { ServiceContext } from "../services/context.ts";
import { purgeDue } from "../services/trash/purge-due.ts";

export interface TrashWatch {
  stop(): void;
}

/** The first look comes early: an engine that nobody needs ends by itself after ten minutes. */
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

export function watchTrash(context: ServiceContext): TrashWatch {
  const { trashKeepMs } = context.timing;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const lookIn = (ms: number) => {
    timer = setTimeout(look, Math.min(ms, trashKeepMs));
    timer.unref();
  };
  const look = async () => {
    await purgeDue(context).catch((error) => context.reportFault("deleting old trash", error));
    if (!context.leaving.aborted && timer !== null) lookIn(EVERY_MS);
  };
  lookIn(FIRST_MS);
  return {
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
