/** How each captured run of opencode ended, which its stdout does not tell. */
import { launchRequest, type PlayOptions } from "../../helpers/agent-streams.ts";

const request = launchRequest({ profile: { model: "local/scripted" } });
const failed: PlayOptions = { request, exit: { code: 1 } };
const succeeded: PlayOptions = { request, exit: { code: 0 } };

export const CASES: Readonly<Record<string, PlayOptions>> = {
  "error-400": failed,
  "error-401": failed,
  "error-429": failed,
  "error-event-midstream-retrying": { request, exit: { code: null, signal: "SIGKILL" } },
  "mcp-tool": succeeded,
  "permission-denied": succeeded,
  resumed: succeeded,
  "success-edit": succeeded,
  "success-edit-existing": succeeded,
};
