/** Makes a tool that only reports what it was handed, for tests of the checks in front of all tools. */
import { z } from "zod";
import { contextOn, type ToolContext, type ToolContextOptions } from "../../../src/tools/core/context.ts";
import { success } from "../../../src/tools/core/result.ts";
import { defineTool, type Tool, type ToolCall } from "../../../src/tools/core/tool.ts";

export interface ProbeInput {
  readonly cwd?: string | undefined;
  readonly times: number;
}

export type ProbeTool = Tool<ProbeInput, { readonly done: boolean }, unknown>;

export const probeTool: ProbeTool = defineTool({
  definition: {
    name: "probe",
    description: "Does nothing.",
    parameters: {
      type: "object",
      properties: {
        cwd: { type: "string", description: "A folder." },
        times: { type: "number", description: "How often.", default: 1 },
      },
      required: [],
    },
  },
  title: "Probe",
  input: z.strictObject({
    cwd: z.string().min(1, "must not be empty").optional(),
    times: z.int().min(1).max(3).default(1),
  }),
  output: z.strictObject({ done: z.boolean() }),
  effect: "executes",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [{ argument: "cwd", must: "be-directory", absolute: "inside" }],
  codes: {},
  notes: [],
  run: async () => success({ done: true }),
});

/** The same tool, but what it does is told, and kept. */
export function probing(run: ProbeTool["run"] = async () => success({ done: true })) {
  const calls: { readonly input: ProbeInput; readonly call: ToolCall }[] = [];
  const tool: ProbeTool = {
    ...probeTool,
    run: (input, call) => {
      calls.push({ input, call });
      return run(input, call);
    },
  };
  return { tool, calls };
}

/** A context in which all is allowed, on a host that has nothing. */
export function contextIn(workspaceRoot: string, options: Partial<ToolContextOptions> = {}): ToolContext {
  const host = { platform: process.platform, environment: () => ({}) };
  return contextOn(host, { workspaceRoot, policy: { defaultPolicy: "allow" }, ...options });
}
