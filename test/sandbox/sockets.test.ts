import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { link, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxProfile } from "../../src/sandbox/profile.ts";
import { socketNames } from "../../src/sandbox/socket-names.ts";
import { startHeld } from "../../src/sandbox/start-held.ts";
import { exec } from "../../src/utils/exec.ts";
import { PATH, program } from "../helpers/programs.ts";
import { sandboxHere, skippedWithout } from "../helpers/sandbox.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

// Many real programs, one after the other, on a busy machine.
setDefaultTimeout(420_000);

describe("socketNames", () => {
  test("reads names as they were bound, and leaves out what has none or belongs to the network", () => {
    const entry = (name: string, type = "0001") =>
      `00000000aba29613: 00000002 00000000 00010000 ${type} 01 ${name === "" ? "  543" : `  543 ${name}`}\n`;
    const names = ["/run/a", "/home/una/with  spaces ", "/home/una/two\nlines", "relative", "./@", "/d/é"];
    const table = [...names, "", "@abstract", "@/tmp/.X11-unix/X0"].map((name) => entry(name)).join("");
    expect(socketNames(`Num       RefCount Protocol Flags    Type St Inode Path\n${table}`)).toEqual(names);
    expect(socketNames("Num       RefCount Protocol Flags    Type St Inode Path\n")).toEqual([]);
  });
});

const MISSING = Bun.which("perl") === null ? "no perl" : null;
const SKIPPED = skippedWithout || (MISSING === null ? "" : ` (skipped: ${MISSING})`);

