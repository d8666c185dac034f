/** How each captured run of the Gemini CLI ended, which its stdout does not tell. */
import { launchRequest, type PlayOptions } from "../../helpers/agent-streams.ts";

const ended = (code: number): PlayOptions => ({ exit: { code } });

/** Exit codes are the HTTP status modulo 256. */
export const CASES: Readonly<Record<string, PlayOptions>> = {
  "error-400": ended(144),
  "error-401": ended(145),
  "error-429": ended(173),
  "error-503-overloaded": ended(247),
  "error-dropped-midstream": ended(1),
  "error-no-finish-reason": ended(1),
  "error-refused": ended(1),
  "interrupted-sigterm-killed": { exit: { code: null, signal: "SIGKILL" } },
  "mcp-tool": ended(0),
  "policy-denied": ended(0),
  resumed: {
    exit: { code: 0 },
    request: launchRequest({
      session: { resume: "599e620f-9c4e-4e41-a2c7-792543f01741", fresh: "unused" },
    }),
  },
  "success-edit": ended(0),
  "success-edit-existing": ended(0),
};
