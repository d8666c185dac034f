import { describe, expect, test } from "bun:test";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { packageFolders } from "../../src/app/process/settings.ts";
import type { SandboxProfile } from "../../src/sandbox/profile.ts";
import { findSandbox } from "../../src/sandbox/sandbox.ts";
import { exec } from "../../src/utils/exec.ts";
import { sandboxHere, skippedWithout } from "../helpers/sandbox.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

const ENV = { PATH: process.env.PATH ?? "" };

/** A folder with a writable, a plain and a hidden part, and how to run shell text confined to it. */
async function place() {
  const dir = await tempDir();
  const at = (...names: string[]) => join(dir.path, ...names);
  for (const name of ["work", "plain", "hidden/inner", "tmp"]) await mkdir(at(name), { recursive: true });
  for (const name of ["work/.git", "plain/file", "hidden/secret", "secret.txt", "empty"])
    await writeFile(at(name), name === "empty" ? "" : `${name}\n`);
  const profile: SandboxProfile = {
    writable: [at("work"), at("hidden/inner")],
    own: [],
    readOnly: [dir.path, at("work/.git")],
    hidden: [at("hidden"), at("secret.txt")],
    temporary: at("tmp"),
    emptyFile: at("empty"),
    network: "shared",
  };
  const run = async (script: string, more: Partial<SandboxProfile> = {}) => {
    if (!sandboxHere.available) throw new Error(sandboxHere.reason);
    const argv = sandboxHere.confine(["sh", "-c", script], { ...profile, ...more });
    const ran = await exec(argv, { cwd: at("work"), env: ENV, timeoutMs: 30_000 });
    if (!ran.started) throw new Error(ran.error.message);
    return ran;
  };
  return { at, run, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

describe.skipIf(!sandboxHere.available)(`a confined program${skippedWithout}`, () => {
  test("writes where it may, and nowhere else (promise 1.3)", async () => {
    await using here = await place();
    const { stdout } = await here.run(
      `for f in ${here.at("work/new")} ${here.at("hidden/inner/new")} /tmp/new ${here.at("plain/new")} ${here.at("new")} ${here.at("hidden/new")} /usr/new /run/new; do (: > "$f") 2>/dev/null && echo "$f"; done; true`,
    );
    expect(stdout.trim().split("\n")).toEqual([here.at("work/new"), here.at("hidden/inner/new"), "/tmp/new"]);
    expect(await readFile(here.at("tmp/new"), "utf8")).toBe("");
  });

  test("reads plain files; hidden places look empty", async () => {
    await using here = await place();
    const { stdout } = await here.run(
      `cat ../plain/file; cat ${here.at("secret.txt")}; ls -A ${here.at("hidden")}; ls -A /run`,
    );
    expect(stdout.split("\n").slice(0, 2)).toEqual(["plain/file", "inner"]);
    expect(stdout).not.toContain("secret");
  });

  test("our own program is read with its packages, if a hidden place is around it", async () => {
    await using here = await place();
    const source = here.at("hidden/program/src");
    for (const folder of [source, here.at("hidden/program/node_modules/greeting")])
      await mkdir(folder, { recursive: true });
    await writeFile(here.at("hidden/program/node_modules/greeting/index.js"), 'export default "hello";');
    await writeFile(join(source, "main.ts"), 'import said from "greeting"; console.log(said);');
    const readOnly = [dirname(process.execPath), source, ...packageFolders(source)];
    const { stdout, stderr } = await here.run(`${process.execPath} ${source}/main.ts`, { readOnly });
    expect(stderr).toBe("");
    expect(stdout).toBe("hello\n");
  });

  test("can neither write, remove, replace nor move what is held inside a writable folder", async () => {
    await using here = await place();
    const { stdout } = await here.run(
      "for act in 'echo x >> .git' 'rm -f .git' 'mv .git g' 'ln -sf /etc .git' 'mv ../work ../w'; do sh -c \"$act\" 2>/dev/null && echo \"$act\"; done; true",
    );
    expect(stdout).toBe("");
    expect(await readFile(here.at("work/.git"), "utf8")).toBe("work/.git\n");
  });

  test("reaches nothing more by links that it makes", async () => {
    await using here = await place();
    await symlink(here.at("plain"), here.at("work/door"));
    const { stdout } = await here.run(
      `ln -s ${here.at("hidden/secret")} s; cat s 2>/dev/null; (: > door/x) 2>/dev/null && echo wrote; ln ${here.at("plain/file")} hard 2>/dev/null && echo linked; true`,
    );
    expect(stdout).toBe("");
  });

  test("gets no right back by a namespace of its own (promise 1.3)", async () => {
    await using here = await place();
    const { stdout } = await here.run(
      `unshare -Urm sh -c 'umount ${here.at("work/.git")} || mount -o remount,rw,bind ${here.at("work/.git")}; echo x >> .git && echo wrote' 2>/dev/null; umount ${here.at("hidden")} 2>/dev/null && cat ${here.at("hidden/secret")}; true`,
    );
    expect(stdout).toBe("");
    expect(await readFile(here.at("work/.git"), "utf8")).toBe("work/.git\n");
  });

  test("sees no process of others, and leaves none", async () => {
    await using here = await place();
    const mark = `300.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    const { stdout } = await here.run(
      `[ -e /proc/${process.pid} ] && kill -0 ${process.pid} 2>/dev/null && echo reached; setsid sleep ${mark} </dev/null >/dev/null 2>&1 & ls -d /proc/[0-9]* | wc -l`,
    );
    expect(stdout).not.toContain("reached");
    expect(Number(stdout)).toBeLessThan(10);
    // The kernel ends what is left with the sandbox's first process, a moment after that.
    await waitFor("no process to be left", async () => {
      const left = await exec(["pgrep", "-f", `sleep ${mark}`], { cwd: "/", env: ENV });
      return left.started && left.code === 1 && left.stdout === "";
    });
  });

  test("without a network does not even reach this machine", async () => {
    await using here = await place();
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
    const script = `exec 2>/dev/null; ${process.execPath} -e 'fetch("http://127.0.0.1:${server.port}").then((r)=>r.text()).then(console.log,()=>console.log("closed"))'`;
    // The runtime itself may lie in a folder that another one stands for.
    const readOnly = [dirname(process.execPath)];
    expect((await here.run(script, { readOnly })).stdout).toBe("hello\n");
    expect((await here.run(script, { readOnly, network: "none" })).stdout).toBe("closed\n");
  });
});

describe("findSandbox", () => {
  const optionsFor = (platform: NodeJS.Platform, program: string | null) => ({
    platform,
    which: async () => program,
    scratch: "/nonexistent",
  });

  test("says what is missing and what to do", async () => {
    expect(await findSandbox(optionsFor("win32", null))()).toMatchObject({
      available: false,
      reason: "There is no sandbox on win32.",
    });
    expect(await findSandbox(optionsFor("linux", null))()).toMatchObject({
      available: false,
      reason: "bwrap is not installed.",
      remedy: expect.stringContaining("apt install bubblewrap"),
    });
  });

  test("a program that does not hold is none", async () => {
    await using dir = await tempDir();
    const lax = join(dir.path, "bwrap");
    await writeFile(lax, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n', {
      mode: 0o755,
    });
    const found = findSandbox({
      platform: "linux",
      which: async () => lax,
      scratch: join(dir.path, "scratch"),
    });
    expect(await found()).toMatchObject({
      available: false,
      reason: expect.stringMatching(/^bwrap does not hold: it (sees|wrote|saw)/),
    });
  });
});
