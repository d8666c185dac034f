import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { appendFile, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { commandParser } from "../../src/executors/command/parse-events.ts";
import { demoParser } from "../../src/executors/demo/parse-events.ts";
import { openStreams } from "../../src/keeper/agent-streams.ts";
import { KEEPER_FILES } from "../../src/keeper/files.ts";
import { createMergedStreams, filesIn } from "../../src/services/logs/merged-streams.ts";
import { specOf } from "../helpers/keeper.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const QUIET = { toolsRunning: 0, meaning: { matter: "tells", refusal: null } } as const;

/** What a keeper writes of both streams. */
function keeperOf(dir: string, limit = 1e9) {
  const causes = {
    first: new Promise<never>(() => {}),
    now: () => null,
    start() {},
    sawLife() {},
    diskFull() {},
    close() {},
  };
  const spec = specOf("run", { argv: [], spec: { outBytes: limit, errBytes: limit } });
  return openStreams({ dir, secrets: [], activity: () => () => QUIET }, spec, causes);
}

function readerOf(dir: string) {
  const streams = createMergedStreams(filesIn(dir), commandParser());
  return {
    streams,
    times: () => streams.lines.flatMap(({ ms, source }) => (source === "agent" ? [ms ?? -1] : [])),
    read: async (ended = false) => {
      await streams.readOn({ ended });
      return streams.lines.map(({ source, event }) => `${source} ${event.text}`);
    },
  };
}

describe("stdout and stderr of a run", () => {
  test("stand in the order in which they came", async () => {
    await using dir = await tempDir();
    const { out, err, close } = keeperOf(dir.path);
    const reader = readerOf(dir.path);
    err.write(Buffer.from("first\n"));
    out.write(Buffer.from("one\ntw"));
    expect(await reader.read()).toEqual(["stderr first", "agent one"]);
    err.write(Buffer.from("amid two\n"));
    out.write(Buffer.from("o\n"));
    err.write(Buffer.from("half"));
    expect(await reader.read()).toEqual(["stderr first", "agent one", "stderr amid two", "agent two"]);
    out.write(Buffer.from("three\n"));
    close();
    const all = ["stderr first", "agent one", "stderr amid two", "agent two", "agent three", "stderr half"];
    expect(await reader.read(true)).toEqual(all);
    expect(await readerOf(dir.path).read(true)).toEqual(all);
  });

  test("are read in one order, whenever they are read and however much is cut", async () => {
    await using folder = await tempDir();
    const step = fc.record({
      stream: fc.constantFrom("out", "err"),
      text: fc.constantFrom("a\n", "b", "\n", "cc\r\ndd\nee", `${"x".repeat(700)}\n`, "é\n".repeat(40)),
      reads: fc.boolean(),
      starts: fc.nat(30).map((n) => n === 0),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 60 }),
        fc.constantFrom(4096, 20_000, 1e9),
        async (steps, limit) => {
          const dir = join(folder.path, randomUUID());
          await mkdir(dir);
          let keeper = keeperOf(dir, limit);
          const reader = readerOf(dir);
          let before: readonly string[] = [];
          for (const [at, { stream, text, reads, starts }] of steps.entries()) {
            if (starts) {
              keeper.close();
              keeper = keeperOf(dir, limit);
            }
            keeper[stream as "out" | "err"].write(Buffer.from(text.replaceAll("\n", ` ${at}\n`)));
            if (!reads) continue;
            const now = await reader.read();
            expect(now.slice(0, before.length)).toEqual([...before]);
            expect(await readerOf(dir).read()).toEqual(now);
            before = now;
          }
          keeper.close();
          const all = await reader.read(true);
          expect(reader.times()).toEqual(reader.times().toSorted());
          expect(all.slice(0, before.length)).toEqual([...before]);
          expect(await readerOf(dir).read(true)).toEqual(all);
          for (const name of [KEEPER_FILES.out, KEEPER_FILES.err])
            expect((await stat(join(dir, name))).size).toBeLessThanOrEqual(limit);
          if (limit < 1e9) return;
          const [out, err] = await Promise.all(
            [KEEPER_FILES.out, KEEPER_FILES.err].map((name) => readFile(join(dir, name), "utf8")),
          );
          const shown = (source: string) => all.filter((line) => line.startsWith(source)).length;
          const printed = (text = "") => text.split("\n").filter((line) => line.trim() !== "").length;
          expect([shown("agent "), shown("stderr ")]).toEqual([printed(out), printed(err)]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("of an older keeper are not mixed, and what a newer one adds stands behind", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, KEEPER_FILES.out), "one\n");
    await writeFile(join(dir.path, KEEPER_FILES.err), "old\n");
    const old = readerOf(dir.path);
    expect(await old.read(true)).toEqual(["agent one"]);
    expect(old.streams.hasStderr()).toBe(false);
    const { out, err, close } = keeperOf(dir.path);
    out.write(Buffer.from("two\n"));
    err.write(Buffer.from("new\n"));
    close();
    expect(await old.read(true)).toEqual(["agent one", "agent two", "stderr old", "stderr new"]);
    expect(old.streams.hasStderr()).toBe(true);
  });

  test("are all shown if the places are damaged, or lie behind the end", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, KEEPER_FILES.out), "one\ntwo\n");
    await writeFile(join(dir.path, KEEPER_FILES.err), "a\nb\nc\n");
    await writeFile(join(dir.path, KEEPER_FILES.places), "0 4\nnonsense\n2 99\n4 8\n12");
    const reader = readerOf(dir.path);
    expect(await reader.read()).toEqual(["agent one", "stderr a", "agent two"]);
    const all = ["agent one", "stderr a", "agent two", "stderr b", "stderr c"];
    expect(await reader.read(true)).toEqual(all);
    await appendFile(join(dir.path, KEEPER_FILES.out), "three\n");
    expect(await reader.read(true)).toEqual([...all, "agent three"]);
  });
});

