import { describe, expect, test } from "bun:test";
import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createProbe } from "../../src/app/engine/probe.ts";
import { createClock } from "../../src/utils/time/clock.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** Writes a line into `asked` whenever it is asked, and answers what its script says. */
async function programIn(folder: string, name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(`${path}.new`, `#!/bin/sh\necho ${name} >> "${folder}/asked"\n${script}\n`);
  await chmod(`${path}.new`, 0o755);
  await rename(`${path}.new`, path);
  return path;
}

const askedIn = async (folder: string) =>
  (await readFile(join(folder, "asked"), "utf8").catch(() => "")).split("\n").filter(Boolean);

const probeIn = (cwd: string, millis = () => 0) =>
  createProbe({ env: { PATH: "/usr/bin:/bin" }, cwd, clock: createClock(millis) });

describe("asking a program", () => {
  test("gives it no token of a forge", async () => {
    await using folder = await tempDir();
    const program = await programIn(folder.path, "one", "env");
    const env = { PATH: "/usr/bin:/bin", GH_TOKEN: "canary", TAZUNA_GITHUB_TOKEN: "canary", OTHER: "kept" };
    const answer = await createProbe({ env, cwd: folder.path }).run([program]);
    expect(answer?.stdout).toContain("OTHER=kept");
    expect(answer?.stdout).not.toContain("canary");
  });

  test("programs are asked side by side, and each once for all who ask meanwhile", async () => {
    await using folder = await tempDir();
    const wait = `while [ ! -e "${folder.path}/go" ]; do sleep 0.01; done; echo 1.2.3`;
    const programs = await Promise.all(["one", "two"].map((name) => programIn(folder.path, name, wait)));
    const probe = probeIn(folder.path);
    const answers = [...programs, ...programs].map((program) => probe.run([program, "--version"]));
    await waitFor("both programs to run", async () => (await askedIn(folder.path)).length === 2);
    await writeFile(join(folder.path, "go"), "");
    for (const answer of await Promise.all(answers)) expect(answer?.stdout).toBe("1.2.3\n");
    expect((await askedIn(folder.path)).toSorted()).toEqual(["one", "two"]);
  });

  test("an answer holds for a minute, as long as the program's file is the same", async () => {
    await using folder = await tempDir();
    let now = 0;
    const probe = probeIn(folder.path, () => now);
    const program = await programIn(folder.path, "agent", "echo 1.0.0");
    const version = async () => (await probe.run([program, "--version"]))?.stdout.trim();
    expect([await version(), await version()]).toEqual(["1.0.0", "1.0.0"]);
    expect(await askedIn(folder.path)).toHaveLength(1);
    await programIn(folder.path, "agent", "echo 2.0.0");
    expect(await version()).toBe("2.0.0");
    now = 59_999;
    await version();
    expect(await askedIn(folder.path)).toHaveLength(2);
    now = 60_000;
    await version();
    expect(await askedIn(folder.path)).toHaveLength(3);
  });

  test("a program that failed is asked again each time", async () => {
    await using folder = await tempDir();
    const probe = probeIn(folder.path);
    const program = await programIn(folder.path, "agent", "exit 1");
    for (const _ of [1, 2]) expect(await probe.run([program, "--version"])).toMatchObject({ code: 1 });
    expect(await askedIn(folder.path)).toHaveLength(2);
  });
});
