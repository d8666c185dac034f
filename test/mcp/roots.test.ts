import { describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { dataOf, type McpClient, mcpClient } from "../helpers/mcp.ts";
import { PATH } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** Folders beside each other: where the server is started, and what a client may offer. */
async function folders() {
  const dir = await tempDir();
  const path = (name: string) => join(dir.path, name);
  for (const name of ["started here", "one", "two"]) await mkdir(path(name));
  await writeFile(path("file.txt"), "");
  return {
    here: path("started here"),
    one: path("one"),
    two: path("two"),
    file: path("file.txt"),
    env: { PATH, HOME: dir.path },
    [Symbol.asyncDispose]: dir[Symbol.asyncDispose],
  };
}

const uri = (path: string) => pathToFileURL(path).href;

async function workspace(mcp: McpClient): Promise<unknown> {
  return dataOf(await mcp.call("exec_command", { cwd: ".", command: ["pwd"] })).cwd;
}

describe("the workspace of an MCP client", () => {
  test("is where the server was started, for a client without roots", async () => {
    await using at = await folders();
    await using mcp = await mcpClient({ cwd: at.here, env: at.env });
    expect(await workspace(mcp)).toBe(at.here);
  });

  test("is the first root that is a folder; the others are named on standard error", async () => {
    await using at = await folders();
    const roots = ["https://example.org/", uri(at.file), uri(join(at.one, "gone")), uri(at.one), uri(at.two)];
    await using mcp = await mcpClient({ cwd: at.here, env: at.env, roots: () => roots });
    expect(await workspace(mcp)).toBe(at.one);
    expect(mcp.stderr()).toContain("Of the client's roots the first folder counts; 1 more are not reached.");
  });

  test("is where the server was started, if no root is a folder", async () => {
    await using at = await folders();
    const roots = ["nonsense", "file://elsewhere/x", uri(at.file)];
    await using mcp = await mcpClient({ cwd: at.here, env: at.env, roots: () => roots });
    expect(await workspace(mcp)).toBe(at.here);
    expect(mcp.stderr()).toContain("None of the client's roots is a folder on this machine.");
  });

  test(
    deep("moves when the client says that its roots have changed, and the services of the old one end"),
    async () => {
      await using at = await folders();
      let roots = [uri(at.one)];
      await using mcp = await mcpClient({ cwd: at.here, env: at.env, roots: () => roots });
      await mcp.call("spawn_service", { name: "web", command: ["sleep", "300"], ready_after_ms: 0 });
      expect(dataOf(await mcp.call("list_services")).services).toMatchObject([{ name: "web", cwd: at.one }]);
      roots = [uri(at.two)];
      await mcp.client.sendRootsListChanged();
      await waitFor("the workspace to move", async () => (await workspace(mcp)) === at.two);
      expect(dataOf(await mcp.call("list_services"))).toEqual({ services: [] });
      roots = [];
      await mcp.client.sendRootsListChanged();
      await waitFor("the workspace to move back", async () => (await workspace(mcp)) === at.here);
    },
  );

  test("stays if a client cannot name its roots", async () => {
    await using at = await folders();
    const roots = (): readonly string[] => {
      throw new Error("no roots today");
    };
    await using mcp = await mcpClient({ cwd: at.here, env: at.env, roots });
    expect(await workspace(mcp)).toBe(at.here);
    expect(mcp.stderr()).toContain("The client did not name its roots");
  });

  test("is what --workspace names, whatever the roots are", async () => {
    await using at = await folders();
    const start = {
      cwd: at.here,
      env: at.env,
      args: ["--workspace", "../one"],
      roots: () => [uri(at.two), "file:///"],
    };
    await using mcp = await mcpClient(start);
    expect(await workspace(mcp)).toBe(at.one);
    await mcp.client.sendRootsListChanged();
    expect(await workspace(mcp)).toBe(at.one);
  });

  test("is what TAZUNA_WORKSPACE names, whatever the roots are", async () => {
    await using at = await folders();
    const env = { ...at.env, TAZUNA_WORKSPACE: at.one };
    await using mcp = await mcpClient({ cwd: at.here, env, roots: () => [uri(at.two)] });
    expect(await workspace(mcp)).toBe(at.one);
  });

  test(deep("is the attempt's worktree within an attempt, whatever the roots are"), async () => {
    await using at = await folders();
    const env = { ...at.env, TAZUNA_WORKSPACE: at.one, TAZUNA_ATTEMPT: "a" };
    await using mcp = await mcpClient({ cwd: at.here, env, roots: () => [uri(at.two), "file:///"] });
    expect(await workspace(mcp)).toBe(at.one);
  });
});

test("a folder inside of the attempt's worktree narrows it", async () => {
  await using at = await folders();
  await mkdir(join(at.one, "inside"));
  const env = { ...at.env, TAZUNA_WORKSPACE: at.one, TAZUNA_ATTEMPT: "a" };
  await using mcp = await mcpClient({ cwd: at.here, env, args: ["--workspace", join(at.one, "inside")] });
  expect(await workspace(mcp)).toBe(join(at.one, "inside"));
});

describe("a folder that cannot be the workspace", () => {
  const refusals: readonly (readonly [
    string,
    readonly string[],
    Readonly<Record<string, string>>,
    string,
  ])[] = [
    ["one that is not there", ["--workspace", "gone"], {}, "There is no folder"],
    ["a file", ["--workspace", "../file.txt"], {}, "There is no folder"],
    [
      "one outside of the attempt's worktree",
      ["--workspace", "../two"],
      { TAZUNA_ATTEMPT: "a" },
      "outside of the attempt",
    ],
    [
      "the folder above the worktree",
      ["--workspace", ".."],
      { TAZUNA_ATTEMPT: "a" },
      "outside of the attempt",
    ],
  ];
  test.each(refusals)(
    "is refused as bad usage, before anything is served: %s",
    async (_, args, more, said) => {
      await using at = await folders();
      const env = { ...at.env, ...more, TAZUNA_WORKSPACE: at.one };
      const bin = join(import.meta.dir, "../../bin/tazuna");
      const child = Bun.spawn([bin, "mcp", ...args], { cwd: at.here, env, stdin: "ignore", stderr: "pipe" });
      const [out, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      expect([await child.exited, out, errors.includes(said)]).toEqual([2, "", true]);
    },
  );

  test("an attempt without a worktree is refused", async () => {
    await using at = await folders();
    const bin = join(import.meta.dir, "../../bin/tazuna");
    const env = { ...at.env, TAZUNA_ATTEMPT: "a" };
    const child = Bun.spawn([bin, "mcp"], { cwd: at.here, env, stdin: "ignore", stderr: "pipe" });
    expect(await child.stderr.text()).toContain("TAZUNA_WORKSPACE does not say where");
    expect(await child.exited).toBe(2);
  });
});
