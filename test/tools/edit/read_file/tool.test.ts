import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { ReadFileOutput } from "../../../../src/tools/edit/read_file/contract.ts";
import { swapForLink } from "../../swapping-racer.ts";
import { type Bench, codeOf, toolkitIn } from "../../toolkit-in.ts";

async function read(bench: Bench, args: object): Promise<ReadFileOutput> {
  const result = await bench.invoke("read_file", args);
  if (result.status !== "success") throw new Error(result.message);
  return result.data as ReadFileOutput;
}

describe("read_file", () => {
  test("answers a whole small file with its size and its lines", async () => {
    await using bench = await toolkitIn({ "src/a.txt": "one\ntwo\nthree" });
    expect(await bench.invoke("read_file", { path: "src/a.txt" })).toEqual({
      status: "success",
      data: {
        path: "src/a.txt",
        content: "one\ntwo\nthree",
        start_line: 1,
        lines: 3,
        truncated: false,
        next_start_line: null,
        total_lines: 3,
        total_bytes: 13,
        cut_line: null,
        invalid_utf8: false,
      },
    });
  });

  test("reads from a line on, and says where to go on", async () => {
    await using bench = await toolkitIn({ a: "1\n2\n3\n4\n" });
    const part = await read(bench, { path: "a", start_line: 2, max_lines: 2 });
    expect(part).toMatchObject({
      content: "2\n3\n",
      lines: 2,
      truncated: true,
      next_start_line: 4,
      total_lines: null,
    });
    const rest = await read(bench, { path: "a", start_line: 4, max_lines: 1 });
    expect(rest).toMatchObject({ content: "4\n", truncated: false, next_start_line: null, total_lines: 4 });
  });

  test("a start behind the end is an empty answer that says how many lines there are", async () => {
    await using bench = await toolkitIn({ a: "1\n", empty: "" });
    expect(await read(bench, { path: "a", start_line: 9 })).toMatchObject({
      content: "",
      lines: 0,
      total_lines: 1,
    });
    expect(await read(bench, { path: "empty" })).toMatchObject({ content: "", lines: 0, total_lines: 0 });
  });

  test("keeps CRLF, tabs and a byte order mark", async () => {
    const content = "\ufeffa\r\n\tb\r\n";
    await using bench = await toolkitIn({ a: content });
    expect((await read(bench, { path: "a" })).content).toBe(content);
  });

  test("bytes that are no UTF-8 become U+FFFD, and the answer says so", async () => {
    await using bench = await toolkitIn({
      bad: new Uint8Array([0x61, 0xff, 0x0a, 0x62, 0xe3, 0x81]),
      good: "\ufffd",
    });
    expect(await read(bench, { path: "bad" })).toMatchObject({
      content: "a\ufffd\nb\ufffd",
      invalid_utf8: true,
    });
    expect(await read(bench, { path: "good" })).toMatchObject({ content: "\ufffd", invalid_utf8: false });
  });

  test("leaves a line that does not fit for the next call, and cuts only one that never would", async () => {
    await using bench = await toolkitIn({
      a: `${"x".repeat(60)}\n${"y".repeat(60)}\n${"z".repeat(500)}\nend\n`,
    });
    const first = await read(bench, { path: "a", max_chars: 100 });
    expect(first).toMatchObject({ lines: 1, truncated: true, next_start_line: 2, cut_line: null });
    const long = await read(bench, { path: "a", max_chars: 100, start_line: 3 });
    expect(long).toMatchObject({
      content: "z".repeat(100),
      cut_line: 3,
      next_start_line: 4,
      truncated: true,
    });
  });

  test("a cut never splits a surrogate pair, nor calls half a character invalid", async () => {
    await using bench = await toolkitIn({ a: `x${"\u{1f600}".repeat(300_000)}` });
    const { content, invalid_utf8, cut_line } = await read(bench, { path: "a", max_chars: 100 });
    expect({ length: content.length, well: content.isWellFormed(), invalid_utf8, cut_line }).toEqual({
      length: 99,
      well: true,
      invalid_utf8: false,
      cut_line: 1,
    });
  });

  test("reads the head of a file of 8 GiB at once", async () => {
    await using bench = await toolkitIn({ big: `${"text\n".repeat(4000)}` });
    truncateSync(join(bench.root, "big"), 8 * 1024 ** 3);
    const began = performance.now();
    expect(await read(bench, { path: "big", max_lines: 1 })).toMatchObject({
      content: "text\n",
      total_bytes: 8 * 1024 ** 3,
    });
    expect(performance.now() - began).toBeLessThan(2000);
  });

  test("pages put together are the file, whatever is in it", async () => {
    await using bench = await toolkitIn();
    const line = fc.string({ unit: "grapheme", maxLength: 90 }).map((text) => text.replaceAll("\0", ""));
    const cases = fc.tuple(
      fc.array(line, { maxLength: 30 }),
      fc.constantFrom("\n", "\r\n"),
      fc.integer({ min: 1, max: 9 }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([lines, ending, max_lines]) => {
        const text = lines.join(ending);
        writeFileSync(join(bench.root, "f"), text);
        let all = "";
        for (let next: number | null = 1; next !== null; ) {
          const page: ReadFileOutput = await read(bench, {
            path: "f",
            start_line: next,
            max_lines,
            max_chars: 400,
          });
          all += page.content;
          next = page.next_start_line;
        }
        expect(all).toBe(text);
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  test("a NUL in the first 8 KiB is BINARY_NOT_SUPPORTED, a later one is not", async () => {
    await using bench = await toolkitIn({ bin: `${"a".repeat(8191)}\0`, text: `${"a".repeat(8192)}\0` });
    expect(await codeOf(bench.invoke("read_file", { path: "bin" }))).toBe("BINARY_NOT_SUPPORTED");
    expect(await codeOf(bench.invoke("read_file", { path: "text" }))).toBe("success");
  });

  test("folders, pipes and devices are NOT_FILE, without waiting for them", async () => {
    await using bench = await toolkitIn({ "sub/a": "" });
    spawnSync("mkfifo", [join(bench.root, "pipe")]);
    for (const path of [".", "sub", "pipe"])
      expect([path, await codeOf(bench.invoke("read_file", { path }))]).toEqual([path, "NOT_FILE"]);
  });

  test("a path outside of the workspace is OUTSIDE_WORKSPACE, a missing one NOT_FOUND", async () => {
    await using bench = await toolkitIn({ a: "" });
    symlinkSync(bench.outside, join(bench.root, "out"));
    const outside = [
      "../outside/secret",
      "out/secret",
      "out/none",
      join(bench.outside, "secret"),
      "/etc/passwd",
    ];
    for (const path of outside)
      expect([path, await codeOf(bench.invoke("read_file", { path }))]).toEqual([path, "OUTSIDE_WORKSPACE"]);
    for (const path of ["b", "a/", "a/b"])
      expect([path, await codeOf(bench.invoke("read_file", { path }))]).toEqual([path, "NOT_FOUND"]);
    expect((await read(bench, { path: join(bench.root, "a") })).path).toBe("a");
  });

  test("each wrong argument is INVALID_ARGUMENT and is named", async () => {
    await using bench = await toolkitIn({ a: "" });
    const wrong: readonly (readonly [object, string])[] = [
      [{}, "path"],
      [{ path: 1 }, "path"],
      [{ path: "" }, "path"],
      [{ path: null }, "path"],
      [{ path: "a\0" }, "path"],
      [{ path: "C:\\a" }, "path"],
      [{ path: "a", start_line: 0 }, "start_line"],
      [{ path: "a", start_line: 1.5 }, "start_line"],
      [{ path: "a", start_line: "1" }, "start_line"],
      [{ path: "a", max_lines: 0 }, "max_lines"],
      [{ path: "a", max_lines: 5001 }, "max_lines"],
      [{ path: "a", max_lines: null }, "max_lines"],
      [{ path: "a", max_chars: 99 }, "max_chars"],
      [{ path: "a", max_chars: 1_000_001 }, "max_chars"],
      [{ path: "a", lines: 3 }, "lines"],
    ];
    for (const [args, named] of wrong) {
      const result = await bench.invoke("read_file", args);
      expect([args, result.status === "success" || result.error.code]).toEqual([args, "INVALID_ARGUMENT"]);
      expect(result.status === "success" ? "" : result.message).toContain(named);
    }
  });

  test.skipIf(process.platform !== "linux")(
    `a file that opens and cannot be read is FILE_SYSTEM_ERROR${process.platform === "linux" ? "" : " (skipped: only Linux has such a file at hand)"}`,
    async () => {
      await using bench = await toolkitIn({}, { workspaceRoot: "/proc/self" });
      expect(await codeOf(bench.invoke("read_file", { path: "mem" }))).toBe("FILE_SYSTEM_ERROR");
      const patch = "--- a/mem\n+++ b/mem\n@@ -1 +1 @@\n-1\n+2\n";
      expect(await codeOf(bench.invoke("apply_patch", { patch }))).toBe("FILE_SYSTEM_ERROR");
    },
  );

  test("a folder that is swapped for a link between look and use never shows what lies outside", async () => {
    await using bench = await toolkitIn({ "d/secret": "mine\n" });
    const seen = new Set<string>();
    await using _ = await swapForLink(join(bench.root, "d"), bench.outside);
    for (let round = 0; round < 3000 || !seen.has("mine\n") || !seen.has("OUTSIDE_WORKSPACE"); round++) {
      const result = await bench.invoke("read_file", { path: "d/secret" });
      seen.add(result.status === "success" ? (result.data as ReadFileOutput).content : result.error.code);
    }
    seen.delete("NOT_FOUND");
    expect([...seen].sort()).toEqual(["OUTSIDE_WORKSPACE", "mine\n"]);
  }, 60_000);
});
