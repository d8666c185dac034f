import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, linkSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FileState } from "../../../../src/tools/edit/apply_patch/plan/file_states.ts";
import { writeChanges } from "../../../../src/tools/edit/apply_patch/write_changes.ts";
import { type Bench, codeOf, toolkitIn } from "../../toolkit-in.ts";

const read = (bench: Bench, path: string) => readFileSync(join(bench.root, path), "utf8");
const temporaries = (bench: Bench) => readdirSync(bench.root).filter((name) => name.endsWith(".tmp"));
const state = (content: string, mode = 0o644): FileState => ({ content, mode, executable: null });
const MANY = Array.from({ length: 600 }, (_, at) => `f${at}`);
const filled = Object.fromEntries(MANY.map((name) => [name, "old\n"]));
const changingAll = MANY.map((name) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-old\n+new\n`).join("");

/** Applies a patch in a process of its own, whose last line is the code of the answer. */
const CHILD = `
const [lib, root, prepare] = process.argv.slice(-3);
const { createAgentToolkit, createToolContext } = await import(lib);
const toolkit = createAgentToolkit(createToolContext({ workspaceRoot: root, policy: { defaultPolicy: "allow" } }));
const patch = await Bun.stdin.text();
const killAtTen = async () => {
  const { readdirSync } = await import("node:fs");
  const look = () => {
    if (readdirSync(root).filter((name) => name.endsWith(".tmp")).length < 10) setImmediate(look);
    else process.kill(process.pid, "SIGKILL");
  };
  look();
};
if (prepare === "killed") await killAtTen();
if (prepare === "no-root" && process.getuid() === 0) process.setuid(65534);
const result = await toolkit.invoke("apply_patch", { patch });
console.log(JSON.stringify(result.error ?? "success"));
`;
const LIBRARY = join(import.meta.dir, "../../../../src/lib.ts");

function inChild(bench: Bench, patch: string, { shell = "", prepare = "" } = {}) {
  const argv = [process.execPath, "-e", CHILD, "--", LIBRARY, bench.root, prepare];
  const limited = ["sh", "-c", `${shell}; exec "$@"`, "sh", ...argv];
  return Bun.spawn(shell === "" ? argv : limited, {
    stdin: Buffer.from(patch),
    stdout: "pipe",
    stderr: "inherit",
  });
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((done) => setImmediate(done));
}

describe("apply_patch does all or nothing", () => {
  test("killed while it makes its files ready, it has changed none", async () => {
    await using bench = await toolkitIn(filled);
    // The process looks itself how far it is: another one may come too late on a busy machine.
    const child = inChild(bench, changingAll, { prepare: "killed" });
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    expect(temporaries(bench).length).toBeGreaterThan(0);
    expect(new Set(MANY.map((name) => read(bench, name)))).toEqual(new Set(["old\n"]));
  }, 60_000);

  test("what another call writes meanwhile is never overwritten", async () => {
    await using bench = await toolkitIn(filled);
    const patched = codeOf(bench.invoke("apply_patch", { patch: changingAll }));
    await until(() => temporaries(bench).length > 0);
    expect(await codeOf(bench.invoke("write_file", { path: "f599", content: "theirs\n" }))).toBe("success");
    expect(await patched).toBe("CONFLICT");
    expect([read(bench, "f599"), read(bench, "f0"), temporaries(bench)]).toEqual(["theirs\n", "old\n", []]);
  }, 60_000);

  test("takes everything back when a file cannot be written in the middle", async () => {
    await using bench = await toolkitIn({ a: "1\n", gone: "g\n" });
    chmodSync(join(bench.root, "gone"), 0o640);
    const answer = await writeChanges(bench.root, [
      { path: join(bench.root, "gone"), before: state("g\n", 0o640), after: null },
      { path: join(bench.root, "a"), before: state("1\n"), after: state("2\n") },
      { path: join(bench.root, "x/f"), before: null, after: state("n\n", 0) },
      { path: join(bench.root, "x/f/y"), before: null, after: state("n\n", 0) },
    ]);
    expect(answer.isErr() && answer.error).toMatchObject({
      status: "failure",
      error: { code: "NOT_DIRECTORY", details: { left: [] } },
    });
    expect([read(bench, "a"), read(bench, "gone"), readdirSync(bench.root).sort()]).toEqual([
      "1\n",
      "g\n",
      ["a", "gone"],
    ]);
    expect(statSync(join(bench.root, "gone")).mode & 0o777).toBe(0o640);
  });

  test.skipIf(process.platform === "win32")(
    `a folder that may not be written${process.platform === "win32" ? " (skipped: Windows has no such bits)" : ""}: what was deleted elsewhere is back`,
    async () => {
      await using bench = await toolkitIn({ "a/x": "1\n", "b/x": "1\n" });
      if (process.getuid?.() === 0)
        for (const path of [join(bench.root, ".."), ".", "a", "a/x", "b", "b/x"])
          chownSync(path.startsWith("/") ? path : join(bench.root, path), 65534, 65534);
      chmodSync(join(bench.root, "b"), 0o555);
      const patch = "*** Begin Patch\n*** Delete File: a/x\n*** Delete File: b/x\n*** End Patch\n";
      const child = inChild(bench, patch, { prepare: "no-root" });
      expect(JSON.parse(await new Response(child.stdout).text())).toMatchObject({
        code: "FILE_SYSTEM_ERROR",
        details: { path: "b/x", left: [] },
      });
      chmodSync(join(bench.root, "b"), 0o755);
      expect([read(bench, "a/x"), read(bench, "b/x")]).toEqual(["1\n", "1\n"]);
    },
    30_000,
  );

  test("a file that does not fit on the disk leaves all others as they were", async () => {
    await using bench = await toolkitIn({ a: "1\n", gone: "g\n" });
    const big = `--- /dev/null\n+++ b/new/big\n@@ -0,0 +1,9000 @@\n${`+${"x".repeat(99)}\n`.repeat(9000)}`;
    const patch = `--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n${big}`;
    const child = inChild(bench, patch, { shell: "trap '' XFSZ; ulimit -f 64" });
    expect(JSON.parse(await new Response(child.stdout).text())).toMatchObject({
      code: "FILE_SYSTEM_ERROR",
      details: { path: "new/big", left: [] },
    });
    expect([read(bench, "a"), readdirSync(bench.root).sort()]).toEqual(["1\n", ["a", "gone"]]);
  }, 30_000);

  test("a new file may be run from the first moment on, and keeps to the mask of the process", async () => {
    await using bench = await toolkitIn();
    const patch = "diff --git a/x b/x\nnew file mode 100755\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+1\n";
    expect(await codeOf(bench.invoke("apply_patch", { patch }))).toBe("success");
    expect(statSync(join(bench.root, "x")).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  test("the other names of a file keep the old content", async () => {
    await using bench = await toolkitIn({ a: "1\n" });
    linkSync(join(bench.root, "a"), join(bench.outside, "a"));
    const patch = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n";
    expect(await codeOf(bench.invoke("apply_patch", { patch }))).toBe("success");
    expect([read(bench, "a"), readFileSync(join(bench.outside, "a"), "utf8")]).toEqual(["2\n", "1\n"]);
  });
});
