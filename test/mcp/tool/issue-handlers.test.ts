import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { toStructuredCallToolResult } from "../../../src/mcp/results/special-tool.ts";
import { createMcpServer } from "../../../src/mcp/server/create-mcp-server.ts";
import { defineIssueHandler } from "../../../src/mcp/tool/define-issue/index.ts";
import { getCurrentStatusHandler } from "../../../src/mcp/tool/get-current-status/index.ts";
import { SPECIAL_TOOLS } from "../../../src/mcp/tool/special-tools.ts";
import { ToolCatalog } from "../../../src/tools/catalog.ts";
import { contextOn, type ToolContextOptions } from "../../../src/tools/core/context.ts";
import { failure } from "../../../src/tools/core/result.ts";
import type { Tool } from "../../../src/tools/core/tool.ts";
import { toolkitIn } from "../../tools/toolkit-in.ts";

// Real files and many runs, on a busy machine.
setDefaultTimeout(150_000);

const texts = { issue: "課題", context: "背景", constraints: "制約" };

/** The handlers over the tools of a workspace. */
async function handlersIn(
  files: Readonly<Record<string, string>> = {},
  options: Partial<ToolContextOptions> = {},
) {
  const bench = await toolkitIn(files, options);
  return {
    root: bench.root,
    status: (args?: unknown) =>
      getCurrentStatusHandler(args, (given) => bench.invoke("get_current_status", given)),
    define: (args?: unknown) => defineIssueHandler(args, (given) => bench.invoke("define_issue", given)),
    [Symbol.asyncDispose]: bench[Symbol.asyncDispose],
  };
}

const text = (words: string) => ({ type: "text" as const, text: words });
const textLike = (words: RegExp) => text(expect.stringMatching(words) as unknown as string);

/** Exactly this, and no key beside it: `structuredContent` is not even there. */
const errorOf = (words: readonly string[], error: object) => ({
  content: words.map(text),
  isError: true,
  _meta: { error },
});

describe("the handler of get_current_status", () => {
  test("seed 004 Structured Output Pattern and Handler Logic Tests: with an issue the answer is 現在の課題 and the whole structure", async () => {
    await using handlers = await handlersIn();
    await handlers.define(texts);
    const result = await handlers.status({});
    const stored = JSON.parse(await readFile(join(handlers.root, ".tazuna", "issue.json"), "utf8"));
    expect(result).toStrictEqual({
      content: [text("現在の課題: 課題")],
      structuredContent: { hasIssue: true, ...texts, createdAt: stored.createdAt },
      isError: false,
    } as never);
  });

  test("seed 004 Structured Output Pattern, Error Handling Strategy and Handler Logic Tests: without an issue the answer is 現在、課題は定義されていません。, which is no error", async () => {
    await using handlers = await handlersIn();
    expect(await handlers.status({})).toStrictEqual({
      content: [text("現在、課題は定義されていません。")],
      structuredContent: { hasIssue: false },
      isError: false,
    } as never);
  });

  test("seed 004 Error Handling Strategy and Handler Logic Tests: an error of the file system is ファイルシステムエラー and its message (departs: structured content is left out, not null)", async () => {
    await using handlers = await handlersIn({ ".tazuna/issue.json/x": "" });
    expect(await handlers.status({})).toStrictEqual(
      errorOf(["ファイルシステムエラー: .tazuna/issue.json is not a file"], {
        code: "FILE_SYSTEM_ERROR",
        retriable: false,
        details: {},
      }) as never,
    );
  });

  test("seed 004 Error Handling Strategy and Handler Logic Tests: corrupt data is 課題データが破損しています。課題を再定義してください。 (departs: structured content is left out, not null)", async () => {
    for (const broken of ["", "{}", "null", '{"version":2}']) {
      await using handlers = await handlersIn({ ".tazuna/issue.json": broken });
      expect(await handlers.status({})).toStrictEqual(
        errorOf(["課題データが破損しています。課題を再定義してください。"], {
          code: "CORRUPT_DATA",
          retriable: false,
          details: {},
        }) as never,
      );
    }
  });

  test("seed 004 Schema-First Design: parameters that are not empty are 入力パラメータが無効です, an error", async () => {
    await using handlers = await handlersIn();
    for (const [args, details] of [
      [{ x: 1 }, { argument: "x" }],
      [null, {}],
      [[], {}],
      ["x", {}],
      [7, {}],
    ] as const)
      expect(await handlers.status(args)).toStrictEqual(
        errorOf(["入力パラメータが無効です"], {
          code: "INVALID_ARGUMENT",
          retriable: false,
          details,
        }) as never,
      );
  });

  test("codes that the seed does not know follow the rule of all tools: the text begins with the code", async () => {
    await using denied = await handlersIn({}, { policy: {} });
    const result = await denied.status({});
    expect(result).toMatchObject({ isError: true, _meta: { error: { code: "POLICY_DENIED" } } });
    expect(result.content).toEqual([
      text("POLICY_DENIED: get_current_status is not allowed by the policy of this workspace."),
    ]);
    const broken = await getCurrentStatusHandler({}, async () => failure("INTERNAL", "oops"));
    expect(broken.content).toEqual([text("INTERNAL: oops")]);
  });
});

