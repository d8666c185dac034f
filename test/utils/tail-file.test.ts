import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SplitLine } from "../../src/utils/files/line-splitter.ts";
import { type TailOptions, tailFile } from "../../src/utils/files/tail-file.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

// Real processes on a busy machine.
setDefaultTimeout(150_000);

/** Follows a file in the background; `lines` grows. */
function follow(options: Omit<TailOptions, "ended" | "from"> & { readonly from?: number }) {
  const writer = new AbortController();
  const lines: SplitLine[] = [];
  const done = (async () => {
    for await (const batch of tailFile({ from: 0, ended: writer.signal, ...options })) lines.push(...batch);
  })();
  return { lines, done, end: () => writer.abort() };
}

describe("tailFile", () => {
  test("waits for the file, gives each line as it is finished, and the unfinished one at the end", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "out.jsonl");
    const { lines, done, end } = follow({ path });
    await appendFile(path, "one\ntw");
    await waitFor("the first line", () => lines.length === 1);
    await appendFile(path, "ö\n");
    await waitFor("the second line", () => lines.length === 2);
    await appendFile(path, "rest");
    end();
    await done;
    expect(lines).toEqual([
      { text: "one", end: 4 },
      { text: "twö", end: 9 },
      { text: "rest", end: 13 },
    ]);
  });

  test("goes on from the end of any line", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "out.jsonl");
    const text = Array.from({ length: 5000 }, (_, index) => `line ${index} あ\n`).join("");
    await writeFile(path, text);
    const first = follow({ path });
    first.end();
    await first.done;
    expect(first.lines.length).toBe(5000);
    const from = first.lines[1233]?.end ?? 0;
    const second = follow({ path, from });
    second.end();
    await second.done;
    expect(second.lines).toEqual(first.lines.slice(1234));
  });

  test("misses nothing while the file grows fast", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "out.jsonl");
    const { lines, done, end } = follow({ path });
    for (let n = 0; n < 2000; n++) await appendFile(path, `${n}\n`);
    end();
    await done;
    expect(lines.map(({ text }) => text)).toEqual(Array.from({ length: 2000 }, (_, n) => `${n}`));
  });

  test("sees changes by looking from time to time if the system says nothing", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "out.jsonl");
    await writeFile(path, "one\n");
    const { lines, done, end } = follow({ path, pollMs: 20 });
    await waitFor("the first line", () => lines.length === 1);
    await appendFile(path, "two\n");
    await waitFor("the second line", () => lines.length === 2);
    end();
    await done;
  });

  test("reads an unfinished line again that was cut off", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "out.jsonl");
    await writeFile(path, "one\ntorn");
    const { lines, done, end } = follow({ path, pollMs: 20 });
    await waitFor("the first line", () => lines.length === 1);
    await truncate(path, 4);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await appendFile(path, "whole\n");
    await waitFor("the second line", () => lines.length === 2);
    end();
    await done;
    expect(lines[1]).toEqual({ text: "whole", end: 10 });
  });

  test("stops at once when told, even if the file never came", async () => {
    await using dir = await tempDir();
    const stop = new AbortController();
    const { lines, done } = follow({ path: join(dir.path, "never"), signal: stop.signal });
    stop.abort();
    await done;
    expect(lines).toEqual([]);
  });

  test("ends at once if the writer was done before the reading began and wrote nothing", async () => {
    await using dir = await tempDir();
    const { lines, done, end } = follow({ path: join(dir.path, "never") });
    end();
    await done;
    expect(lines).toEqual([]);
  });

  test("cuts lines that are longer than its limit", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "out.jsonl");
    await writeFile(path, `${"x".repeat(100_000)}\nnext\n`);
    const { lines, done, end } = follow({ path, maxLineBytes: 10 });
    end();
    await done;
    expect(lines).toEqual([
      { text: "xxxxxxxxxx… [cut: 99990 bytes]", cut: 99_990, end: 100_001 },
      { text: "next", end: 100_006 },
    ]);
  });
});