describe("the times of a run's lines", () => {
  const line = (fields: object) => `${JSON.stringify(fields)}\n`;
  const edit = (id: string) => line({ type: "edit", id, path: "a.ts" });
  const edited = (id: string) => line({ type: "edited", id });
  /** Writes lines as a keeper does; those without a time are of an older one. */
  async function write(dir: string, lines: readonly (readonly [string, number | null])[]): Promise<void> {
    let size = 0;
    for (const [text, ms] of lines) {
      if (ms !== null) await appendFile(join(dir, KEEPER_FILES.times), `${size} ${ms}\n`);
      await appendFile(join(dir, KEEPER_FILES.out), text);
      size += Buffer.byteLength(text);
    }
  }
  async function readTimes(dir: string) {
    const streams = createMergedStreams(filesIn(dir), demoParser({ request: null }));
    await streams.readOn({ ended: true });
    return streams.lines.map(({ ms, event }) => [ms, event.durationMs]);
  }

  test("tell when each line came, and how long a call took", async () => {
    await using dir = await tempDir();
    await write(dir.path, [
      [edit("a"), 1000],
      [edit("b"), 1200],
      [edited("b"), 1250],
      [edited("a"), 2500],
    ]);
    expect(await readTimes(dir.path)).toEqual([
      [1000, undefined],
      [1200, undefined],
      [1250, 50],
      [2500, 1500],
    ]);
  });

  test("are unknown if an older keeper wrote the line, and are never made up", async () => {
    await using dir = await tempDir();
    await write(dir.path, [
      [edit("a"), null],
      [edited("a"), 5000],
      [edit("b"), 6000],
      // The clock of this machine was set back.
      [edited("b"), 5900],
      [edited("never begun"), 7000],
    ]);
    expect(await readTimes(dir.path)).toEqual([
      [null, undefined],
      [5000, undefined],
      [6000, undefined],
      [5900, undefined],
      [7000, undefined],
    ]);
  });

  test("of lines that could not be written belong to no line", async () => {
    await using dir = await tempDir();
    const first = edit("a");
    await writeFile(join(dir.path, KEEPER_FILES.out), first + edited("a"));
    const at = first.length;
    await writeFile(
      join(dir.path, KEEPER_FILES.times),
      `0 100\n${at} 200\n${at + 30} 300\nnonsense\n${at} 900\n`,
    );
    expect(await readTimes(dir.path)).toEqual([
      [100, undefined],
      [900, 800],
    ]);
  });

  test("are noted as the lines come, whatever is cut", async () => {
    await using dir = await tempDir();
    const before = Date.now();
    const { out, close } = keeperOf(dir.path, 20_000);
    for (let n = 0; n < 500; n += 1) out.write(Buffer.from(`${"x".repeat(100)}\n`));
    close();
    const reader = readerOf(dir.path);
    await reader.read(true);
    const times = reader.times();
    expect(times.length).toBeLessThan(500);
    expect(times.every((ms) => ms >= before && ms <= Date.now())).toBe(true);
    expect((await stat(join(dir.path, KEEPER_FILES.times))).size).toBeLessThan(20_000 / 5);
  });
});
