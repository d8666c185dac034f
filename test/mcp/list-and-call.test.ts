import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { ToolCatalog } from "../../src/tools/catalog.ts";
import type { Tool } from "../../src/tools/core/tool.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { BIN, dataOf, errorOf, type McpClient, mcpClient, mcpLines, textOf } from "../helpers/mcp.ts";
import { PATH } from "../helpers/programs.ts";

/** Nobody can be asked through a server that no attempt has. */
const TOOLS = Object.values<Tool>(ToolCatalog).filter(({ needs }) => needs === undefined);

describe("the tools that an MCP client is told of", () => {
  let sandbox: GitSandbox;
  let repository: string;
  let mcp: McpClient;

  beforeAll(async () => {
    sandbox = await gitSandbox();
    repository = await sandbox.repository("project");
    mcp = await mcpClient({ cwd: repository, env: sandbox.env });
  });
  afterAll(async () => {
    await mcp?.[Symbol.asyncDispose]();
    await sandbox?.[Symbol.asyncDispose]();
  });

  test("are the tools of the catalog, in its order, with the definitions' own words", async () => {
    const { tools } = await mcp.client.listTools();
    expect(
      tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    ).toEqual(TOOLS.map(({ definition }) => structuredClone(definition)) as never);
  });

  test("say what they answer, closed, and what they do", async () => {
    const { tools } = await mcp.client.listTools();
    for (const [index, listed] of tools.entries()) {
      const tool = TOOLS[index] as Tool;
      expect(listed.outputSchema).toEqual({ type: "object", ...z.toJSONSchema(tool.output) } as never);
      expect(JSON.stringify(listed.outputSchema)).toContain('"additionalProperties":false');
      expect(listed.title).toBe(tool.title);
      expect(listed.annotations).toEqual({
        title: tool.title,
        readOnlyHint: tool.effect === "reads",
        destructiveHint: tool.hints.destructive,
        idempotentHint: tool.hints.idempotent,
        openWorldHint: tool.hints.openWorld,
      });
    }
  });

  test("answer with data that fits its schema, and the same as text", async () => {
    const result = await mcp.call("git_status_summary");
    expect(result).toEqual({
      content: [{ type: "text", text: JSON.stringify(result.structuredContent) }],
      structuredContent: { repository_root: repository, branch: "main", raw: "## main\n" },
    });
  });

  test("carry the facts about a success beside it", async () => {
    const result = await mcp.call("exec_command", {
      cwd: ".",
      command: ["sh", "-c", "sleep 60 >/dev/null 2>&1 &"],
    });
    expect(result._meta).toMatchObject({ meta: { stopped_background: 1 } });
    expect(dataOf(result).exit_code).toBe(0);
  });

  test("answer what went wrong as a result: the code first, no data, and the rest for programs", async () => {
    const result = await mcp.call("exec_command", { cwd: "..", command: ["true"] });
    expect(result.isError).toBe(true);
    expect("structuredContent" in result).toBe(false);
    expect(textOf(result)).toStartWith("OUTSIDE_WORKSPACE: cwd: ");
    expect(errorOf(result)).toEqual({
      code: "OUTSIDE_WORKSPACE",
      retriable: false,
      details: { argument: "cwd" },
    });
  });

  test.each<[string, unknown]>([
    ["a wrong type", { cwd: 3, command: ["true"] }],
    ["an unknown argument", { cwd: ".", command: ["true"], shel_mode: "direct" }],
    ["null for an optional one", { cwd: ".", command: ["true"], stdin: null }],
    ["nothing", undefined],
    ["a list", ["true"]],
    ["a text", "true"],
  ])("answer arguments that are wrong (%s) themselves, as a result", async (_, args) => {
    const params = { name: "exec_command", ...(args === undefined ? {} : { arguments: args }) };
    const result = await mcp.client.request({ method: "tools/call", params } as never);
    expect(errorOf(result as never)).toMatchObject({ code: "INVALID_ARGUMENT", retriable: false });
    expect(textOf(result as never)).toStartWith("INVALID_ARGUMENT: ");
  });

  test.each(TOOLS.map(({ definition }) => definition.name))(
    "%s answers an argument that it does not have",
    async (name) => {
      const result = await mcp.call(name, { "no-such-argument": 1 });
      expect(result.isError).toBe(true);
      expect("structuredContent" in result).toBe(false);
      expect(errorOf(result)).toMatchObject({ code: "INVALID_ARGUMENT" });
    },
  );

  test("answer a tool that does not exist as an error of the protocol, naming the nearest", async () => {
    const asked = mcp.call("git_status_sumary");
    await expect(asked).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Did you mean git_status_summary?"),
      data: { nearest: "git_status_summary" },
    });
  });

  test.each([
    ["tools/list", { cursor: "second" }, "cursor: there is no such page, since all tools are on the first"],
    ["tools/list", { cursor: null }, "cursor: "],
    ["initialize", {}, "protocolVersion"],
    ["initialize", { protocolVersion: 1, capabilities: {}, clientInfo: {} }, "protocolVersion"],
  ])(
    "answer %s with %j as an error of the protocol that names what is wrong",
    async (method, params, words) => {
      await using lines = mcpLines({ cwd: repository, env: sandbox.env });
      if (method !== "initialize") await lines.initialize();
      const { error } = await lines.ask("asked", method, params);
      expect(error?.code).toBe(-32602);
      expect(error?.message).toStartWith(`Invalid params for ${method}: `);
      expect(error?.message).toContain(words);
      expect(error?.message).not.toContain("\n");
    },
  );

  test("answer a call without a name as an error of the protocol", async () => {
    const asked = mcp.client.request({ method: "tools/call", params: { arguments: {} } } as never);
    await expect(asked).rejects.toMatchObject({ code: -32602 });
  });

  test("answer 32 calls side by side, each its own", async () => {
    const began = performance.now();
    const words = Array.from({ length: 32 }, (_, index) => `word-${index}`);
    const results = await Promise.all(
      words.map((word) =>
        mcp.call("exec_command", { cwd: ".", command: ["sh", "-c", `sleep 1; echo ${word}`] }),
      ),
    );
    expect(results.map((result) => dataOf(result).stdout)).toEqual(words.map((word) => `${word}\n`));
    expect(performance.now() - began).toBeLessThan(16_000);
  });

  test("print nothing but the protocol, whatever a command prints", async () => {
    const result = await mcp.call("exec_command", {
      cwd: ".",
      command: ["sh", "-c", "echo out; echo err >&2; echo tty >/dev/tty"],
    });
    expect(result.structuredContent).toMatchObject({ stdout: "out\n" });
    expect(mcp.stderr()).toBe("");
  });
});