/** A user's folder with a worktree in it, and how to run programs that are confined to the worktree. */
async function place() {
  const dir = await tempDir();
  const at = (...names: string[]) => join(dir.path, ...names);
  for (const name of ["home/work", "home/hidden", "home/own", "tmp", "own"])
    await mkdir(at(name), { recursive: true });
  await writeFile(at("empty"), "");
  const profile: SandboxProfile = {
    writable: [at("home/work")],
    own: [{ path: at("home/own"), from: at("own") }],
    // Programs may lie anywhere, below a folder of a test too.
    readOnly: [at("home"), program(".")],
    hidden: [at("home/hidden")],
    temporary: at("tmp"),
    emptyFile: at("empty"),
    network: "shared",
  };
  const confined = (argv: readonly string[], more: Partial<SandboxProfile> = {}) => {
    if (!sandboxHere.available) throw new Error(sandboxHere.reason);
    return sandboxHere.confine(argv, { ...profile, ...more });
  };
  const start = async (argv: readonly string[]) => {
    const ran = await exec(argv, { cwd: at("home/work"), env: { PATH }, timeoutMs: 60_000 });
    if (!ran.started) throw new Error(ran.error.message);
    return ran;
  };
  /** What it printed to its end. */
  const run = async (argv: readonly string[], more: Partial<SandboxProfile> = {}) => {
    const held = await startHeld(confined(argv, more), start);
    if (!held.started) throw new Error(held.problem);
    expect(held.end.stderr).toBe("");
    return held.end.stdout;
  };
  return { at, confined, start, run, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

const sockets = (act: string, ...names: string[]) => ["perl", program("unix-sockets.pl"), act, ...names];

/** A foreign program; it is ready. */
async function beside(argv: readonly string[], cwd: string) {
  const child = Bun.spawn([...argv], { cwd, stdin: "pipe", stdout: "pipe" });
  await child.stdout.getReader().read();
  return {
    child,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

describe.skipIf(SKIPPED !== "")(`unix sockets and a confined program${SKIPPED}`, () => {
  test("it reaches none of others, whatever their kind and name, with and without a network", async () => {
    await using here = await place();
    const home = here.at("home");
    const names = ["plain", "with  spaces ", "two\nlines", `quo"te'$(x)`, "é", "--", "@at"];
    const bound = [
      ...names.map((name) => `stream:${home}/${name}`),
      `seqpacket:${home}/packets`,
      `dgram:${home}/grams`,
    ];
    const others = ["stream:relative", "stream:./work/../dotted", "stream:moving", "stream:linked"];
    await using _ = await beside(sockets("listen", ...bound, ...others), home);
    await rename(join(home, "moving"), join(home, "moved"));
    await link(join(home, "linked"), join(home, "second"));
    const reached = [
      ...bound,
      ...["relative", "dotted", "moved", "linked", "second"].map((name) => `stream:${home}/${name}`),
    ];
    const tried = sockets("reach", ...reached);
    const expected = reached.map((name) => name.replace(/^\w+:/, ""));
    const words = (text: string) => text.split("\0").filter(Boolean);
    // They are there, and a read-only place does not prevent connections to them.
    expect(words((await here.start(tried)).stdout)).toEqual(expected);
    expect(words((await here.start(here.confined(tried))).stdout)).toEqual(expected);
    expect(words(await here.run(tried))).toEqual([]);
    expect(words(await here.run(tried, { network: "none" }))).toEqual([]);
    const listed = { socket: here.at("empty"), through: ["env"] };
    expect(words(await here.run(tried, { network: listed }))).toEqual([]);
  });

  test("abstract ones belong to the network: they are reached only if that is shared", async () => {
    await using here = await place();
    const name = `@tazuna-${crypto.randomUUID()}`;
    await using _ = await beside(sockets("listen", `stream:${name}`), "/");
    const tried = sockets("reach", `stream:${name}`);
    expect(await here.run(tried)).toBe(`${name}\0`);
    expect(await here.run(tried, { network: "none" })).toBe("");
  });

  test("what the profile lets it write, it reaches: a socket can be named there", async () => {
    await using here = await place();
    const [inWork, named, other] = [here.at("home/work/s"), here.at("home/named"), here.at("home/other")];
    const all = [inWork, named, other].map((path) => `stream:${path}`);
    await using _ = await beside(sockets("listen", ...all), "/");
    const writable = [here.at("home/work"), named];
    expect(await here.run(sockets("reach", ...all), { writable })).toBe(`${inWork}\0${named}\0`);
  });

  test("its own work: in the worktree, in its own places and in /tmp, with Node, Bun and Python", async () => {
    await using here = await place();
    await using _ = await beside(sockets("listen", `stream:${here.at("home/others")}`), "/");
    const serve = `const net = require("node:net"); const [path] = process.argv.slice(-1);
      const server = net.createServer((one) => one.end("served")).listen(path, () => net.connect(path).on("data", (text) => { console.log(String(text)); server.close() }))`;
    for (const runtime of Bun.which("node") === null ? [process.execPath] : ["node", process.execPath])
      for (const path of [here.at("home/work/own.sock"), here.at("home/own/own.sock"), "/tmp/own.sock"]) {
        const readOnly = [here.at("home"), process.execPath];
        expect(await here.run([runtime, "-e", serve, path], { readOnly })).toBe("served\n");
      }
    if (Bun.which("python3") === null) return;
    const manager = `import multiprocessing as m
if __name__ == "__main__":
    with m.Manager() as manager: print(manager.list([1, 2]))`;
    await writeFile(here.at("home/work/manager.py"), manager);
    expect(await here.run(["python3", "manager.py"])).toBe("[1, 2]\n");
  });

  test("one that goes away between look and mount: it is looked again, and the program runs once", async () => {
    await using here = await place();
    const [gone, hidden] = [here.at("home/gone"), here.at("home/hidden-socket")];
    await using _ = await beside(sockets("listen", `stream:${gone}`, `stream:${hidden}`), "/");
    const argv = here.confined(["sh", "-c", "echo ran >> ran.txt; cat ran.txt"], {
      hidden: [here.at("home/hidden"), hidden],
    });
    const missed: string[] = [];
    const held = await startHeld(argv, async (covered) => {
      if (existsSync(gone)) await rm(gone);
      else await rm(hidden, { force: true });
      const ran = await here.start(covered);
      if (ran.code !== 0) missed.push(ran.stderr);
      return ran;
    });
    expect(missed).toEqual([expect.stringContaining(gone), expect.stringContaining(hidden)]);
    expect(held).toMatchObject({ started: true, end: { code: 0, stdout: "ran\n" } });
  });

  test("one that always goes away: after twenty starts it is said why there is no sandbox", async () => {
    await using here = await place();
    const path = here.at("home/always");
    let starts = 0;
    let other = await beside(sockets("listen", `stream:${path}`), "/");
    const held = await startHeld(here.confined(["touch", "ran"]), async (covered) => {
      starts++;
      await rm(path);
      await other[Symbol.asyncDispose]();
      const ran = await here.start(covered);
      other = await beside(sockets("listen", `stream:${path}`), "/");
      return ran;
    });
    await other[Symbol.asyncDispose]();
    const problem = expect.stringMatching(
      /^The sandbox could not be made: 20 times in a row bwrap: Can't .*home\/always/,
    );
    expect(held).toEqual({ started: false, problem });
    expect(starts).toBe(20);
    expect(existsSync(here.at("home/work/ran"))).toBe(false);
  });

  test(
    deep("sockets that are made and removed without a pause keep none of 50 programs from starting"),
    async () => {
      await using here = await place();
      const names = ["one", "two"].map((name) => `stream:${here.at("home", name)}`);
      await using other = await beside(sockets("flap", ...names), "/");
      for (let count = 0; count < 50; count++) expect(await here.run(["echo", "ran"])).toBe("ran\n");
      expect(other.child.exitCode).toBe(null);
    },
  );
});
