import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ExecOptions, exec } from "../../src/utils/exec.ts";
import { PATH } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";

// Real processes on a busy machine.
setDefaultTimeout(150_000);

const env = { PATH };

async function run(argv: readonly string[], options: Partial<ExecOptions> = {}) {
  const result = await exec(argv, { cwd: "/", env, ...options });
  if (!result.started) throw new Error(result.error.message);
  return result;
}

async function startErrorOf(argv: readonly string[], options: Partial<ExecOptions> = {}) {
  const result = await exec(argv, { cwd: "/", env, ...options });
  if (result.started) throw new Error("it was started");
  return result.error;
}

describe("exec runs a program to its end", () => {
  test("and tells its exit code and both streams", async () => {
    const { durationMs, ...result } = await run(["sh", "-c", "echo out; echo err >&2; exit 3"]);
    expect(durationMs).toBeGreaterThan(0);
    expect(result).toEqual({
      started: true,
      code: 3,
      signal: null,
      timedOut: false,
      canceled: false,
      stdout: "out\n",
      stderr: "err\n",
      stdoutTruncated: false,
      stderrTruncated: false,
      stoppedBackground: 0,
    });
  });

  test("and tells the signal that ended it", async () => {
    const { code, signal } = await run(["sh", "-c", "kill -KILL $$"]);
    expect({ code, signal }).toEqual({ code: null, signal: "SIGKILL" });
  });

  test("with exactly the environment it is given", async () => {
    const { stdout } = await run(["/usr/bin/env"], { env: { A: "1", B: "two words" } });
    expect(stdout.trim().split("\n").sort()).toEqual(["A=1", "B=two words"]);
  });

  test("with the marker added to the environment", async () => {
    const { stdout } = await run(["/usr/bin/env"], { env: {}, marker: { name: "MARK", value: "x" } });
    expect(stdout).toBe("MARK=x\n");
  });

  test("in the folder it is given", async () => {
    await using dir = await tempDir();
    expect((await run(["pwd"], { cwd: dir.path })).stdout).toBe(`${dir.path}\n`);
  });

  test("with every argument as it is, never read by a shell", async () => {
    const hostile = [
      "a b",
      "",
      "-x",
      "--",
      "$(id)",
      "`id`",
      "line\nfeed",
      "'\"\\",
      "*",
      "日本語 🐎",
      "; rm -rf x",
    ];
    const { stdout } = await run(["printf", "%s\\0", ...hostile]);
    expect(stdout.split("\0").slice(0, -1)).toEqual(hostile);
  });

  test("as the leader of a group and a session of its own", async () => {
    const { stdout } = await run(["sh", "-c", "echo $$; cut -d' ' -f5,6 /proc/$$/stat"]);
    const [pid, ids] = stdout.trim().split("\n");
    expect(ids).toBe(`${pid} ${pid}`);
  });

  test("64 at once, each with its own output", async () => {
    const numbers = Array.from({ length: 64 }, (_, index) => `${index}`);
    const results = await Promise.all(numbers.map((n) => run(["sh", "-c", `echo ${n}; exit ${n}`])));
    expect(results.map(({ stdout, code }) => `${stdout.trim()}:${code}`)).toEqual(
      numbers.map((n) => `${n}:${n}`),
    );
  });
});

describe("exec gives the program its input", () => {
  test("as text of any length", async () => {
    const text = `${"ümläut 🐎 ".repeat(100_000)}end`;
    expect((await run(["cat"], { stdin: { text } })).stdout).toBe(text);
  });

  test("from a file", async () => {
    await using dir = await tempDir();
    const file = join(dir.path, "-in put");
    await writeFile(file, "from a file");
    expect((await run(["cat"], { stdin: { file } })).stdout).toBe("from a file");
  });

  test("or none, which ends at once", async () => {
    expect((await run(["cat"])).stdout).toBe("");
    expect((await run(["cat"], { stdin: "none" })).stdout).toBe("");
  });

  test("and does not mind when the program ends without reading it", async () => {
    const result = await run(["true"], { stdin: { text: "x".repeat(1_000_000) } });
    expect(result.code).toBe(0);
  });
});

