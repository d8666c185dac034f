/** Defines the tool `get_current_status`: the currently defined issue (seed 004 Overview, CQRS Pattern Compliance). */
import { createGetCurrentIssueStatus } from "../../../domain/read/current-status/index.ts";
import type { IssueStatusView } from "../../../domain/read/current-status/types.ts";
import { loadIssueDefinition } from "../../../effect/issue-storage.ts";
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { issuePlace } from "../place/issue-place.ts";
import { GET_CURRENT_STATUS_TOOL_DEFINITION } from "./definition.ts";
import { GET_CURRENT_STATUS_CODES, refusalOfRead } from "./error.ts";
import type { GetCurrentStatusResponse } from "./types.ts";
import { getCurrentStatusOutputSchema, getCurrentStatusSchema } from "./validator.ts";

export const getCurrentStatusTool = defineTool({
  definition: GET_CURRENT_STATUS_TOOL_DEFINITION,
  title: "Current issue",
  input: getCurrentStatusSchema,
  output: getCurrentStatusOutputSchema,
  effect: "reads",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [],
  codes: GET_CURRENT_STATUS_CODES,
  notes: [
    "That no issue is defined is no error: `hasIssue` is false then, and nothing else is there.",
    "In an attempt the issue is that of the task; what was not said of it is an empty text.",
  ],
  async run(_input, { context }) {
    const getCurrentIssueStatus = createGetCurrentIssueStatus(() => loadIssueDefinition(issuePlace(context)));
    return (await getCurrentIssueStatus()).map(responseOf).match(success, refusalOfRead);
  },
});

function responseOf(view: IssueStatusView | null): GetCurrentStatusResponse {
  return view === null ? { hasIssue: false } : { hasIssue: true, ...view };
}
