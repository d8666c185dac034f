/**
 * Tells how real agents get their attempt's tools over MCP: bound to its worktree, with git's reading commands only.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { TOOL_DEFINITIONS } from "../../src/registry/definitions.ts";
import { addToolkitToGemini, offersTools, WIRES } from "../helpers/attempt-toolkit.ts";
import type { Script } from "../helpers/fake-model/script.ts";
import { toolResults } from "../helpers/fake-model/tool-results.ts";
import { ask, ending, PATIENCE_MS, type TaskEnd } from "../helpers/journey.ts";
import {
  byAgent,
  describeReal,
  expected,
  INSTALLED,
  type RealProduct,
  startRealProduct,
} from "../helpers/real-product.ts";

setDefaultTimeout(PATIENCE_MS);

interface Step {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the agent is answered: a part of the data, or the beginning of a refusal. */
  readonly answer: Readonly<Record<string, unknown>> | string;
}

const PATCH = ["--- a/notes.txt", "+++ b/notes.txt", "@@ -1 +1 @@", "-first", "+second", ""].join("\n");
const SLEEPER = ["sh", "-c", "echo up; while :; do sleep 1; done"];

/** Every tool once, in an order in which each finds what it needs; then what an attempt refuses. */
const STEPS: readonly Step[] = [
  {
    tool: "exec_command",
    input: { cwd: ".", command: ["printenv", "JOURNEY_MARK"] },
    answer: { exit_code: 0, stdout: "inherited by the agent\n", timed_out: false },
  },
  { tool: "write_file", input: { path: "notes.txt", content: "first\n" }, answer: { created: true } },
  {
    tool: "apply_patch",
    input: { patch: PATCH },
    answer: { files: [{ path: "notes.txt", action: "modified" }] },
  },
  { tool: "read_file", input: { path: "notes.txt" }, answer: { content: "second\n" } },
  { tool: "tree", input: {}, answer: {} },
  { tool: "codebase_search", input: { query: "second" }, answer: {} },
  { tool: "git_status_summary", input: {}, answer: { raw: expect.stringMatching(/\?\? notes\.txt\n/) } },
  { tool: "git_command", input: { subcommand: "status" }, answer: { exit_code: 0, truncated: false } },
  { tool: "git_diff", input: {}, answer: {} },
  { tool: "git_log", input: {}, answer: {} },
  { tool: "get_current_status", input: {}, answer: "JOB-TOOLS: use them all" },
  {
    tool: "define_issue",
    input: { issue: "a", context: "b", constraints: "c" },
    answer: "READ_ONLY: The issue of this attempt is that of its task",
  },
  {
    tool: "spawn_service",
    input: { name: "web", command: SLEEPER, ready_text: "up" },
    answer: { name: "web" },
  },
  { tool: "list_services", input: {}, answer: { services: [{ name: "web", status: "running" }] } },
  { tool: "get_service_logs", input: { name: "web" }, answer: { text: "up\n" } },
  { tool: "stop_service", input: { name: "web" }, answer: { name: "web" } },
  { tool: "git_command", input: { subcommand: "add", args: ["notes.txt"] }, answer: "READ_ONLY" },
  {
    tool: "exec_command",
    input: { cwd: ".", command: ["git", "commit", "-m", "mine"] },
    answer: "READ_ONLY",
  },
  { tool: "exec_command", input: { cwd: "..", command: ["true"] }, answer: "OUTSIDE_WORKSPACE" },
  { tool: "read_file", input: { path: "/etc/hostname" }, answer: "OUTSIDE_WORKSPACE" },
];

/** Codex does not wait for its servers. So the model answers only once all of them have said what they offer. */
const offered = Promise.withResolvers<void>();

const SCRIPT: Script = {
  scenarios: [
    {
      when: /JOB-TOOLS/,
      turns: [
        { text: "I begin.", hold: offered.promise, tools: [{ op: "shell", command: "true" }] },
        ...STEPS.map(({ tool, input }) => ({
          tools: [{ op: "mcp" as const, server: "tazuna", tool, input }],
        })),
        { text: "All tools were called." },
      ],
    },
  ],
};

describeReal("the tools of an attempt", () => {
  let real: RealProduct;
  let end: TaskEnd;

  beforeAll(async () => {
    real = await startRealProduct({ script: SCRIPT, env: { JOURNEY_MARK: "inherited by the agent" } });
    if (INSTALLED.includes("gemini")) await addToolkitToGemini(real);
    const begun = await real.begin("JOB-TOOLS: use them all");
    for (const { runs } of begun.attempts) await offersTools(runs[0]?.id ?? "");
    offered.resolve();
    end = await ask(real.product, ["wait", begun.document.task.id]);
  });
  afterAll(() => real?.[Symbol.asyncDispose]());

  test("every tool of the catalog is called that needs no person", () => {
    const { ask_person: _, ...others } = TOOL_DEFINITIONS;
    expect([...new Set(STEPS.map(({ tool }) => tool))].sort()).toEqual(Object.keys(others).sort());
  });

  for (const agent of INSTALLED)
    test(`${agent} calls them, and is answered by each; writing git and leaving the worktree is refused`, () => {
      const last = real.model.requests.findLast(({ wire }) => wire === WIRES[agent]);
      const texts = last === undefined ? [] : toolResults(last).slice(1);
      const answers = texts.map((text, at) => (typeof STEPS[at]?.answer === "string" ? text : parsed(text)));
      expect(answers).toMatchObject(
        STEPS.map(({ answer }) => (typeof answer === "string" ? expect.stringContaining(answer) : answer)),
      );
    });

  test("what the tools wrote is committed by Tazuna, and nothing that they started lives on", () => {
    expect<unknown>(
      byAgent(end.attempts, (run) => ({ ending: ending(run), files: run.patch?.files })),
    ).toEqual(expected(() => ({ ending: { status: "SUCCEEDED", outcome: "pushed" }, files: 1 })));
  });
});

/** JSON if it is JSON, else the words. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
