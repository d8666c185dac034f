import { describe, expect, test } from "bun:test";
import { claudeCode } from "../../../src/executors/claude-code/index.ts";
import type { LaunchRequest } from "../../../src/executors/shared/executor.ts";
import { agentExit, launchRequest } from "../../helpers/agent-streams.ts";

const NOON = "2026-11-24T12:00:00.000Z";
const by = { by: null, at: NOON };

function asking(request: Partial<LaunchRequest> = {}) {
  const parser = claudeCode.parser({
    request: { ...launchRequest({ approvals: "ask" }), ...request },
    previous: null,
  });
  const wants = (tool: string, input: Record<string, unknown>, id = "r1") =>
    parser.feed(
      JSON.stringify({
        type: "control_request",
        request_id: id,
        request: { subtype: "can_use_tool", tool_name: tool, input },
      }),
    );
  /** What it was answered, beside the prompt. */
  const answers = () =>
    (parser.replies?.() ?? []).slice(1).map((line) => {
      const { type, response } = JSON.parse(line);
      expect([type, response.subtype]).toEqual(["control_response", "success"]);
      return { id: response.request_id, ...response.response };
    });
  return { parser, wants, answers };
}

const CURL = { command: "curl -s https://example.com/x" };

describe("the questions of Claude Code", () => {
  test("the prompt is its first line", () => {
    const { parser } = asking({ prompt: "the words\n日本語" });
    expect(parser.replies?.().map((line) => JSON.parse(line))).toEqual([
      {
        type: "user",
        message: { role: "user", content: [{ type: "text", text: "the words\n日本語" }] },
      },
    ]);
  });

  test("what stays in the worktree is allowed with its own input, and git writes are denied, without a person", () => {
    const { wants, answers } = asking();
    const inside = { command: "npm test > out.txt", description: "run" };
    expect(wants("Bash", inside, "a")).toMatchObject([{ kind: "permission", id: "a", chosen: "allow" }]);
    const denied = wants("Bash", { command: "git -c user.name=x commit -m y" }, "b");
    expect(denied).toMatchObject([{ kind: "permission", id: "b", chosen: "deny" }]);
    expect(answers()).toEqual([
      { id: "a", behavior: "allow", updatedInput: inside },
      {
        id: "b",
        behavior: "deny",
        message: "`git commit` is not for agents: Tazuna alone writes git.",
      },
    ]);
  });

  test("the rest asks a person, who sees the command, its folder, what it touches and which rule asks", () => {
    const { wants, answers } = asking();
    expect(wants("Bash", CURL)).toEqual([
      {
        kind: "question",
        key: "r1",
        source: "permission",
        words: CURL.command,
        command: CURL.command,
        folder: "/workspace",
        touches: ["example.com"],
        rule: "`curl` reaches the network.",
        options: [
          { id: "allow", name: "Allow", kind: "allow_once" },
          { id: "deny", name: "Deny", kind: "reject_once" },
          { id: "words", name: "Deny, and say why", kind: "words" },
        ],
      },
    ]);
    expect(wants("Write", { file_path: "/etc/x", content: "y" }, "r2")).toMatchObject([
      {
        kind: "question",
        key: "r2",
        command: null,
        touches: ["/etc/x"],
        rule: "It reaches outside of the worktree.",
      },
    ]);
    expect(answers()).toEqual([]);
  });

  test("a person's answer is the reply, once", () => {
    const { parser, wants, answers } = asking();
    for (const id of ["a", "b", "c"]) wants("Bash", CURL, id);
    parser.answer?.("a", { kind: "allow", text: null, option: "allow", ...by });
    parser.answer?.("a", { kind: "deny", text: null, option: "deny", ...by });
    parser.answer?.("b", { kind: "deny", text: null, option: "deny", ...by });
    parser.answer?.("c", { kind: "text", text: "use the mirror", option: null, ...by });
    parser.answer?.("unknown", { kind: "allow", text: null, option: null, ...by });
    expect(answers()).toEqual([
      { id: "a", behavior: "allow", updatedInput: CURL },
      { id: "b", behavior: "deny", message: expect.stringContaining("The person did not allow it.") },
      { id: "c", behavior: "deny", message: expect.stringContaining("use the mirror") },
    ]);
    const keys = parser.replies?.().map((line) => parser.replyKey?.(line));
    expect(keys).toEqual(["prompt", "answer a", "answer b", "answer c"]);
  });

  test("a request that it takes back is answered no more", () => {
    const { parser, wants, answers } = asking();
    wants("Bash", CURL);
    const cancel = JSON.stringify({ type: "control_cancel_request", request_id: "r1" });
    expect(parser.feed(cancel)).toEqual([{ kind: "question_withdrawn", key: "r1" }]);
    expect(parser.feed(cancel)).toEqual([]);
    parser.answer?.("r1", { kind: "allow", text: null, option: "allow", ...by });
    expect(answers()).toEqual([]);
  });

  test("its closing event ends the turn, and its process may then end by any means", () => {
    const { parser } = asking();
    expect(parser.turnEnded?.()).toBe(false);
    const result = { type: "result", is_error: false, terminal_reason: "completed", result: "Done." };
    parser.feed(JSON.stringify(result));
    expect(parser.turnEnded?.()).toBe(true);
    expect(parser.finish(agentExit({ code: null, signal: "SIGKILL" }))).toMatchObject({
      ok: true,
      summary: "Done.",
    });
  });

  test("a line says what it requires without being fed: a denial if it cannot be kept, and the end", () => {
    const parser = claudeCode.parser({ request: null, previous: null });
    const request = { subtype: "can_use_tool", tool_name: "Bash", input: CURL };
    const line = JSON.stringify({ type: "control_request", request_id: "r1", request });
    const want = parser.wants?.(line);
    expect(want?.kind).toBe("answer");
    expect(want?.kind === "answer" && JSON.parse(want.refusal).response).toMatchObject({
      request_id: "r1",
      response: { behavior: "deny" },
    });
    expect(parser.wants?.('{"type":"result"}')).toEqual({ kind: "end" });
    expect(parser.wants?.('{"type":"assistant"}')).toBeNull();
    expect(parser.wants?.('{"type":"control_request"')).toBeNull();
  });

  test("with approvals `never` it speaks no protocol", () => {
    const { parser } = asking({ approvals: "never" });
    expect([parser.replies, parser.answer, parser.turnEnded]).toEqual([undefined, undefined, undefined]);
  });
});
