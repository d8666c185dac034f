import { expect, test } from "bun:test";
import {
  type AgentToolkit,
  type CallOptions,
  createSecureTool,
  defineTool,
  type ExecCommandOptions,
  type ExecCommandOutput,
  type GitStatusSummaryOutput,
  type SecureTool,
  type ToolContext,
  type ToolRefusal,
  type ToolResult,
  type ToolSuccess,
} from "../../../src/lib.ts";
import { TOOL_DEFINITIONS } from "../../../src/registry/definitions.ts";
import { probeTool } from "../core/probe-tool.ts";

// What fails here fails in the type checker: `tsc` reads this file as any other.

/** True only if both are the same type, `any` and optional fields included. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(is: T) => is;

type Method<Name extends keyof AgentToolkit> = AgentToolkit[Name] extends (
  ...args: infer Args
) => infer Answer
  ? { readonly args: Args; readonly answer: Awaited<Answer> }
  : never;

test("methods with positions take them, and answer the tool's own output", () => {
  type Exec = Method<"execCommand">;
  type ExecArgs = [cwd: string, command: readonly string[], options?: ExecCommandOptions | undefined];
  expect([
    holds<Same<Exec["args"], ExecArgs>>(true),
    holds<Same<Exec["answer"], ToolResult<ExecCommandOutput>>>(true),
    holds<Same<Method<"gitStatusSummary">["args"], [cwd?: string | undefined]>>(true),
    holds<Same<Method<"gitStatusSummary">["answer"], ToolResult<GitStatusSummaryOutput>>>(true),
  ]).toEqual([true, true, true, true]);
});

test("other methods take what a caller writes: arguments with a default may be left out", () => {
  type Read = Method<"readFile">["args"];
  expect([
    holds<{ path: string } extends Read[0] ? true : false>(true),
    holds<Same<Read[1], CallOptions | undefined>>(true),
    // @ts-expect-error: a path is required.
    () => (({}) as AgentToolkit).readFile({}),
    // @ts-expect-error: a path is a text.
    () => (({}) as AgentToolkit).readFile({ path: 1 }),
    // @ts-expect-error: there is no such argument.
    () => (({}) as AgentToolkit).readFile({ path: "x", nonsense: 1 }),
    // @ts-expect-error: something is required.
    () => (({}) as AgentToolkit).readFile(),
    () => (({}) as AgentToolkit).getCurrentStatus(),
  ]).toHaveLength(7);
});

test("options of execCommand hold neither folder nor command", () => {
  expect(
    holds<Same<keyof ExecCommandOptions, "shell_mode" | "stdin" | "timeout_ms" | "max_output_chars">>(true),
  ).toBe(true);
});

test("a result is told apart by its status", () => {
  const words = (result: ToolResult<{ readonly n: number }>): string => {
    if (result.status === "success")
      return String(holds<Same<typeof result, ToolSuccess<{ readonly n: number }>>>(true) && result.data.n);
    return holds<Same<typeof result, ToolRefusal>>(true) ? result.error.code : "";
  };
  expect(words({ status: "success", data: { n: 1 } })).toBe("1");
});

test("createSecureTool keeps the output of the tool, and takes anything for its arguments", () => {
  const secure = (context: ToolContext) => createSecureTool(probeTool, context);
  expect(holds<Same<ReturnType<typeof secure>, SecureTool<{ readonly done: boolean }>>>(true)).toBe(true);
  expect(holds<Same<Parameters<SecureTool<unknown>>[0], unknown>>(true)).toBe(true);
});

test("definitions keep their letters as types", () => {
  const { name } = TOOL_DEFINITIONS.exec_command;
  expect([holds<"exec_command" extends typeof name ? true : false>(true), name]).toEqual([
    true,
    "exec_command",
  ]);
});

test("a tool whose run answers another output than its schema says does not compile", () => {
  const wrong = () =>
    // @ts-expect-error: `done` is a truth value.
    defineTool({ ...probeTool, run: async () => ({ status: "success", data: { done: 1 } }) });
  expect(wrong).toBeFunction();
});
