/** Joins what is shown of an attempt beside its patch, and what is done in its worktree. */
import { checkBase } from "../base-checks/check-base.ts";
import { showChecks } from "../base-checks/show-checks.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { showGate } from "../gate/show-gate.ts";
import { showSituation } from "../situation/show-situation.ts";
import { findTerminal, openTerminal } from "../terminals/open-terminal.ts";
import { markSeen, markViewed, viewedFiles } from "../viewed/viewed-files.ts";
import type { ServiceMemory } from "./memory.ts";

export function attemptServices(context: ServiceContext, { situations: memory }: ServiceMemory) {
  return {
    checks: (attemptId) => showChecks(context, attemptId),
    checkBase: (input) => checkBase(context, input),
    gate: (attemptId) => showGate(context, attemptId),
    situation: (attemptId, { look }) => showSituation(context, attemptId, { look, memory }),
    openTerminal: (request) => openTerminal(context, request),
    terminal: async (asked) => findTerminal(context, asked),
    viewed: (attemptId) => viewedFiles(context, attemptId),
    markViewed: (mark) => markViewed(context, mark),
    markSeen: (mark) => markSeen(context, mark),
  } satisfies Partial<Services>;
}
