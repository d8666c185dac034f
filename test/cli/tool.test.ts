import { describe, expect, test } from "bun:test";
import { err, ok } from "neverthrow";
import type { McpOptions, ToolCallOptions, ToolEnvelope } from "../../src/cli/shared/cli-options.ts";
import { cliWorld } from "../helpers/cli-world.ts";

const DENIED: ToolEnvelope = {
  status: "denied",
  reason: "policy",
  message: "no",
  error: { code: "READ_ONLY", message: "no\nand never", retriable: false, details: {} },
};

/** A command line whose one tool answers this. */
function worldWith(envelope: ToolEnvelope, { services = 0 } = {}) {
  const calls: ToolCallOptions[] = [];
  const world = cliWorld({
    entries: {
      tools: async () => [
        { name: "one", title: "One", description: "Does\none thing.", parameters: {} },
        { name: "longer", title: "Longer", description: "Does another.", parameters: {} },
      ],
      tool: async (options) => {
        calls.push(options);
        options.onAnswer(envelope, { services });
        if (services > 0) await new Promise((resolve) => options.signal.addEventListener("abort", resolve));
        return ok(undefined);
      },
    },
  });
  return { ...world, calls, [Symbol.asyncDispose]: world[Symbol.asyncDispose] };
}

const success = (data: unknown): ToolEnvelope => ({ status: "success", data });

describe("tazuna tool", () => {
  test("alone lists the tools, a line each", async () => {
    await using world = worldWith(success({}));
    expect(await world.run("tool")).toEqual({
      exit: 0,
      out: "one     Does one thing.\nlonger  Does another.\n",
      err: "",
    });
    const { out } = await world.run("tool", "--json");
    expect(JSON.parse(out).tools.map(({ name }: { name: string }) => name)).toEqual(["one", "longer"]);
  });

  test("hands over the arguments and what narrows the tools", async () => {
    await using world = worldWith(success({}));
    await world.run("tool", "one", '{"a":[1,null]}', "--workspace", "sub", "--read-only", "--policy=p.json");
    expect(world.calls).toMatchObject([
      {
        name: "one",
        args: { a: [1, null] },
        workspace: "/home/me/shop/sub",
        readOnly: true,
        policyFile: "/home/me/shop/p.json",
      },
    ]);
    await world.run("tool", "one");
    expect(world.calls[1]).toMatchObject({ args: {}, workspace: null, readOnly: false, policyFile: null });
  });

  test("reads the arguments from standard input for -", async () => {
    await using world = worldWith(success({}));
    await world.start(["tool", "one", "-"], { stdin: '{"text":"課題"}\n' }).ended;
    expect(world.calls[0]?.args).toEqual({ text: "課題" });
  });

  test("prints a command's output on the command's own streams, and other data as JSON", async () => {
    const ran = { stdout: "out\n", stderr: "err\n", exit_code: 0, timed_out: false };
    await using command = worldWith(success(ran));
    expect(await command.run("tool", "one")).toEqual({ exit: 0, out: "out\n", err: "err\n" });
    await using failing = worldWith(success({ ...ran, exit_code: 3 }));
    expect(await failing.run("tool", "one")).toEqual({
      exit: 0,
      out: "out\n",
      err: "err\ntazuna: The command ended with exit code 3.\n",
    });
    await using slow = worldWith(success({ ...ran, exit_code: 124, timed_out: true }));
    expect((await slow.run("tool", "one")).err).toBe(
      "err\ntazuna: The time was over; the command was stopped.\n",
    );
    await using data = worldWith(success({ a: 1 }));
    expect((await data.run("tool", "one")).out).toBe('{\n  "a": 1\n}\n');
  });

  test("prints the whole envelope as one document with --json", async () => {
    const envelope: ToolEnvelope = { status: "success", data: { stdout: "x" }, meta: { sandbox: "none" } };
    await using world = worldWith(envelope);
    const { out, err: errors } = await world.run("tool", "one", "--json");
    expect([JSON.parse(out), errors]).toEqual([envelope, ""]);
  });

  test("what is denied or fails is one line, exit code 1", async () => {
    await using world = worldWith(DENIED);
    expect(await world.run("tool", "one")).toEqual({
      exit: 1,
      out: "",
      err: "tazuna: READ_ONLY: no and never\n",
    });
    const { exit, out } = await world.run("tool", "one", "--json");
    expect([exit, JSON.parse(out)]).toEqual([1, DENIED]);
  });

  test.each<[string, readonly string[], string]>([
    ["no JSON", ["one", "{"], "The arguments are not JSON"],
    ["an empty text", ["one", ""], "The arguments are not JSON"],
    ["one argument too many", ["one", "{}", "{}"], "one argument too many"],
    ["an unknown flag", ["one", "--workspce", "x"], "Did you mean `--workspace`?"],
  ])("bad usage is exit code 2, and nothing is called: %s", async (_, words, said) => {
    await using world = worldWith(success({}));
    const { exit, err: errors } = await world.run("tool", ...words);
    expect([exit, errors.includes(said), world.calls.length]).toEqual([2, true, 0]);
  });

  test("a refusal of the door is reported as every other, with its own exit code", async () => {
    const error = {
      exit: 2,
      code: "unknown_tool",
      message: "There is no tool.",
      remedy: "Look.",
      details: {},
    } as const;
    await using world = cliWorld({ entries: { tool: async () => err(error) } });
    expect(await world.run("tool", "on")).toEqual({
      exit: 2,
      out: "",
      err: "tazuna: There is no tool. Look.\n",
    });
  });

  test("stays with a service until Ctrl-C, and says so", async () => {
    await using world = worldWith(success({ name: "web" }), { services: 1 });
    const { terminal, ended } = world.start(["tool", "one", "--json"]);
    expect(terminal.listeners()).toBe(0);
    while (terminal.listeners() === 0) await Promise.resolve().then(() => Bun.sleep(1));
    terminal.interrupt();
    expect(await ended).toMatchObject({
      exit: 130,
      err: "tazuna: The service belongs to this command, which stays until the end of it; Ctrl-C stops it.\n",
    });
    expect(terminal.listeners()).toBe(0);
  });
});