describe("exec keeps output", () => {
  test("up to its limit, reads on, and keeps the exit code", async () => {
    const result = await run(["sh", "-c", "head -c 200000000 /dev/zero | tr '\\0' a; exit 5"], {
      maxOutputBytes: 10,
    });
    const { stdout, stdoutTruncated, stderrTruncated, code } = result;
    expect({ stdout, stdoutTruncated, stderrTruncated, code }).toEqual({
      stdout: "aaaaaaaaaa",
      stdoutTruncated: true,
      stderrTruncated: false,
      code: 5,
    });
  });

  test("for each stream by itself", async () => {
    const result = await run(["sh", "-c", "printf 12345678; printf abcdefgh >&2"], { maxOutputBytes: 8 });
    expect([result.stdout, result.stderr, result.stdoutTruncated, result.stderrTruncated]).toEqual([
      "12345678",
      "abcdefgh",
      false,
      false,
    ]);
  });

  test("without splitting a character at the limit", async () => {
    const result = await run(["printf", "%s", "aé🐎"], { maxOutputBytes: 5 });
    expect([result.stdout, result.stdoutTruncated]).toEqual(["aé", true]);
  });

  test("with bytes that are no UTF-8 replaced, and a byte order mark kept", async () => {
    const { stdout } = await run(["printf", "\\357\\273\\277a\\377b"]);
    expect(stdout).toBe("\ufeffa\ufffdb");
  });

  test("byte for byte in a file", async () => {
    await using dir = await tempDir();
    const stdoutFile = join(dir.path, "out");
    const result = await run(["sh", "-c", "printf 'a\\377\\000b'; echo err >&2"], { stdoutFile });
    expect([...(await readFile(stdoutFile))]).toEqual([0x61, 0xff, 0x00, 0x62]);
    expect([result.stdout, result.stderr, result.stdoutTruncated]).toEqual(["", "err\n", false]);
  });
});

describe("exec passes output on while it comes", () => {
  test("whole characters only, past the limit too", async () => {
    const pieces: string[] = [];
    const program = join(import.meta.dir, "../fixtures/programs/split-character.sh");
    const result = await run([program], { maxOutputBytes: 2, onStdout: (text) => pieces.push(text) });
    expect(pieces.join("")).toBe("あ\n");
    expect(pieces.every((piece) => !piece.includes("\ufffd"))).toBe(true);
    expect([result.stdout, result.stdoutTruncated]).toEqual(["", true]);
  });

  test("from both streams, to the last byte", async () => {
    const seen = { out: "", err: "" };
    await run(["sh", "-c", "seq 1 20000; seq 1 20000 >&2; printf '\\303'"], {
      onStdout: (text) => {
        seen.out += text;
      },
      onStderr: (text) => {
        seen.err += text;
      },
    });
    const numbers = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join("");
    expect(seen).toEqual({ out: `${numbers}\ufffd`, err: numbers });
  });
});

describe("exec says why it could not start", () => {
  test("a program that is not on the PATH", async () => {
    expect(await startErrorOf(["tazuna-no-such-program"])).toEqual({
      kind: "not_found",
      message: "tazuna-no-such-program was not found on the PATH",
    });
  });

  test("a program that does not exist, and one whose interpreter does not", async () => {
    await using dir = await tempDir();
    const script = join(dir.path, "script");
    await writeFile(script, "#!/no/such/interpreter\n", { mode: 0o755 });
    expect((await startErrorOf(["/no/such/program"])).message).toBe("/no/such/program does not exist");
    expect(await startErrorOf([script])).toEqual({
      kind: "not_found",
      message: `${script} could not be started: the interpreter in its #! line does not exist`,
    });
  });

  test("a folder that is missing, or is a file", async () => {
    expect(await startErrorOf(["true"], { cwd: "/no/such/folder" })).toEqual({
      kind: "cwd_missing",
      message: "the folder /no/such/folder does not exist",
    });
    expect((await startErrorOf(["true"], { cwd: "/etc/passwd" })).kind).toBe("cwd_missing");
  });

  test("a file without the right to run, a folder, and one without a #! line", async () => {
    await using dir = await tempDir();
    const plain = join(dir.path, "plain");
    const bare = join(dir.path, "bare");
    await writeFile(plain, "#!/bin/sh\n", { mode: 0o644 });
    await writeFile(bare, Buffer.from([0x7f, 1, 2, 3]), { mode: 0o755 });
    expect((await startErrorOf([plain])).kind).toBe("not_executable");
    expect((await startErrorOf([dir.path])).kind).toBe("not_executable");
    expect((await startErrorOf([bare])).kind).toBe("not_executable");
  });

  test("arguments that no program can take", async () => {
    expect((await startErrorOf([])).kind).toBe("failed");
    expect((await startErrorOf(["echo", "a\0b"])).kind).toBe("failed");
    expect((await startErrorOf(["echo", "x".repeat(4_000_000)])).message).toContain("too long");
  });

  test("an input file that does not exist", async () => {
    const error = await startErrorOf(["cat"], { stdin: { file: "/no/such/input" } });
    expect(error.kind).toBe("failed");
    expect(error.message).toContain("/no/such/input");
  });

  test("a signal that was aborted before", async () => {
    expect((await startErrorOf(["true"], { signal: AbortSignal.abort() })).kind).toBe("canceled");
  });
});
