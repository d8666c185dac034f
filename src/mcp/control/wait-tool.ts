/** Declares the tool that waits until a task, an attempt or a run has ended, or needs a person. */
import { err, ok } from "neverthrow";
import { z } from "zod";
import { findNamed, partOf } from "../../contract/client/named-thing.ts";
import { watchTask } from "../../contract/client/watch-task.ts";
import { settlementOf } from "../../contract/settled.ts";
import { type RunDocument, type TaskDocument, taskDocument } from "../../contract/task-document.ts";
import { anyField, controlTool } from "./control-tool.ts";

const STATES = ["going", "needs_person", "ended"] as const;

export const WAIT_TOOL = controlTool({
  name: "wait_for",
  title: "Wait for a task, an attempt or a run",
  description:
    "Waits until a run of it needs a person (it asks something, or waits to be started), or all of them have ended, for `timeout_s` at most. `going` means that the time is over: call again.",
  readOnly: true,
  input: z.strictObject({ id: anyField, timeout_s: z.int().min(0).max(600).default(60) }),
  output: z.object({ state: z.enum(STATES), ...taskDocument.shape }),
  act: async ({ id, timeout_s }, { engine, signal, onProgress }) => {
    const named = await findNamed(engine, id);
    if (named.isErr()) return err(named.error);
    const { found, document } = named.value;
    const runsIn = (whole: TaskDocument) =>
      partOf({ found, document: whole })
        .attempts.flatMap(({ runs }) => runs)
        .filter((run) => found.type !== "run" || run.id === found.id);
    const isOver = (whole: TaskDocument) => stateOf(runsIn(whole)) !== "going";
    let latest = document;
    const answer = () => ok({ state: stateOf(runsIn(latest)), ...partOf({ found, document: latest }) });
    if (isOver(document) || timeout_s === 0) return answer();
    const watched = await watchTask({
      engine,
      task: found.task,
      until: isOver,
      onDocument: (seen) => {
        latest = seen;
        onProgress(progressOf(runsIn(seen)));
      },
      onFact: () => undefined,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_s * 1000)]),
    });
    return watched.isErr() ? err(watched.error) : answer();
  },
});

/** One that needs a person comes first: while others go on, somebody can answer it. */
function stateOf(runs: readonly RunDocument[]): (typeof STATES)[number] {
  const settlements = runs.map(settlementOf);
  if (settlements.includes("person")) return "needs_person";
  return settlements.includes("going") ? "going" : "ended";
}

function progressOf(runs: readonly RunDocument[]): string {
  const count = (wanted: string) => runs.filter((run) => settlementOf(run) === wanted).length;
  const ended = runs.length - count("going") - count("person");
  return `${count("going")} going, ${count("person")} waiting for a person, ${ended} ended`;
}
