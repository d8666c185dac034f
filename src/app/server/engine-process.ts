/** Lets clients ask an engine about itself and stop it, over its HTTP API. */
import type { EngineProcess } from "../../api/http/api-options.ts";
import type { EngineAnswer } from "../../contract/endpoints/engine.ts";
import { unfinishedRuns } from "../../storage/tables/runs.ts";
import type { Engine } from "../engine/engine.ts";

/** Time for the answer to arrive before the server is closed. */
const ANSWER_MS = 50;

export function engineProcess(
  engine: Engine,
  callbacks: {
    readonly about: () => Omit<EngineAnswer, "idle" | "runs">;
    /** Whether a stream is open, which means that a client watches. */
    readonly watched: () => boolean;
    readonly leave: (() => void) | null;
  },
): EngineProcess {
  const isIdle = async () => !callbacks.watched() && (await engine.isIdle());
  return {
    about: async () => {
      const unfinished = await unfinishedRuns(engine.db.reader);
      const runs = unfinished.filter(({ held }) => !held);
      return {
        ...callbacks.about(),
        idle: await isIdle(),
        runs: runs.map(({ id, attemptId, status, phase }) => ({ id, attempt: attemptId, status, phase })),
      };
    },
    leave: async ({ onlyIdle }) => {
      if (callbacks.leave === null || (onlyIdle && !(await isIdle()))) return false;
      setTimeout(callbacks.leave, ANSWER_MS);
      return true;
    },
  };
}