describe("tazuna mcp", () => {
  test("hands over where it works and listens, and prints nothing on standard output by itself", async () => {
    const asked: McpOptions[] = [];
    await using world = cliWorld({
      entries: {
        mcp: async (options, onListen) => {
          asked.push(options);
          if (options.httpPort !== null) onListen({ url: "http://127.0.0.1:1/mcp", token: "t" });
          return ok(undefined);
        },
      },
    });
    expect(await world.run("mcp")).toEqual({ exit: 0, out: "", err: "" });
    expect(await world.run("mcp", "--http", "0", "--workspace", "/w", "--read-only")).toEqual({
      exit: 0,
      out: "",
      err: "Tazuna serves its tools over MCP at http://127.0.0.1:1/mcp (bearer token t)\n",
    });
    expect(await world.run("mcp", "--http", "0", "--json")).toEqual({
      exit: 0,
      out: '{"url":"http://127.0.0.1:1/mcp","token":"t"}\n',
      err: "",
    });
    expect(asked.slice(0, 2)).toEqual([
      { control: false, httpPort: null, workspace: null, readOnly: false, policyFile: null },
      { control: false, httpPort: 0, workspace: "/w", readOnly: true, policyFile: null },
    ]);
    expect((await world.run("mcp", "--http", "x")).exit).toBe(2);
    expect((await world.run("mcp", "--control")).exit).toBe(0);
    expect(asked.at(-1)).toMatchObject({ control: true, httpPort: null });
    expect((await world.run("mcp", "--control", "--read-only")).exit).toBe(2);
  });
});
