import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exec, startProcess } from "../../src/utils/exec.ts";
import { startDetached, startWaiting } from "../../src/utils/programs/detached.ts";
import { identify } from "../../src/utils/programs/process-identity.ts";
import { LINUX } from "../helpers/need.ts";
import { PATH, program, taggedEnv } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

// Real processes on a busy machine.
setDefaultTimeout(150_000);

const env = { PATH };

/** A started program with its output collected. */
async function start(argv: readonly string[], options: Partial<Parameters<typeof startProcess>[1]> = {}) {
  const output = { out: "", err: "" };
  const started = await startProcess(argv, {
    cwd: "/",
    env,
    onStdout: (chunk) => {
      output.out += Buffer.from(chunk).toString();
    },
    onStderr: (chunk) => {
      output.err += Buffer.from(chunk).toString();
    },
    ...options,
  });
  if (!started.started) throw new Error(started.error.message);
  return { process: started.process, output };
}

describe("startProcess", () => {
  test("writes to a program and reads from it while it works", async () => {
    const { process, output } = await start(["cat"]);
    await process.write("one\n");
    await waitFor("the first line", () => output.out === "one\n");
    await process.write("two\n");
    await waitFor("the second line", () => output.out === "one\ntwo\n");
    process.endInput();
    expect(await process.exited).toEqual({ code: 0, signal: null });
    expect(await process.finish({ graceMs: 200 })).toEqual({ stopped: [], left: [] });
  });

  test("hands over all output before finish settles, however slow its reader is", async () => {
    let seen = 0;
    let readers = 0;
    let maxReaders = 0;
    const { process } = await start(["head", "-c", "3000000", "/dev/zero"], {
      onStdout: async (chunk) => {
        readers += 1;
        maxReaders = Math.max(maxReaders, readers);
        await new Promise((resolve) => setTimeout(resolve, 5));
        seen += chunk.length;
        readers -= 1;
      },
    });
    await process.exited;
    await process.finish({ graceMs: 200 });
    expect([seen, maxReaders]).toEqual([3_000_000, 1]);
  });

  test("swallows what is written to a program that does not read any more", async () => {
    const { process } = await start(["sh", "-c", "exec <&-; echo closed; sleep 0.2"]);
    for (let line = 0; line < 100; line++) void process.write(`${"x".repeat(10_000)}\n`);
    expect(await process.exited).toEqual({ code: 0, signal: null });
    await process.write("too late");
    process.endInput();
    await process.finish({ graceMs: 200 });
  });

  test.skipIf(LINUX.missing)(
    `stops the whole tree when told, and says what it stopped${LINUX.why}`,
    async () => {
      await using tagged = taggedEnv();
      const { process, output } = await start([program("escape-session.sh")], {
        env: tagged.env,
        marker: tagged.tag,
      });
      await waitFor("the whole tree", async () => (await tagged.left()).length >= 3);
      const { stopped, left } = await process.killTree({ graceMs: 200 });
      expect(stopped).toContain(process.pid);
      expect(stopped.length).toBeGreaterThanOrEqual(3);
      expect(left).toEqual([]);
      expect(await process.exited).toEqual({ code: null, signal: "SIGTERM" });
      await process.finish({ graceMs: 200 });
      expect(output.out).toBe("started\n");
      expect(await tagged.left()).toEqual([]);
    },
  );

  test("says why it could not start", async () => {
    const ignore = () => {};
    expect(
      await startProcess(["tazuna-no-such-program"], { cwd: "/", env, onStdout: ignore, onStderr: ignore }),
    ).toEqual({
      started: false,
      error: { kind: "not_found", message: "tazuna-no-such-program was not found on the PATH" },
    });
  });
});

describe.skipIf(LINUX.missing)(`startDetached${LINUX.why}`, () => {
  test("starts a program that outlives its starter, in a session of its own, with its streams on files", async () => {
    await using tagged = taggedEnv();
    await using dir = await tempDir();
    const files = { stdoutFile: join(dir.path, "out"), stderrFile: join(dir.path, "err") };
    const script = "echo out; echo err >&2; cat; echo read; exec sleep 300";
    const starter = await exec(
      [process.execPath, program("start-detached.ts"), JSON.stringify({ script, cwd: dir.path, ...files })],
      { cwd: "/", env: tagged.env },
    );
    if (!starter.started) throw new Error(starter.error.message);
    const { started, pid } = JSON.parse(starter.stdout);
    expect([starter.code, started, starter.stoppedBackground]).toEqual([0, true, 0]);
    await waitFor("its output", async () => (await readFile(files.stdoutFile, "utf8")) === "out\nread\n");
    expect(await readFile(files.stderrFile, "utf8")).toBe("err\n");
    expect(await identify(pid)).not.toBeNull();
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    expect(
      stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .slice(2, 4),
    ).toEqual([`${pid}`, `${pid}`]);
  });

  test("says why it could not start, files that cannot be made included", async () => {
    await using dir = await tempDir();
    const at = (name: string) => ({
      cwd: dir.path,
      env,
      stdoutFile: join(dir.path, name),
      stderrFile: join(dir.path, "err"),
    });
    const missing = await startDetached(["tazuna-no-such-program"], at("out"));
    expect(missing.started ? null : missing.error.kind).toBe("not_found");
    const noFile = await startDetached(["true"], at("no/such/folder/out"));
    expect(noFile.started ? null : noFile.error.kind).toBe("failed");
  });
});

describe.skipIf(LINUX.missing)(`startWaiting${LINUX.why}`, () => {
  test("hands over its input, as far as the program reads it", async () => {
    await using dir = await tempDir();
    const file = join(dir.path, "out");
    const options = { cwd: dir.path, env, stdoutFile: file, stderrFile: file };
    const input = "é".repeat(300_000);
    for (const argv of [["cat"], ["true"]]) {
      const started = await startWaiting(argv, options);
      if (!started.started) throw new Error(started.error.message);
      await started.process.give(input);
      expect(await started.process.give("once more")).toBe(false);
    }
    await waitFor("all of it", async () => (await readFile(file, "utf8")) === input);
  });

  test("lets a program read nothing, and then gives it nothing any more", async () => {
    await using dir = await tempDir();
    const file = join(dir.path, "out");
    const options = { cwd: dir.path, env, stdoutFile: file, stderrFile: file };
    const unwanted = await startWaiting(["sh", "-c", "cat; echo over"], options);
    if (!unwanted.started) throw new Error(unwanted.error.message);
    unwanted.process.sendAway();
    expect(await unwanted.process.give("too late")).toBe(false);
    await waitFor("its end", async () => (await readFile(file, "utf8")) === "over\n");
  });

  test("a waiting program reads the end of its input when its starter is killed, whatever else was started", async () => {
    await using dir = await tempDir();
    const files = { stdoutFile: join(dir.path, "out"), stderrFile: join(dir.path, "err") };
    const setup = JSON.stringify({ cwd: dir.path, ...files, other: ["sleep", "300"] });
    const { process: starter, output } = await start([process.execPath, program("start-waiting.ts"), setup]);
    await waitFor("both programs", () => output.out.endsWith("\n"));
    const pids = JSON.parse(output.out) as { waiting: number; after: number };
    expect(await identify(pids.waiting)).not.toBeNull();
    process.kill(starter.pid, "SIGKILL");
    await waitFor("its end", async () => (await identify(pids.waiting)) === null);
    expect(await identify(pids.after)).not.toBeNull();
    process.kill(pids.after, "SIGKILL");
  });
});
