/** Answers what other workers ask this one, by its own API (ADR 0087). */
import type { AskedAnswer, AskedCall } from "../../domain/worker/asked.ts";
import { answerRequest, dropTaken, takeRequest } from "../../storage/team/requests.ts";
import type { Uses } from "../core/context-parts.ts";
import { TAKE_MS } from "./ask-holder.ts";

type AnswerCall = (call: AskedCall) => Promise<AskedAnswer>;

/** One for an engine. */
export interface AnswerDesk {
  /** From now on requests are taken, those too that came before. */
  open(answer: AnswerCall): void;
  /** Begins to answer a request, unless it was withdrawn or taken before. */
  look(request: string): void;
  /** Resolves once what was begun is answered. */
  settled(): Promise<void>;
}

export function createAnswerDesk({
  db,
  owner,
  engineStop,
  reportFault,
}: Uses<"db" | "owner" | "engineStop" | "reportFault">): AnswerDesk {
  const { promise: opened, resolve } = Promise.withResolvers<AnswerCall>();
  const going = new Set<Promise<void>>();
  const answerOne = async (id: string, answer: AnswerCall) => {
    if (engineStop.aborted) return;
    const asked = await takeRequest(db, { id, worker: owner, withinMs: TAKE_MS });
    if (asked !== null) await answerRequest(db, { id, answer: await answer(asked.call) });
  };
  const begin = (id: string, answer: AnswerCall) => {
    const answered = answerOne(id, answer)
      .catch((error: unknown) => reportFault("what another worker asked", error))
      .finally(() => going.delete(answered));
    going.add(answered);
  };
  return {
    open: (answer) =>
      resolve(
        dropTaken(db, owner)
          .catch((error: unknown) => reportFault("what another worker asked before", error))
          .then(() => answer),
      ),
    look: (id) => void opened.then((answer) => begin(id, answer)),
    settled: async () => void (await Promise.all(going)),
  };
}
