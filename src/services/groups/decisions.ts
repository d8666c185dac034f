/** Joins what compares attempts and decides between them. */
import { err } from "neverthrow";
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { chooseAttempt } from "../decisions/choose-attempt.ts";
import { compareTask } from "../decisions/compare-task.ts";
import { listDecisions, showDecision } from "../decisions/list-decisions.ts";
import type { ServiceMemory } from "./memory.ts";
import { createdOnce } from "./task-answers.ts";

export function decisionServices(context: ServiceContext, { comparedTouched: listTouched }: ServiceMemory) {
  return {
    compare: (taskId, options) => compareTask(context, taskId, { ...options, listTouched }),
    choose: async (input, once = null) => {
      const id = await createdOnce(context, once, (key) => chooseAttempt(context, input, key));
      return id.isErr() ? err(id.error) : showDecision(context, id.value);
    },
    decisions: (query) => listDecisions(context, query),
  } satisfies Partial<Services>;
}