test("seed 004 MCP Framework Integration and Structured Output Pattern: toStructuredCallToolResult takes messages, data and whether it is an error", () => {
  expect(toStructuredCallToolResult(["one", "two"], { hasIssue: false }, false)).toStrictEqual({
    content: [text("one"), text("two")],
    structuredContent: { hasIssue: false },
    isError: false,
  });
  expect(toStructuredCallToolResult(["oops"], null, true)).toStrictEqual({
    content: [text("oops")],
    isError: true,
  });
});

describe("the handler of define_issue", () => {
  test("says what was defined, and answers it as it was stored", async () => {
    await using handlers = await handlersIn();
    const result = await handlers.define({ ...texts, issue: " 課題 " });
    const { createdAt } = (await handlers.status()).structuredContent as { createdAt: string };
    expect(result).toStrictEqual({
      content: [text("課題を定義しました: 課題")],
      structuredContent: { ...texts, createdAt },
      isError: false,
      _meta: { meta: { earlier: 0 } },
    } as never);
  });

  test("after a corruption the issue is redefined as get_current_status asks, and the answer names the old file", async () => {
    await using handlers = await handlersIn({ ".tazuna/issue.json": "half" });
    const { content } = await handlers.define(texts);
    expect(content).toEqual([
      text("課題を定義しました: 課題"),
      {
        type: "text",
        text: expect.stringMatching(
          /^以前の課題データは \.tazuna\/issue\.json\.kept-\w{8} に保存されています。$/,
        ),
      },
    ]);
    expect((await handlers.status()).content).toEqual([text("現在の課題: 課題")]);
  });

  test("invalid parameters are told in the seed's words, and what is wrong with each in a text of its own", async () => {
    await using handlers = await handlersIn();
    expect(await handlers.define({ ...texts, issue: " " })).toStrictEqual(
      errorOf(["入力パラメータが無効です", "issue: must not be blank."], {
        code: "INVALID_ARGUMENT",
        retriable: false,
        details: { argument: "issue" },
      }) as never,
    );
  });

  test("errors of the file system are told in the seed's words, and a read-only workspace by its code", async () => {
    await using blocked = await handlersIn({ ".tazuna": "mine" });
    const { content, _meta } = await blocked.define(texts);
    expect(content).toEqual([textLike(/^ファイルシステムエラー: \.tazuna: /)]);
    expect(_meta).toMatchObject({ error: { code: "FILE_SYSTEM_ERROR" } });
    await using readOnly = await handlersIn({}, { writeScope: "read-only" });
    expect((await readOnly.define(texts)).content).toEqual([textLike(/^READ_ONLY: /)]);
  });
});

