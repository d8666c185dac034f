/** Offers `define_issue` to the MCP server (seed 004 MCP Framework Integration). */
export { defineIssueHandler } from "./handler.ts";
