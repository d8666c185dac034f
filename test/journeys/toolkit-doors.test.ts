/** Tells that the library, `tazuna tool` and MCP give the same answers, each as its own door words them. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAgentToolkit, createToolContext } from "../../src/lib.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { BIN, dataOf, errorOf, type McpClient, mcpClient } from "../helpers/mcp.ts";
import { LINUX } from "../helpers/need.ts";
import { taggedEnv } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function tazuna(
  args: readonly string[],
  at: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly stdin?: string },
): Promise<Ran> {
  const { cwd, env, stdin = "" } = at;
  const child = Bun.spawn([BIN, ...args], {
    cwd,
    env: { ...env },
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

describe("the doors of the toolkit", () => {
  let sandbox: GitSandbox;
  let repository: string;
  let mcp: McpClient;

  beforeAll(async () => {
    sandbox = await gitSandbox();
    repository = await sandbox.repository("project");
    await writeFile(join(repository, "変更 file.txt"), "new\n");
    mcp = await mcpClient({ cwd: repository, env: sandbox.env });
  });
  afterAll(async () => {
    await mcp?.[Symbol.asyncDispose]();
    await sandbox?.[Symbol.asyncDispose]();
  });

  const library = () =>
    createAgentToolkit(
      createToolContext({ workspaceRoot: repository, policy: { defaultPolicy: "allow" }, git: "guarded" }),
    );

  test("give the same data of the same call: tazuna tool git_status_summary '{}', the library, MCP", async () => {
    const told = await tazuna(["tool", "git_status_summary", "{}"], { cwd: repository, env: sandbox.env });
    const answered = await library().gitStatusSummary();
    const data = answered.status === "success" ? answered.data : answered;
    expect(data).toMatchObject({ repository_root: repository, branch: "main" });
    expect([told.code, told.err, JSON.parse(told.out)]).toEqual([0, "", data]);
    expect(dataOf(await mcp.call("git_status_summary"))).toEqual({ ...data });
  });

  const calls: readonly (readonly [string, unknown])[] = [
    ["exec_command", { cwd: "..", command: ["true"] }],
    ["exec_command", { cwd: "gone", command: ["true"] }],
    ["exec_command", { cwd: ".", command: ["no-such-program"], shell_mode: "direct" }],
    ["exec_command", { cwd: ".", command: [] }],
    ["git_status_summary", { cwd: "/" }],
    ["git_status_summary", { cwd: ".git" }],
  ];
  test.each(calls)("give the same code of the same refusal: %s %j", async (name, args) => {
    const answered = await library().invoke(name, args);
    const code = answered.status === "success" ? null : answered.error.code;
    const told = await tazuna(["tool", name, JSON.stringify(args), "--json"], {
      cwd: repository,
      env: sandbox.env,
    });
    const spoken = await mcp.call(name, args as Record<string, unknown>);
    expect(code).toBeString();
    expect([told.code, JSON.parse(told.out).error.code]).toEqual([1, code]);
    expect(errorOf(spoken).code).toBe(code);
  });

  test("an unknown tool is bad usage, with the nearest", async () => {
    const { code, out, err } = await tazuna(["tool", "git_status_sumary"], {
      cwd: repository,
      env: sandbox.env,
    });
    expect([code, out, err.includes("Did you mean `git_status_summary`?")]).toEqual([2, "", true]);
  });

  test("the command line lists every tool that MCP lists", async () => {
    const { out } = await tazuna(["tool", "--json"], { cwd: repository, env: sandbox.env });
    const { tools } = await mcp.client.listTools();
    expect(JSON.parse(out).tools.map(({ name }: { name: string }) => name)).toEqual(
      tools.map(({ name }) => name),
    );
  });

  test("what narrows MCP narrows the command line", async () => {
    const call = ["tool", "exec_command", '{"cwd":".","command":["true"]}', "--json"];
    const policy = join(sandbox.root, "policy.json");
    await writeFile(policy, '{"defaultPolicy":"allow","tools":{"exec_command":"deny"}}');
    const inAttempt = { ...sandbox.env, TAZUNA_ATTEMPT: "a", TAZUNA_WORKSPACE: repository };
    const git = ["tool", "exec_command", '{"cwd":".","command":["git","branch","x"]}', "--json"];
    const codes = await Promise.all(
      [
        tazuna([...call, "--read-only"], { cwd: repository, env: sandbox.env }),
        tazuna([...call, "--policy", policy], { cwd: repository, env: sandbox.env }),
        tazuna([...call, "--workspace", "gone"], { cwd: repository, env: sandbox.env }),
        tazuna([...call, "--workspace", ".."], { cwd: repository, env: inAttempt }),
        tazuna(git, { cwd: sandbox.root, env: inAttempt }),
      ].map(async (ran) => [(await ran).code, JSON.parse((await ran).out).error.code]),
    );
    expect(codes).toEqual([
      [1, "READ_ONLY"],
      [1, "POLICY_DENIED"],
      [2, "no_such_folder"],
      [2, "outside_attempt"],
      [1, "READ_ONLY"],
    ]);
  });

  test("an output of megabytes arrives whole through a pipe", async () => {
    const args = {
      cwd: ".",
      command: ["sh", "-c", "head -c 900000 /dev/zero | tr '\\0' a"],
      max_output_chars: 1_000_000,
    };
    const { out } = await tazuna(["tool", "exec_command", "-"], {
      cwd: repository,
      env: sandbox.env,
      stdin: JSON.stringify(args),
    });
    expect(out).toBe("a".repeat(900_000));
  });

  test("a lock is not left behind by any of them", async () => {
    await expect(readFile(join(repository, ".git/index.lock"))).rejects.toThrow("ENOENT");
  });
});

describe.skipIf(LINUX.missing)(`tazuna tool at Ctrl-C${LINUX.why}`, () => {
  test("stops the whole tree of the command, exit code 130", async () => {
    await using folder = await tempDir();
    await using tagged = taggedEnv();
    const args = { cwd: ".", command: ["sh", "-c", "(trap '' TERM; sleep 300) & touch began; wait"] };
    const child = Bun.spawn([BIN, "tool", "exec_command", JSON.stringify(args), "--json"], {
      cwd: folder.path,
      env: tagged.env,
      stdin: "ignore",
      stdout: "pipe",
    });
    await waitFor("the command to begin", () => Bun.file(join(folder.path, "began")).exists());
    child.kill("SIGINT");
    expect([await child.exited, JSON.parse(await child.stdout.text()).error.code]).toEqual([130, "CANCELED"]);
    expect(await tagged.left()).toEqual([]);
  });

  test("stops the service that it stayed for; one that ends by itself ends the command", async () => {
    await using folder = await tempDir();
    await using tagged = taggedEnv();
    const start = (command: readonly string[]) =>
      Bun.spawn([BIN, "tool", "spawn_service", JSON.stringify({ name: "web", command, ready_after_ms: 0 })], {
        cwd: folder.path,
        env: tagged.env,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
    const firstWords = async ({ stderr }: ReturnType<typeof start>) =>
      new TextDecoder().decode((await stderr.getReader().read()).value);
    const stopped = start(["sh", "-c", "touch serves; sleep 300"]);
    await waitFor("the service to begin", () => Bun.file(join(folder.path, "serves")).exists());
    expect(await firstWords(stopped)).toContain("The service belongs to this command");
    stopped.kill("SIGINT");
    expect(await stopped.exited).toBe(130);
    const ends = start(["sh", "-c", "while [ ! -e enough ]; do sleep 0.05; done"]);
    expect(await firstWords(ends)).toContain("The service belongs to this command");
    await Bun.write(join(folder.path, "enough"), "");
    expect(await ends.exited).toBe(0);
    expect(await tagged.left()).toEqual([]);
  });
});