test("a client of the protocol's newest revision, without sessions, falls back to one that has them", async () => {
  await using sandbox = await gitSandbox();
  const client = new Client({ name: "newest", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StdioClientTransport({ command: BIN, args: ["mcp"], cwd: sandbox.root, env: sandbox.env }),
  );
  expect((await client.listTools()).tools.length).toBe(TOOLS.length);
  expect(client.getNegotiatedProtocolVersion()).toBe("2025-11-25");
  await client.close();
});

describe("what narrows the tools", () => {
  test("--read-only lists them, and refuses every command and every write", async () => {
    await using sandbox = await gitSandbox();
    const repository = await sandbox.repository("project");
    await using mcp = await mcpClient({ cwd: repository, env: sandbox.env, args: ["--read-only"] });
    expect(mcp.client.getInstructions()).toContain("The workspace is read-only");
    expect(errorOf(await mcp.call("exec_command", { cwd: ".", command: ["true"] }))).toMatchObject({
      code: "READ_ONLY",
    });
    expect((await mcp.call("git_status_summary")).structuredContent).toMatchObject({ branch: "main" });
  });

  test("--policy lists what it allows, and refuses the rest", async () => {
    await using sandbox = await gitSandbox();
    const repository = await sandbox.repository("project");
    const policy = join(sandbox.root, "policy.json");
    await Bun.write(policy, JSON.stringify({ tools: { git_status_summary: "allow" } }));
    await using mcp = await mcpClient({ cwd: repository, env: sandbox.env, args: ["--policy", policy] });
    expect((await mcp.client.listTools()).tools.map(({ name }) => name)).toEqual(["git_status_summary"]);
    const denied = await mcp.call("exec_command", { cwd: ".", command: ["true"] });
    expect(errorOf(denied)).toEqual({ code: "POLICY_DENIED", retriable: false, details: {} });
  });

  test("an attempt's variables bind it to the attempt's worktree, and to git's reading commands", async () => {
    await using sandbox = await gitSandbox();
    const repository = await sandbox.repository("project");
    const env = { ...sandbox.env, TAZUNA_ATTEMPT: "a1", TAZUNA_WORKSPACE: repository };
    await using mcp = await mcpClient({ cwd: sandbox.root, env, roots: () => [`file://${sandbox.root}`] });
    expect(mcp.client.getInstructions()).toContain("Git may be read here, and nothing else");
    expect((await mcp.call("git_status_summary")).structuredContent).toMatchObject({
      repository_root: repository,
    });
    const commit = { cwd: ".", command: ["git", "commit", "--allow-empty", "-m", "mine"] };
    expect(errorOf(await mcp.call("exec_command", commit))).toMatchObject({ code: "READ_ONLY" });
  });

  test("what it is started with is told its commands, but not the token of its clients", async () => {
    await using sandbox = await gitSandbox();
    const env = { PATH, HOME: sandbox.home, TAZUNA_MCP_TOKEN: "a-token-of-its-clients", MINE: "yes" };
    await using mcp = await mcpClient({ cwd: sandbox.root, env });
    const told = String(dataOf(await mcp.call("exec_command", { cwd: ".", command: ["env"] })).stdout);
    expect([told.includes("MINE=yes"), told.includes("a-token-of-its-clients")]).toEqual([true, false]);
  });
});
