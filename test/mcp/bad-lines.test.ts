import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createLineReader } from "../../src/mcp/lines/read-lines.ts";
import { readLine } from "../../src/mcp/lines/read-message.ts";
import { mcpLines } from "../helpers/mcp.ts";
import { PATH } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const BAD = { code: -32600, id: null };

const bytes = (text: string) => new TextEncoder().encode(text);

describe("lines", () => {
  const line = fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.replaceAll("\n", " "));
  test("are the same however the stream is cut into chunks, and too long ones are passed over", () => {
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(40)), (lines, cuts) => {
        const whole = bytes(lines.map((text) => `${text}\n`).join(""));
        const heard: (string | null)[] = [];
        const max = 20;
        const reader = createLineReader({
          max,
          onLine: (part) =>
            heard.push("id" in part ? null : new TextDecoder("utf-8", { ignoreBOM: true }).decode(part)),
        });
        const chunk = new Uint8Array(64);
        let at = 0;
        for (const cut of [...cuts, whole.length]) {
          // The same memory for every chunk, as streams do.
          for (let from = at; from < Math.min(at + cut, whole.length); from += chunk.length) {
            const part = whole.subarray(from, Math.min(from + chunk.length, at + cut));
            chunk.set(part);
            reader.push(chunk.subarray(0, part.length));
            chunk.fill(0x0a);
          }
          at = Math.min(at + cut, whole.length);
        }
        expect(heard).toEqual(lines.map((text) => (bytes(text).length > max ? null : text)));
      }),
    );
  });

  test.each([
    ['{"id":7,"method":"ping","params":{"error":1}}', 7],
    ['{"id":7,"result":{"content":[]}}', null],
    ['{"error":{"code":-1},"jsonrpc":"2.0","id":"x"}', null],
  ])("that are too long keep the id of a question, and not of an answer: %s", (text, id) => {
    const heard: unknown[] = [];
    const reader = createLineReader({ max: 10, onLine: (line) => heard.push(line) });
    reader.push(bytes(`${text}\n`));
    expect(heard).toEqual([{ id }]);
  });

  test.each<[string, Parameters<typeof readLine>[0], number, unknown]>([
    ["no JSON", bytes("{"), -32700, null],
    ["no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), -32700, null],
    ["one that is too long", { id: null }, -32600, null],
    ["one that is too long and has an id", { id: "x" }, -32600, "x"],
    ["a batch", bytes('[{"jsonrpc":"2.0","id":1,"method":"ping"}]'), -32600, null],
    ["a number", bytes("7"), -32600, null],
    ["null", bytes("null"), -32600, null],
    ["another version", bytes('{"jsonrpc":"1.0","id":7,"method":"ping"}'), -32600, 7],
    ["no method", bytes('{"jsonrpc":"2.0","id":"x"}'), -32600, "x"],
    ["a method that is no text", bytes('{"jsonrpc":"2.0","id":3,"method":4}'), -32600, 3],
    ["an answer", bytes('{"jsonrpc":"2.0","id":3,"result":4}'), -32600, null],
    ["an id that is none", bytes('{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}'), -32600, null],
    ["a broken id", bytes('{"jsonrpc":"2.0","id":1.5,"method":"ping"}'), -32600, null],
    ["params that are a list", bytes('{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}'), -32600, 3],
  ])("say what is wrong with them, and to whom: %s", (_, given, code, id) => {
    expect(readLine(given, { batches: false })).toMatchObject([{ code, id }]);
  });

  test.each<[string, unknown, unknown]>([
    [
      "each of its messages, right or wrong",
      [PING, 7, { id: 3 }],
      [{ message: PING }, BAD, { ...BAD, id: 3 }],
    ],
    ["no list in a list", [[PING]], [BAD]],
    ["nothing", [], [BAD]],
    ["more than a hundred", Array.from({ length: 101 }, () => PING), [BAD]],
  ])("of a batch, if the revision has batches: %s", (_, given, read) => {
    expect(readLine(bytes(JSON.stringify(given)), { batches: true })).toMatchObject(read as object[]);
  });

  test("that are empty are no fault", () => {
    const read = ["", "  \r"].map((text) => readLine(bytes(text), { batches: false }));
    expect(read).toEqual([[], []]);
  });
});

