/** Ends attempts: their runs are stopped, a snapshot is taken, the worktree goes into the trash. */
import { err } from "neverthrow";
import { hasEnded } from "../../contract/settled.ts";
import type { TaskDocument } from "../../contract/task-document.ts";
import { argument, type CommonFlags, defineCommand, JSON_FLAG } from "../command.ts";
import { endAndWait } from "../end-and-wait.ts";
import { createEngine } from "../engine.ts";
import { resolveAny } from "../resolve-id.ts";
import { partOf } from "./wait.ts";

export const cancelCommand = defineCommand<CommonFlags, [id: string]>({
  brief: "End an attempt: snapshot, then its worktree goes into the trash and its branch away",
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [argument("ID", "An attempt, a run, or a task for all its attempts")],
    },
    flags: JSON_FLAG,
  },
  async act(scope, _flags, id) {
    const engine = createEngine(scope, { foreground: false });
    const any = await resolveAny(engine, id);
    if (any.isErr()) return err(any.error);
    const { found } = any.value;
    const attempts = partOf(any.value).attempts.map((attempt) => attempt.id);
    const ours = (document: TaskDocument) => document.attempts.filter((each) => attempts.includes(each.id));
    return endAndWait({
      scope,
      engine,
      ask: () => engine.ask((client) => client.cancel(found)),
      attempts,
      runs: (document) =>
        ours(document).flatMap(({ runs }) => runs.filter((run) => !hasEnded(run)).map((run) => run.id)),
      until: (document) => ours(document).every(({ state }) => state !== "canceled"),
    });
  },
});
