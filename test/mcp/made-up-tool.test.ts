import { describe, expect, test } from "bun:test";
import { Client, InMemoryTransport, type Progress } from "@modelcontextprotocol/client";
import { z } from "zod";
import { createToolContext, defineTool } from "../../src/lib.ts";
import { createMcpServer } from "../../src/mcp/server/create-mcp-server.ts";
import { failure, success } from "../../src/tools/core/result.ts";
import { tempDir } from "../helpers/temp-dir.ts";

/** A tool as a person would add one: a value, and nothing else. */
const addTool = defineTool({
  definition: {
    name: "add_up",
    description: "Adds numbers.",
    parameters: {
      type: "object",
      properties: { numbers: { type: "array", items: { type: "number" }, description: "What to add." } },
      required: ["numbers"],
    },
  },
  title: "Add up",
  input: z.strictObject({ numbers: z.array(z.number()) }),
  output: z.strictObject({ sum: z.number() }),
  effect: "reads",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [],
  codes: { TOO_MANY: "There are more than three." },
  notes: [],
  run: async ({ numbers }, { onProgress }) => {
    for (const [index] of numbers.entries())
      onProgress?.({ progress: index + 1, message: `added ${index + 1}` });
    if (numbers.length > 3)
      return failure("TOO_MANY", "There are too many.", { retriable: true, details: { max: 3 } });
    return success({ sum: numbers.reduce((sum, number) => sum + number, 0) }, { steps: numbers.length });
  },
});

/** Throws, while every other tool answers. */
const brokenTool = defineTool({
  ...addTool,
  definition: { ...addTool.definition, name: "break_down" },
  run: () => Promise.reject(new Error("nobody foresaw this")),
});

describe("a tool that is added", () => {
  test("is listed, called, refused and reported without a line of MCP code of its own", async () => {
    await using folder = await tempDir();
    const allowed = { defaultPolicy: "allow" } as const;
    const server = createMcpServer({
      tools: [addTool, brokenTool] as never,
      special: new Map(),
      workspace: {
        first: createToolContext({ workspaceRoot: folder.path, policy: allowed }),
        openRoot: null,
        report: () => undefined,
      },
      version: "1",
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(near);
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([{ name: "add_up", title: "Add up" }, { name: "break_down" }]);
    const told: string[] = [];
    const onprogress = ({ progress, message }: Progress) => {
      told.push(`${progress} ${message}`);
    };
    const call = { name: "add_up", arguments: { numbers: [1, 2] } };
    expect(await client.callTool(call, { onprogress })).toEqual({
      content: [{ type: "text", text: '{"sum":3}' }],
      structuredContent: { sum: 3 },
      _meta: { meta: { steps: 2 } },
    });
    expect(told).toEqual(["1 added 1", "2 added 2"]);
    expect(await client.callTool({ name: "add_up", arguments: { numbers: [1, 2, 3, 4] } })).toEqual({
      content: [{ type: "text", text: "TOO_MANY: There are too many." }],
      isError: true,
      _meta: { error: { code: "TOO_MANY", retriable: true, details: { max: 3 } } },
    });
    expect(await client.callTool({ name: "break_down", arguments: { numbers: [] } })).toEqual({
      content: [{ type: "text", text: "INTERNAL: Unexpected error: nobody foresaw this" }],
      isError: true,
      _meta: { error: { code: "INTERNAL", retriable: true, details: {} } },
    });
    await client.close();
    await server.ended;
    await server.close();
  });
});
