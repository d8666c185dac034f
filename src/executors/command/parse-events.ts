/** Reads the output of a `command` agent: every line is a message, the exit code is the outcome. */
import { stripVTControlCharacters } from "node:util";
import type { AgentFailure } from "../../domain/agent/events.ts";
import type { AgentExit, AgentParser } from "../shared/executor.ts";
import { failed, unfinished } from "../shared/failure.ts";
import { cutText, lastLine } from "../shared/shorten.ts";

export function commandParser(): AgentParser {
  let last = "";
  return {
    feed: (line) => {
      const said = cutText(stripVTControlCharacters(cutText(line))).trimEnd();
      if (said.trim() === "") return [];
      last = said.trim();
      return [{ kind: "message", text: said, delta: false }];
    },
    finish: (exit) => {
      const summary = cutText((exit.summaryFile ?? "").trim()) || last;
      const failure = failureOf(exit, last !== "");
      const shared = { summary, usage: null, totals: null };
      return failure === null ? { ok: true, ...shared } : { ok: false, failure, ...shared };
    },
  };
}

function failureOf(exit: AgentExit, spoke: boolean): AgentFailure | null {
  if (exit.code === 0) return null;
  if (!spoke && exit.code !== null && (exit.code === 126 || exit.code === 127))
    return unfinished(exit, { anyEvent: false });
  const how = exit.signal === null ? `exit code ${exit.code ?? "unknown"}` : `signal ${exit.signal}`;
  const said = lastLine(exit.stderr);
  return failed("agent_failed", `The command ended with ${how}${said === "" ? "" : `: ${said}`}`);
}
