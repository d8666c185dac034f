/** Offers `get_current_status` to the MCP server (seed 004, Layer Integration). */
export { getCurrentStatusHandler } from "./handler.ts";