describe("over MCP", () => {
  /** A real client and the real server, in one process; `env` is what the server's process would have. */
  async function connected(root: string, env: Readonly<Record<string, string>> = {}) {
    const host = { platform: process.platform, environment: () => env };
    const first = contextOn(host, { workspaceRoot: root, policy: { defaultPolicy: "allow" } });
    const server = createMcpServer({
      tools: Object.values<Tool>(ToolCatalog),
      special: SPECIAL_TOOLS,
      workspace: { first, openRoot: null, report: () => undefined },
      version: "0.0.0",
    });
    const client = new Client({ name: "test", version: "0.0.0" });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(ours as never), client.connect(theirs)]);
    return {
      client,
      call: (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args }),
      [Symbol.asyncDispose]: async () => {
        await client.close();
        await server.close();
      },
    };
  }

  test("seed 004 MCP Framework Integration: both tools are registered with the server, with schemas for input and output", async () => {
    await using bench = await toolkitIn();
    await using mcp = await connected(bench.root);
    const { tools } = await mcp.client.listTools();
    const status = tools.find(({ name }) => name === "get_current_status");
    expect(status?.inputSchema).toMatchObject({ type: "object", properties: {} });
    expect(status?.outputSchema).toMatchObject({
      type: "object",
      properties: { hasIssue: { type: "boolean", description: "課題が定義されているかどうか" } },
      required: ["hasIssue"],
      additionalProperties: false,
    });
    expect(tools.find(({ name }) => name === "define_issue")).toMatchObject({
      inputSchema: { required: ["issue", "context", "constraints"] },
      annotations: { readOnlyHint: false, destructiveHint: false },
    });
  });

  test("seed 004 Overview, Data Flow and MCP Framework Integration: a client defines an issue and reads it from the file; every error reaches it as a result", async () => {
    await using bench = await toolkitIn();
    await using mcp = await connected(bench.root);
    // The client validates structured content against the published schema, and throws if it does not fit.
    await mcp.client.listTools();
    expect(await mcp.call("get_current_status")).toMatchObject({ structuredContent: { hasIssue: false } });
    expect(await mcp.call("define_issue", { issue: "" })).toMatchObject({
      isError: true,
      content: [text("入力パラメータが無効です"), { type: "text" }],
    });
    expect(await mcp.call("define_issue", texts)).toMatchObject({ structuredContent: texts });
    expect(await mcp.call("get_current_status")).toMatchObject({
      content: [text("現在の課題: 課題")],
      structuredContent: { hasIssue: true, ...texts },
    });
    expect(await mcp.call("get_current_status", { x: 1 })).toMatchObject({
      isError: true,
      content: [text("入力パラメータが無効です")],
    });
    await Bun.write(join(bench.root, ".tazuna", "issue.json"), "{");
    const corrupt = await mcp.call("get_current_status");
    expect(corrupt).toMatchObject({
      isError: true,
      content: [text("課題データが破損しています。課題を再定義してください。")],
    });
    expect(corrupt).not.toHaveProperty("structuredContent");
  });

  test("in an attempt a client reads the task's issue and cannot define one", async () => {
    await using bench = await toolkitIn();
    const handed = join(bench.outside, "issue.json");
    const task = { ...texts, createdAt: "2026-01-31T09:05:00.000Z" };
    await Bun.write(handed, JSON.stringify({ version: 1, ...task }));
    await using mcp = await connected(bench.root, { TAZUNA_ISSUE_FILE: handed });
    expect(await mcp.call("get_current_status")).toMatchObject({
      structuredContent: { hasIssue: true, ...task },
    });
    expect(await mcp.call("define_issue", texts)).toMatchObject({
      isError: true,
      content: [textLike(/^READ_ONLY: The issue of this attempt/)],
    });
  });
});
