import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAgentToolkit, createToolContext } from "../../src/lib.ts";
import { ToolCatalog } from "../../src/tools/catalog.ts";
import type { Tool } from "../../src/tools/core/tool.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { dataOf, mcpClient, textOf } from "../helpers/mcp.ts";

const PATCH = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1 @@\n-first\n+second\n";

/** One call of each tool that does its work, in an order in which each finds what it needs. */
const CALLS: Readonly<Record<string, Record<string, unknown>>> = {
  exec_command: { cwd: ".", command: ["sh", "-c", "cat; exit 3"], stdin: "課題 \u0000 \ud83d\ude00" },
  write_file: { path: "notes.txt", content: "first\n" },
  apply_patch: { patch: PATCH },
  read_file: { path: "notes.txt" },
  tree: {},
  codebase_search: { query: "second" },
  define_issue: { issue: "課題", context: "背景", constraints: "制約" },
  get_current_status: {},
  git_status_summary: {},
  git_command: { subcommand: "log", args: ["--format=%s"] },
  git_diff: {},
  git_log: {},
  spawn_service: { name: "web", command: ["sleep", "300"], ready_after_ms: 0 },
  list_services: {},
  get_service_logs: { name: "web" },
  stop_service: { name: "web" },
};

test("every tool's data fits the schema that it was listed with, as the client itself checks", async () => {
  await using sandbox = await gitSandbox();
  const repository = await sandbox.repository("project");
  await using mcp = await mcpClient({ cwd: repository, env: sandbox.env });
  // From here on the client checks each answer against the schema that it was told.
  const listed = (await mcp.client.listTools()).tools.map(({ name }) => name);
  expect(listed.filter((name) => !(name in CALLS))).toEqual([]);
  for (const [name, args] of Object.entries(CALLS)) {
    const result = await mcp.call(name, args);
    expect([name, result.isError ? textOf(result) : "done"]).toEqual([name, "done"]);
    expect(Object.keys(dataOf(result)).length).toBeGreaterThan(0);
  }
});

test("what only reads answers over MCP what it answers in the library", async () => {
  await using sandbox = await gitSandbox();
  const repository = await sandbox.repository("project");
  await writeFile(join(repository, "src/app.txt"), "one\n2\nthree\n");
  await using mcp = await mcpClient({ cwd: repository, env: sandbox.env });
  const policy = { defaultPolicy: "allow" } as const;
  const toolkit = createAgentToolkit(
    createToolContext({ workspaceRoot: repository, policy, git: "guarded" }),
  );
  const reading = Object.values<Tool>(ToolCatalog)
    .filter(({ effect, needs }) => needs === undefined && (effect === "reads" || effect === "decides"))
    .map(({ definition }) => definition.name)
    .filter((name) => !name.includes("service"));
  expect(reading.length).toBeGreaterThan(5);
  for (const name of reading) {
    const args = name === "read_file" ? { path: "src/app.txt" } : CALLS[name];
    const answered = await toolkit.invoke(name, args);
    expect(answered).toMatchObject({ status: "success" });
    if (answered.status === "success")
      expect([name, dataOf(await mcp.call(name, args))]).toEqual([
        name,
        JSON.parse(JSON.stringify(answered.data)),
      ]);
  }
  await toolkit.close();
});
