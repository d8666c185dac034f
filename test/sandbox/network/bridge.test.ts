/** Tells that a program behind the bridge is as it would be without: its streams, its exit code, its signals. */
import { describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { exec } from "../../../src/utils/exec.ts";
import { startCompanion } from "../../../src/utils/programs/companion.ts";
import { written } from "../../helpers/journey.ts";
import { isRunning } from "../../helpers/product.ts";
import { sandboxHere, skippedWithout } from "../../helpers/sandbox.ts";
import { tempDir } from "../../helpers/temp-dir.ts";

const NEVER = new AbortController().signal;

const ROOT = resolve(import.meta.dir, "../../..");
const SELF = [process.execPath, "--no-env-file", "--config=/dev/null", join(ROOT, "src/main.ts")];
const ENV = { PATH: process.env.PATH ?? "" };

describe.skipIf(!sandboxHere.available)(`a program behind the bridge${skippedWithout}`, () => {
  test.each([
    ["an exit code", "exit 7", { code: 7 }],
    ["the end by a signal, as a shell says it", "kill -9 $$", { code: 137 }],
    ["its streams", "cat; echo err >&2", { code: 0, stdout: "given", stderr: "err\n" }],
    [
      "a signal to the bridge, which is not its own end",
      "kill -TERM $PPID; echo on",
      { code: 0, stdout: "on\n" },
    ],
  ])("%s", async (_what, script, end) => {
    expect(await behind(["/bin/sh", "-c", script])).toMatchObject({ started: true, ...end });
  });

  test("a program that there is not", async () => {
    expect(await behind(["/nonexistent/agent"])).toMatchObject({
      code: 127,
      stderr: expect.stringContaining("/nonexistent/agent"),
    });
  });
});

test("a program beside that does not get ready is reported with what it said, and is gone", async () => {
  expect(
    await startCompanion(["/bin/sh", "-c", "echo no port >&2; exit 3"], { cwd: "/", env: {}, signal: NEVER }),
  ).toEqual({
    started: false,
    message: "no port",
  });
});

test("a program beside that never says that it is ready is gone once it is not wanted any more", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "pid");
  const stop = new AbortController();
  const starting = startCompanion(["/bin/sh", "-c", `trap '' TERM; echo $$ > ${file}; exec sleep 900`], {
    cwd: "/",
    env: {},
    signal: stop.signal,
  });
  const pid = Number(await written(file));
  stop.abort();
  expect(await starting).toEqual({
    started: false,
    message: "/bin/sh was stopped before it was ready",
  });
  expect(isRunning(pid)).toBe(false);
  expect(
    await startCompanion(["/bin/sh", "-c", "sleep 900"], { cwd: "/", env: {}, signal: stop.signal }),
  ).toEqual({
    started: false,
    message: "/bin/sh was stopped before it was ready",
  });
});

async function behind(argv: readonly string[]) {
  if (!sandboxHere.available) throw new Error(sandboxHere.reason);
  await using dir = await tempDir();
  const at = (name: string) => join(dir.path, name);
  for (const name of ["work", "tmp", "net"]) await mkdir(at(name));
  await writeFile(at("empty"), "");
  const beside = await startCompanion([...SELF, "__network", at("net"), "proxy"], {
    cwd: "/",
    env: {},
    signal: NEVER,
  });
  if (!beside.started) throw new Error(beside.message);
  const confined = sandboxHere.confine(argv, {
    writable: [at("work")],
    readOnly: [dirname(process.execPath), ROOT],
    own: [],
    hidden: [],
    temporary: at("tmp"),
    emptyFile: at("empty"),
    network: { socket: join(at("net"), "proxy"), through: [...SELF, "__bridge", "61080", "--"] },
  });
  const ended = await exec(confined, {
    cwd: at("work"),
    env: ENV,
    stdin: { text: "given" },
    timeoutMs: 30_000,
    wrapped: true,
  });
  await beside.end();
  return ended;
}
