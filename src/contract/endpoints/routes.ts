/**
 * The part of the endpoint table that a caller needs. It names no schema, so that a command starts without making
 * them (ADR 0064).
 */
import { MAX_ENVIRONMENT_BYTES } from "../limits.ts";
import type { Route } from "./endpoint.ts";

export const ROUTES = {
  description: { method: "GET", path: "/openapi.json", open: true, empty: true },
  health: { method: "GET", path: "/health", open: true, empty: true },
  engine: { method: "GET", path: "/engine", empty: true },
  leave: { method: "POST", path: "/engine/leave" },
  link: { method: "POST", path: "/links" },
  keepEnvironment: {
    method: "POST",
    path: "/environments",
    creates: true,
    secret: true,
    maxBytes: MAX_ENVIRONMENT_BYTES,
  },

  createTask: { method: "POST", path: "/tasks", creates: true, inShell: true },
  demo: { method: "POST", path: "/demo", creates: true, inShell: true },
  taskDraft: { method: "GET", path: "/drafts/task", empty: true },
  keepTaskDraft: { method: "PUT", path: "/drafts/task" },
  previewTask: { method: "POST", path: "/tasks/preview" },
  removeDemo: { method: "DELETE", path: "/demo", empty: true },
  tasks: { method: "GET", path: "/tasks" },
  task: { method: "GET", path: "/tasks/:id", empty: true },
  find: { method: "GET", path: "/find" },
  stop: { method: "POST", path: "/:things/:id/stop", empty: true },
  cancel: { method: "POST", path: "/:things/:id/cancel", empty: true },
  addAttempt: { method: "POST", path: "/tasks/:id/attempts", creates: true, inShell: true },

  attempts: { method: "GET", path: "/attempts" },
  attempt: { method: "GET", path: "/attempts/:id", empty: true },
  followUp: { method: "POST", path: "/attempts/:id/runs", creates: true, inShell: true },
  publish: { method: "POST", path: "/attempts/:id/publish", creates: true, inShell: true },
  takeBack: { method: "POST", path: "/attempts/:id/take-back" },
  diffFiles: {
    method: "GET",
    path: "/attempts/:id/diff",
    when: { in: "query", name: "files", value: "only" },
  },
  diff: { method: "GET", path: "/attempts/:id/diff" },
  patch: { method: "GET", path: "/attempts/:id/patch", type: "text/x-diff" },

  review: { method: "POST", path: "/attempts/:id/reviews", creates: true, inShell: true },
  comments: { method: "GET", path: "/attempts/:id/comments", empty: true },
  addComment: { method: "POST", path: "/attempts/:id/comments", creates: true },
  changeComment: { method: "PATCH", path: "/comments/:id" },
  removeComment: { method: "DELETE", path: "/comments/:id", empty: true },

  gate: { method: "GET", path: "/attempts/:id/gate", empty: true },
  checks: { method: "GET", path: "/attempts/:id/checks", empty: true },
  checkBase: { method: "POST", path: "/attempts/:id/checks/base" },
  situation: { method: "GET", path: "/attempts/:id/situation" },

  viewed: { method: "GET", path: "/attempts/:id/viewed", empty: true },
  markViewed: { method: "PUT", path: "/attempts/:id/viewed" },
  markSeen: { method: "PUT", path: "/attempts/:id/seen" },

  compare: { method: "GET", path: "/tasks/:id/compare" },
  compose: { method: "POST", path: "/tasks/:id/compose", creates: true, inShell: true },
  fork: { method: "POST", path: "/runs/:id/fork", creates: true, inShell: true },
  choose: { method: "POST", path: "/decisions", creates: true },
  decisions: { method: "GET", path: "/decisions" },

  merge: { method: "POST", path: "/attempts/:id/merge", inShell: true },
  apply: { method: "POST", path: "/attempts/:id/apply", empty: true },
  revert: { method: "POST", path: "/attempts/:id/revert", creates: true, inShell: true },

  runs: { method: "GET", path: "/runs" },
  run: { method: "GET", path: "/runs/:id", empty: true },
  changeQueued: { method: "PATCH", path: "/runs/:id" },
  removeQueued: { method: "DELETE", path: "/runs/:id", empty: true },
  retry: { method: "POST", path: "/runs/:id/retry", creates: true, inShell: true },
  answer: { method: "POST", path: "/runs/:id/answer" },
  runDiffFiles: {
    method: "GET",
    path: "/runs/:id/diff",
    when: { in: "query", name: "files", value: "only" },
  },
  runDiff: { method: "GET", path: "/runs/:id/diff" },
  restoreRun: { method: "POST", path: "/runs/:id/restore", empty: true },
  followLog: {
    method: "GET",
    path: "/runs/:id/events",
    type: "text/event-stream",
    when: { in: "header", name: "accept", value: "text/event-stream" },
  },
  log: { method: "GET", path: "/runs/:id/events" },

  followFacts: { method: "GET", path: "/events", type: "text/event-stream" },
  operations: { method: "GET", path: "/operations" },
  undo: { method: "POST", path: "/operations/:id/undo", empty: true },

  openPullRequest: { method: "POST", path: "/attempts/:id/pull-request", creates: true, inShell: true },
  previewPullRequest: { method: "GET", path: "/attempts/:id/pull-request/preview", empty: true },
  pullRequests: { method: "GET", path: "/pull-requests" },
  pullRequest: { method: "GET", path: "/pull-requests/:id", empty: true },
  reply: { method: "POST", path: "/pull-requests/:id/comments", creates: true, inShell: true },
  keepShipDraft: { method: "PATCH", path: "/attempts/:id/draft" },
  forgeWebhook: { method: "POST", path: "/webhooks/forge", open: true, raw: true, secret: true, empty: true },

  clean: { method: "POST", path: "/clean" },
  storage: { method: "GET", path: "/storage" },
  scanStorage: { method: "POST", path: "/storage/scan", empty: true },
  trash: { method: "GET", path: "/trash", empty: true },
  restoreTrash: { method: "POST", path: "/trash/:id/restore", empty: true },
  emptyTrash: { method: "POST", path: "/trash/empty" },

  capacity: { method: "GET", path: "/capacity", empty: true },
  repositories: { method: "GET", path: "/repositories", empty: true },
  addRepository: { method: "POST", path: "/repositories", creates: true, inShell: true },
  moveRepository: { method: "POST", path: "/repositories/:id/move" },
  removeRepository: { method: "POST", path: "/repositories/:id/remove", empty: true },
  fetchRepository: { method: "POST", path: "/repositories/:id/fetch", empty: true, inShell: true },
  branches: { method: "GET", path: "/repositories/:id/branches" },
  files: { method: "GET", path: "/repositories/:id/files" },
  agents: { method: "GET", path: "/agents", inShell: true },
  doctor: { method: "GET", path: "/doctor", inShell: true },
  config: { method: "GET", path: "/config" },
  configSchema: { method: "GET", path: "/config/schema", empty: true },
  changeSetting: { method: "PATCH", path: "/settings" },
  tools: { method: "GET", path: "/tools", empty: true },
  scripts: { method: "GET", path: "/scripts" },
  trust: { method: "POST", path: "/scripts/trust" },
} as const satisfies Readonly<Record<string, Route>>;
