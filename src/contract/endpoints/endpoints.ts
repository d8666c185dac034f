/** The one table of the HTTP API. Routes, typed client and OpenAPI description derive from it. */
import { ACCESS_ENDPOINTS } from "./access.ts";
import { ATTEMPT_ENDPOINTS } from "./attempts.ts";
import { COMMENT_ENDPOINTS } from "./comments.ts";
import { DECISION_ENDPOINTS } from "./decisions.ts";
import { DRAFT_ENDPOINTS } from "./drafts.ts";
import { ENGINE_ENDPOINTS } from "./engine.ts";
import { GATE_ENDPOINTS } from "./gate.ts";
import { LANDING_ENDPOINTS } from "./landing.ts";
import { OPERATION_ENDPOINTS } from "./operations.ts";
import { PULL_REQUEST_ENDPOINTS } from "./pull-requests.ts";
import { REPOSITORY_ENDPOINTS } from "./repositories.ts";
import { RUN_ENDPOINTS } from "./runs.ts";
import { TASK_ENDPOINTS } from "./tasks.ts";
import { TRASH_ENDPOINTS } from "./trash.ts";
import { VIEWED_ENDPOINTS } from "./viewed.ts";
import { SITUATION_ENDPOINTS, TERMINAL_ENDPOINTS } from "./worktree.ts";

export const ENDPOINTS = {
  ...ENGINE_ENDPOINTS,
  ...ACCESS_ENDPOINTS,
  ...TASK_ENDPOINTS,
  ...ATTEMPT_ENDPOINTS,
  ...COMMENT_ENDPOINTS,
  ...VIEWED_ENDPOINTS,
  ...GATE_ENDPOINTS,
  ...SITUATION_ENDPOINTS,
  ...TERMINAL_ENDPOINTS,
  ...DECISION_ENDPOINTS,
  ...LANDING_ENDPOINTS,
  ...RUN_ENDPOINTS,
  ...OPERATION_ENDPOINTS,
  ...PULL_REQUEST_ENDPOINTS,
  ...TRASH_ENDPOINTS,
  ...REPOSITORY_ENDPOINTS,
  ...DRAFT_ENDPOINTS,
};

export type EndpointName = keyof typeof ENDPOINTS;
