import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dataOf, mcpClient, mcpLines } from "../helpers/mcp.ts";
import { LINUX } from "../helpers/need.ts";
import { PATH, taggedEnv } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** A command that says when it runs. One grandchild ignores TERM, another is in a session of its own. */
const STUBBORN = ["sh", "-c", "(trap '' TERM; sleep 300) & setsid sleep 300 & touch started; wait"];
const LONG = { cwd: ".", command: STUBBORN, timeout_ms: 120_000 };
const SERVICE = { name: "web", command: ["sh", "-c", "touch served; sleep 300"], ready_after_ms: 0 };

const isThere = (path: string) => waitFor(`${path}`, () => Bun.file(path).exists());

/** A call of a tool as a line. */
const callLine = (id: number, name: string, args: unknown, meta: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, _meta: meta } })}\n`;

describe.skipIf(LINUX.missing)(`what an MCP client leaves${LINUX.why}`, () => {
  test("a call that the client cancels is stopped with its whole tree, and the server goes on", async () => {
    await using folder = await tempDir();
    await using tagged = taggedEnv();
    await using mcp = await mcpClient({ cwd: folder.path, env: tagged.env });
    const stop = new AbortController();
    const asked = mcp.client.callTool({ name: "exec_command", arguments: LONG }, { signal: stop.signal });
    asked.catch(() => undefined);
    await isThere(join(folder.path, "started"));
    expect((await tagged.left()).length).toBeGreaterThan(3);
    stop.abort("enough");
    await expect(asked).rejects.toThrow("enough");
    await waitFor("only the server to be left", async () => (await tagged.left()).length === 1);
    const next = await mcp.call("exec_command", { cwd: ".", command: ["echo", "on"] });
    expect(dataOf(next)).toMatchObject({ stdout: "on\n" });
  });

  test("a call under an id that is in use already is stopped too when the client goes", async () => {
    await using folder = await tempDir();
    await using tagged = taggedEnv();
    await using mcp = mcpLines({ cwd: folder.path, env: tagged.env });
    await mcp.initialize();
    await mcp.write(callLine(7, "exec_command", { ...LONG, command: ["sh", "-c", "touch one; sleep 300"] }));
    await mcp.write(callLine(7, "exec_command", { ...LONG, command: ["sh", "-c", "touch two; sleep 300"] }));
    await isThere(join(folder.path, "one"));
    await isThere(join(folder.path, "two"));
    await mcp.end();
    expect(await mcp.exited).toBe(0);
    expect(await tagged.left()).toEqual([]);
  });

  const goes = [
    ["ends its input", (mcp: ReturnType<typeof mcpLines>) => mcp.end()],
    ["sends TERM", async (mcp: ReturnType<typeof mcpLines>) => mcp.kill("SIGTERM")],
    ["sends INT", async (mcp: ReturnType<typeof mcpLines>) => mcp.kill("SIGINT")],
    ["sends HUP", async (mcp: ReturnType<typeof mcpLines>) => mcp.kill("SIGHUP")],
  ] as const;
  test.each(goes)(
    "when the client %s, commands and services end, nothing is left, the exit code is 0",
    async (_, go) => {
      await using folder = await tempDir();
      await using tagged = taggedEnv();
      await using mcp = mcpLines({ cwd: folder.path, env: tagged.env });
      await mcp.initialize();
      await mcp.write(callLine(1, "exec_command", LONG));
      await mcp.write(callLine(2, "spawn_service", SERVICE));
      await isThere(join(folder.path, "started"));
      await isThere(join(folder.path, "served"));
      await go(mcp);
      expect(await mcp.exited).toBe(0);
      expect(await tagged.left()).toEqual([]);
      expect(mcp.lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(mcp.lines.map(() => "2.0"));
    },
  );

  test(deep("when the client is killed, commands and services end, and nothing is left"), async () => {
    await using folder = await tempDir();
    await using tagged = taggedEnv();
    const client = join(folder.path, "client.ts");
    await writeFile(client, killedClient());
    const child = Bun.spawn([process.execPath, "--no-env-file", client], {
      cwd: folder.path,
      env: { ...tagged.env, FOLDER: folder.path },
      stdout: "ignore",
      stderr: "inherit",
    });
    await isThere(join(folder.path, "started"));
    await isThere(join(folder.path, "served"));
    expect((await tagged.left()).length).toBeGreaterThan(5);
    child.kill("SIGKILL");
    await waitFor("nothing to be left", async () => (await tagged.left()).length === 0);
  });

  test("a server whose answers are not read any more ends", async () => {
    await using folder = await tempDir();
    await using tagged = taggedEnv();
    const server = '{ touch began; "$TAZUNA" mcp; touch ended; }';
    // It asks on and on: what was answered before the reader left may all have found room in the pipe.
    const asking = `printf '%s\\n' '${INITIALIZE}'; while [ ! -e ended ]; do printf '%s\\n' '${PING}'; sleep 0.1; done`;
    const script = `{ ${asking}; } | ${server} | head -n 1 >/dev/null`;
    const TAZUNA = join(import.meta.dir, "../../bin/tazuna");
    const child = Bun.spawn(["sh", "-c", script], { cwd: folder.path, env: { ...tagged.env, TAZUNA } });
    await isThere(join(folder.path, "began"));
    await isThere(join(folder.path, "ended"));
    child.kill();
  });
});

describe("a client that holds on to the pipe and reads none of it", () => {
  const ends = [
    ["ends its input", "true", async () => undefined],
    ["sends TERM", "while [ ! -e code ]; do sleep 0.1; done", async (pid: number) => process.kill(pid)],
  ] as const;
  test.each(ends)("and %s keeps no server, whatever was not read", async (_, afterAsking, go) => {
    await using folder = await tempDir();
    const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    const last = callLine(3, "exec_command", { cwd: ".", command: ["touch", "asked"] });
    await writeFile(join(folder.path, "questions"), `${INITIALIZE}\n${`${list}\n`.repeat(30)}${last}`);
    const script = `{ cat questions; while [ ! -e asked ]; do sleep 0.1; done; ${afterAsking}; } |
      { sh -c 'echo $$ >pid; exec "$TAZUNA" mcp'; echo $? >ended; mv ended code; } | while [ ! -e code ]; do sleep 0.1; done`;
    const TAZUNA = join(import.meta.dir, "../../bin/tazuna");
    await using tagged = taggedEnv();
    await using child = Bun.spawn(["sh", "-c", script], {
      cwd: folder.path,
      env: { ...tagged.env, TAZUNA },
    });
    await isThere(join(folder.path, "asked"));
    await go(Number(await Bun.file(join(folder.path, "pid")).text()));
    await isThere(join(folder.path, "code"));
    expect((await Bun.file(join(folder.path, "code")).text()).trim()).toBe("0");
    await child.exited;
  });
});

test.each([">file", ">/dev/null", ">&-", "2>&-", "<&-"])(
  "a server that was started with %s ends like any other when its input ends",
  async (redirected) => {
    await using folder = await tempDir();
    const TAZUNA = join(import.meta.dir, "../../bin/tazuna");
    const script = `printf '%s\\n' '${INITIALIZE}' '${PING}' | "$TAZUNA" mcp ${redirected}`;
    await using child = Bun.spawn(["sh", "-c", script], {
      cwd: folder.path,
      env: { PATH, HOME: folder.path, TAZUNA },
    });
    expect(await child.exited).toBe(0);
  },
);

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "pipe", version: "1" } },
});
const PING = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });

/** A client that begins a command and a service, and waits to be killed. */
function killedClient(): string {
  const module = JSON.stringify(join(import.meta.dir, "../helpers/mcp.ts"));
  return `
    import { mcpLines } from ${module};
    const { FOLDER = "", ...env } = process.env;
    const mcp = mcpLines({ cwd: FOLDER, env });
    await mcp.initialize();
    await mcp.write(${JSON.stringify(callLine(1, "exec_command", LONG))});
    await mcp.write(${JSON.stringify(callLine(2, "spawn_service", SERVICE))});
    await mcp.exited;
  `;
}

describe("progress", () => {
  test(
    deep("of a long command is told to a client that asked for it, growing, and to no other"),
    async () => {
      await using folder = await tempDir();
      await using tagged = taggedEnv();
      await using mcp = mcpLines({ cwd: folder.path, env: tagged.env });
      await mcp.initialize();
      const command = [
        "sh",
        "-c",
        "i=0; while [ ! -e enough ]; do i=$((i+1)); echo line $i; sleep 0.1; done",
      ];
      const args = { cwd: ".", command, timeout_ms: 60_000 };
      await mcp.write(callLine(1, "exec_command", args, { progressToken: "mine" }));
      await mcp.write(callLine(2, "exec_command", args));
      const told = () =>
        mcp.lines.map((line) => JSON.parse(line)).filter(({ method }) => method === "notifications/progress");
      await waitFor("two progress notifications", () => told().length >= 2);
      await writeFile(join(folder.path, "enough"), "");
      await Promise.all([mcp.answerTo(1), mcp.answerTo(2)]);
      const steps = told().map(({ params }) => params);
      expect(new Set(steps.map(({ progressToken }) => progressToken))).toEqual(new Set(["mine"]));
      expect(steps.map(({ progress }) => progress)).toEqual(
        [...new Set<number>(steps.map(({ progress }) => progress))].sort((a, b) => a - b),
      );
      expect(steps.every(({ message }) => typeof message === "string" && message !== "")).toBe(true);
    },
  );
});
