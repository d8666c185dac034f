/** Offers `define_issue` to the MCP server (seed 004, Layer Integration). */
export { defineIssueHandler } from "./handler.ts";
