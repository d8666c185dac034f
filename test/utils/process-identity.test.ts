import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { startProcess } from "../../src/utils/exec.ts";
import { findMarked, identify, isAlive, stopMarked } from "../../src/utils/programs/process-identity.ts";
import { LINUX } from "../helpers/need.ts";
import { program, taggedEnv } from "../helpers/programs.ts";
import { waitFor } from "../helpers/wait-for.ts";

// Real processes on a busy machine.
setDefaultTimeout(150_000);

async function start(argv: readonly string[], env: Readonly<Record<string, string>>) {
  let out = "";
  const started = await startProcess(argv, {
    cwd: "/",
    env,
    onStdout: (chunk) => {
      out += Buffer.from(chunk).toString();
    },
    onStderr: () => {},
  });
  if (!started.started) throw new Error(started.error.message);
  return { process: started.process, out: () => out };
}

describe("identity", () => {
  test("of this process is alive, and no other start time or boot is", async () => {
    const self = await identify(process.pid);
    if (self === null) throw new Error("this process was not found");
    expect(self.pid).toBe(process.pid);
    expect(await identify(process.pid)).toEqual(self);
    expect(await isAlive(self)).toBe(true);
    expect(await isAlive({ ...self, startTime: `${self.startTime}1` })).toBe(false);
    expect(await isAlive({ ...self, bootId: "another boot" })).toBe(false);
  });

  test("of no process is null", async () => {
    expect(await identify(2 ** 22 + 1)).toBeNull();
  });

  test.skipIf(LINUX.missing)(`of a zombie is null: it is dead${LINUX.why}`, async () => {
    await using tagged = taggedEnv();
    // The shell becomes a sleep that never asks for its child's exit code.
    const parent = await start(["sh", "-c", "sh -c 'echo $$' & exec sleep 300"], tagged.env);
    const zombie = Number(await waitFor("the child's number", () => parent.out().trim() || null));
    await waitFor("the zombie", async () => (await Bun.file(`/proc/${zombie}/stat`).text()).includes(") Z "));
    expect(process.kill(zombie, 0)).toBe(true);
    expect(await identify(zombie)).toBeNull();
    expect(await findMarked(tagged.tag)).toEqual([parent.process.pid]);
    await parent.process.killTree({ graceMs: 200 });
  });
});

describe.skipIf(LINUX.missing)(`the marker${LINUX.why}`, () => {
  test("finds a process by the whole of its name and value", async () => {
    await using tagged = taggedEnv();
    const { process: sleeper } = await start(["sleep", "300"], tagged.env);
    const { name, value } = tagged.tag;
    await waitFor("the sleeper", async () => (await findMarked(tagged.tag)).length === 1);
    expect(await findMarked(tagged.tag)).toEqual([sleeper.pid]);
    expect(await findMarked({ name, value: value.slice(0, -1) })).toEqual([]);
    expect(await findMarked({ name: name.slice(1), value })).toEqual([]);
    await sleeper.killTree({ graceMs: 200 });
  });

  test("finds values with any characters", async () => {
    await using tagged = taggedEnv();
    const odd = { name: "ODD", value: "日本 =\n'\"x" };
    const { process: sleeper } = await start(["sleep", "300"], { ...tagged.env, [odd.name]: odd.value });
    await waitFor("the sleeper", async () => (await findMarked(odd)).length === 1);
    await sleeper.killTree({ graceMs: 200 });
  });

  test("stops orphans in sessions of their own that ignore TERM, and their unmarked children", async () => {
    await using tagged = taggedEnv();
    const unmarked = `env -i PATH="$PATH" sh -c 'echo $$; sleep 300; true'; true`;
    const script = `${program("escape-session.sh")} >/dev/null & sh -c '${unmarked.replaceAll("'", "'\\''")}' & wait`;
    const { process: root, out } = await start(["sh", "-c", script], tagged.env);
    const child = Number(await waitFor("the unmarked child", () => out().trim() || null));
    await waitFor("the whole tree", async () => (await tagged.left()).length >= 6);
    process.kill(root.pid, "SIGKILL");
    await root.exited;
    expect(await findMarked(tagged.tag)).toContain(child);
    const { stopped, left } = await stopMarked(tagged.tag, { graceMs: 200 });
    expect(stopped).toContain(child);
    expect(left).toEqual([]);
    expect([await findMarked(tagged.tag), await identify(child)]).toEqual([[], null]);
  });

  test("that no process carries stops none", async () => {
    expect(await stopMarked({ name: "TAZUNA_TEST_TAG", value: "nobody" })).toEqual({ stopped: [], left: [] });
  });

  test("never stops the process that asks", async () => {
    const self = { name: "PATH", value: process.env.PATH ?? "" };
    expect(await findMarked(self)).not.toContain(process.pid);
  });
});
