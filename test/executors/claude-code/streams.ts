/** How each captured run of Claude Code ended, which its stdout does not tell. */
import { launchRequest, type PlayOptions } from "../../helpers/agent-streams.ts";

const failed: PlayOptions = { exit: { code: 1 } };
const succeeded: PlayOptions = { exit: { code: 0 } };

const resume = (id: string) => launchRequest({ session: { resume: id, fresh: "unused" } });

export const CASES: Readonly<Record<string, PlayOptions>> = {
  "control-can-use-tool": { ...succeeded, request: launchRequest({ approvals: "ask" }) },
  "error-400": failed,
  "error-401": failed,
  "error-429": failed,
  "error-429-then-ok": succeeded,
  "error-500": failed,
  "error-529-overloaded": failed,
  "error-bad-resume": { ...failed, request: resume("99999999-2222-4333-8444-555555555555") },
  "error-dropped-midstream": failed,
  "error-event-midstream": succeeded,
  "error-max-turns": failed,
  "error-refused": failed,
  "error-timeout": failed,
  "hook-denied": succeeded,
  "interrupted-control": succeeded,
  "interrupted-sigint": succeeded,
  "interrupted-sigterm": { exit: { code: 143 } },
  "mcp-tool": succeeded,
  "partial-messages-stdin-jsonl": succeeded,
  "permission-denied": succeeded,
  resumed: {
    ...succeeded,
    request: resume("11111111-2222-4333-8444-555555555555"),
    // What `success-edit`, the first run of this session, ended with.
    previous: {
      inputTokens: 3_800,
      cachedInputTokens: 1_300,
      outputTokens: 52,
      costUsd: 0.008669999999999999,
    },
  },
  "success-edit": succeeded,
  "success-edit-existing": succeeded,
};
