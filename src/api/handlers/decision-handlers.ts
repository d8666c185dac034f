/** Handles the endpoints of comparisons and decisions. */
import { showing } from "../../contract/document-of.ts";
import {
  type DECISION_ENDPOINTS,
  decisionFields,
  evidenceFields,
  madeOfFields,
} from "../../contract/endpoints/decisions.ts";
import type { Comparison } from "../../services/core/answer-shapes.ts";
import { showTask } from "../documents/show-task.ts";
import { type Handlers, pageOf, shown } from "./handler.ts";

export const decisionHandlers: Handlers<typeof DECISION_ENDPOINTS> = {
  compare: ({ services, id, request: { hide_names: hideNames } }) =>
    shown(services.compare(id, { hideNames }), showComparison),
  choose: ({ services, request: { trash_others, ...same }, once }) =>
    shown(services.choose({ ...same, trashOthers: trash_others }, once), (decision) => ({
      decision: showDecision(decision),
    })),
  compose: ({ services, id, request, once }) =>
    shown(services.compose({ ...request, task: id }, once), showTask),
  fork: ({ services, id, request: { agent, ...same }, once }) => {
    const asked = typeof agent === "string" ? { id: agent, model: null } : agent;
    return shown(services.fork({ ...same, run: id, agent: asked }, once), showTask);
  },
  decisions: ({ services, request }) => shown(services.decisions(request), pageOf(showDecision)),
};

const showDecision = showing(decisionFields);
const showEvidence = showing(evidenceFields);
const showMadeOf = showing(madeOfFields);

function showComparison({ task, attempts }: Comparison) {
  return {
    task: showTask(task).task,
    attempts: attempts.map((attempt) => {
      const { letter, chosen, origin, changed, overlap } = attempt;
      return {
        ...showEvidence(attempt),
        letter,
        chosen,
        origin: origin && showMadeOf(origin),
        changed,
        overlap,
      };
    }),
  };
}
