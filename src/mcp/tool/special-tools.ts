/** Names the tools whose answers over MCP are worded by hand (seed 004 MCP Framework Integration); all others are derived. */
import type { SpecialTool } from "../results/special-tool.ts";
import { defineIssueHandler } from "./define-issue/index.ts";
import { getCurrentStatusHandler } from "./get-current-status/index.ts";

/** By the name on the wire. */
export const SPECIAL_TOOLS: ReadonlyMap<string, SpecialTool> = new Map([
  ["define_issue", defineIssueHandler],
  ["get_current_status", getCurrentStatusHandler],
]);
