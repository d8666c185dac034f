/** Offers `get_current_status` to the MCP server (seed 004 Layer Integration, MCP Framework Integration). */
export { getCurrentStatusHandler } from "./handler.ts";
