/** How each captured run of Codex ended, which its stdout does not tell. */
import { launchRequest, type PlayOptions } from "../../helpers/agent-streams.ts";

const request = launchRequest({ profile: { model: "gpt-5.5" } });
/** Not in the price table: its runs have no cost. */
const unpriced = launchRequest({ profile: { model: "gpt-7-sketch" } });

const failed: PlayOptions = { request, exit: { code: 1 } };
const succeeded: PlayOptions = { request, exit: { code: 0 } };

export const CASES: Readonly<Record<string, PlayOptions>> = {
  "error-400": failed,
  "error-401": failed,
  "error-429": failed,
  "error-500": failed,
  "error-503-overloaded": failed,
  "error-dropped-midstream": failed,
  "error-event-midstream": failed,
  "error-refused": { request, exit: { code: null, signal: "SIGKILL" } },
  "hook-denied": succeeded,
  "interrupted-sigint": failed,
  "interrupted-sigterm": { request, exit: { code: null, signal: "SIGTERM" } },
  "mcp-tool": succeeded,
  resumed: {
    exit: { code: 0 },
    request: launchRequest({
      profile: { model: "gpt-5.5" },
      session: { resume: "01a1ffcd-8de1-7f23-bff7-a14ddc3a2bbb", fresh: "unused" },
    }),
    // What `success-edit`, the first run of this thread, ended with.
    previous: { inputTokens: 2_500, cachedInputTokens: 1_300, outputTokens: 52, costUsd: null },
  },
  "rules-denied": succeeded,
  sandbox: succeeded,
  "success-edit": succeeded,
  "success-edit-by-shell": { request: unpriced, exit: { code: 0 } },
  "success-edit-existing": succeeded,
};