describe("a server that hears garbage", () => {
  test("answers each line that has an id, and every good call between them", async () => {
    await using folder = await tempDir();
    await using mcp = mcpLines({ cwd: folder.path, env: { PATH, HOME: folder.path } });
    await mcp.initialize();
    const junk = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }).map((text) => text.replaceAll(/[\n\r]/g, " ")),
      fc.json(),
      fc
        .record(
          {
            jsonrpc: fc.constantFrom("2.0", "1.0", 2),
            id: fc.oneof(fc.constant(null), fc.double(), fc.object(), fc.string()),
            method: fc.oneof(
              fc.constantFrom("tools/call", "tools/list", "initialize", "ping", "no/such"),
              fc.integer(),
            ),
            params: fc.oneof(
              fc.object(),
              fc.array(fc.integer()),
              fc.constant({ name: "exec_command", arguments: 7 }),
            ),
          },
          { requiredKeys: [] },
        )
        .map((message) => JSON.stringify(message)),
      fc
        .record({ requestId: fc.oneof(fc.integer(), fc.string(), fc.object()) }, { requiredKeys: [] })
        .map((params) => JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params })),
      fc.constant(JSON.stringify({ jsonrpc: "2.0", id: 99, result: {} })),
    );
    const lines = fc.sample(junk, { numRuns: 400, seed: 7 });
    for (const [index, text] of lines.entries()) {
      await mcp.write(`${text}\n`);
      if (index % 50 === 0) expect((await mcp.ask(`good-${index}`, "ping")).result).toEqual({});
    }
    const params = { name: "exec_command", arguments: { cwd: ".", command: ["echo", "still here"] } };
    const answer = await mcp.ask("last", "tools/call", params);
    expect(answer.result?.structuredContent).toMatchObject({ stdout: "still here\n" });
    for (const text of mcp.lines) expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0" });
    await mcp.end();
    expect(await mcp.exited).toBe(0);
  });

  test.each([
    ["2025-03-26", "their answers"],
    ["2024-11-05", "no batches"],
    ["2025-06-18", "no batches"],
  ])("of a client that speaks %s takes or refuses batches: %s", async (protocolVersion, expected) => {
    await using folder = await tempDir();
    await using mcp = mcpLines({ cwd: folder.path, env: { PATH, HOME: folder.path } });
    const clientInfo = { name: "batches", version: "1" };
    await mcp.ask(0, "initialize", { protocolVersion, capabilities: {}, clientInfo });
    await mcp.write(`${JSON.stringify([PING, { ...PING, id: 2 }])}\n`);
    await mcp.ask("last", "ping");
    const ids = mcp.lines.map((line) => JSON.parse(line).id);
    expect(ids).toEqual(expected === "their answers" ? [0, 1, 2, "last"] : [0, null, "last"]);
  });

  test("reports each on one line of standard error, however much it quotes", async () => {
    await using folder = await tempDir();
    await using mcp = mcpLines({ cwd: folder.path, env: { PATH, HOME: folder.path } });
    await mcp.initialize();
    const nobody = { jsonrpc: "2.0", id: 99, result: { text: "x".repeat(100_000) } };
    const wrong = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: {} } };
    for (const message of [nobody, wrong, nobody]) await mcp.write(`${JSON.stringify(message)}\n`);
    await mcp.end();
    expect(await mcp.exited).toBe(0);
    const reported = mcp.stderr().trimEnd().split("\n");
    expect(reported.map((line) => line.slice(0, 12))).toEqual(Array(3).fill("tazuna mcp: "));
    expect(Math.max(...reported.map(({ length }) => length))).toBeLessThan(1_100);
  });

  test(deep("passes over a line of 40 MB and hears the next one; 9 MB are heard"), async () => {
    await using folder = await tempDir();
    await using mcp = mcpLines({ cwd: folder.path, env: { PATH, HOME: folder.path } });
    await mcp.initialize();
    const long = (size: number) => "x".repeat(size);
    const tooLong = { code: -32600, message: "The message is longer than 10 MiB." };
    await mcp.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${long(40_000_000)}"}}\n`);
    expect((await mcp.answerTo(1)).error).toEqual(tooLong);
    const inner = `{"id":7,"x":"\\"${long(11_000_000)}\\",\\"id\\":8","y":[{"id":9}]}`;
    await mcp.write(`{"jsonrpc":"2.0","method":"ping","params":${inner},"id" : "the last"}\n`);
    expect((await mcp.answerTo("the last")).error).toEqual(tooLong);
    await mcp.write(`{"jsonrpc":"2.0","method":"ping","params":${inner}}\n`);
    expect((await mcp.answerTo(null)).error).toEqual(tooLong);
    const args = { cwd: ".", command: ["wc", "-c"], stdin: long(9_000_000) };
    const answer = await mcp.ask(2, "tools/call", { name: "exec_command", arguments: args });
    expect(answer.result?.structuredContent).toMatchObject({ stdout: "9000000\n" });
  });

  test("hears the last line without a line end, and answers it", async () => {
    await using folder = await tempDir();
    await using mcp = mcpLines({ cwd: folder.path, env: { PATH, HOME: folder.path } });
    await mcp.initialize();
    await mcp.write(JSON.stringify({ ...PING, id: "whole" }));
    await mcp.end();
    expect((await mcp.answerTo("whole")).result).toEqual({});
    expect(await mcp.exited).toBe(0);
  });

  test("refuses everything but ping before initialize", async () => {
    await using folder = await tempDir();
    await using mcp = mcpLines({ cwd: folder.path, env: { PATH, HOME: folder.path } });
    expect((await mcp.ask(1, "ping")).result).toEqual({});
    const call = { name: "exec_command", arguments: { cwd: ".", command: ["touch", "made"] } };
    const refused = [await mcp.ask(2, "tools/call", call), await mcp.ask(3, "tools/list")];
    expect(refused.map(({ error }) => [error?.code, error?.message])).toEqual([
      [-32600, "tools/call was asked before the session began; send `initialize` first."],
      [-32600, "tools/list was asked before the session began; send `initialize` first."],
    ]);
    await mcp.initialize();
    expect((await mcp.ask(4, "tools/call", call)).result?.structuredContent).toMatchObject({ exit_code: 0 });
  });

  test("answers an output of a million characters whole", async () => {
    await using folder = await tempDir();
    await using mcp = mcpLines({ cwd: folder.path, env: { PATH, HOME: folder.path } });
    await mcp.initialize();
    const command = ["sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' a"];
    const args = { cwd: ".", command, max_output_chars: 1_000_000 };
    const answer = await mcp.ask(2, "tools/call", { name: "exec_command", arguments: args });
    expect(answer.result?.structuredContent).toMatchObject({
      stdout: "a".repeat(1_000_000),
      stdout_truncated: true,
    });
  });

  test("answers a second initialize", async () => {
    await using folder = await tempDir();
    await using mcp = mcpLines({ cwd: folder.path, env: { PATH, HOME: folder.path } });
    await mcp.initialize();
    expect((await mcp.initialize()).error ?? null).toBeNull();
  });
});
