/** Repeats an ended run, its push or its checks alone, or begins anew from the base, and waits for it. Lets one that waits for a limit try now. */
import { ownBase } from "../../../contract/words/base-words.ts";
import { argument, defineCommand, START_FLAGS, switchFlag } from "../../shared/command.ts";
import { resolveRun } from "../../shared/resolve-id.ts";
import { nextSteps } from "../../view/next-steps.ts";
import { startOnAttempt } from "../../wait/start-on-attempt.ts";

export const retryCommand = defineCommand({
  brief: "Do an ended run again, only its push or its checks, or begin anew from the base as it is now",
  args: [argument("RUN", "The run, or an attempt for its latest run")],
  flags: {
    from: {
      kind: "enum",
      values: ["push", "checks", "base", "limit"],
      optional: true,
      brief:
        "push: only push the commit; checks: only run the checks; base: a new attempt from the base; limit: try now",
    },
    offline: switchFlag("Begin from the base that is known here, without the remote"),
    ...START_FLAGS,
  },
  async *act(scope, flags, id) {
    const found = yield* await resolveRun(scope.engine, id);
    const { from = "start" as const, offline } = flags;
    const settings = scope.environment.task;
    if (from === "base") {
      const { agent: name, model } = found.attempt;
      const base = ownBase(found.document.task, found.attempt);
      const fresh = { agent: { id: name, model }, base, offline, settings };
      const ask = () =>
        scope.engine.ask((client, once) => client.addAttempt(found.document.task.id, fresh, once));
      return startOnAttempt({ scope, found, adds: true, flags, closing: nextSteps, ask });
    }
    if (from === "limit") {
      const ask = () => scope.engine.ask((client) => client.resume(found.run.id));
      return startOnAttempt({ scope, found, flags, ask });
    }
    const body = { from, offline, settings };
    const ask = () => scope.engine.ask((client, once) => client.retry(found.run.id, body, once));
    return startOnAttempt({ scope, found, flags, ask });
  },
});
