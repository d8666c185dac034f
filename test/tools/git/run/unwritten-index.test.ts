import { describe, expect, test } from "bun:test";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { gitSandbox, writeFiles } from "../../../helpers/git-repo.ts";

const LIBRARY = JSON.stringify(join(import.meta.dir, "../../../../src/lib.ts"));

/** A program that asks a context in which git is read-only for differences, with a temporary folder of its own. */
async function asking(program: string): Promise<{ readonly out: string; readonly left: readonly string[] }> {
  await using sandbox = await gitSandbox();
  const workspaceRoot = await sandbox.repository("project");
  await writeFiles(workspaceRoot, { "README.md": "changed\n" });
  const TMPDIR = join(sandbox.root, "temporary");
  await mkdir(TMPDIR);
  const text = `
    import { createAgentToolkit, createToolContext } from ${LIBRARY};
    import { readdirSync, rmSync } from "node:fs";
    const workspaceRoot = ${JSON.stringify(workspaceRoot)};
    const make = () => createAgentToolkit(
      createToolContext({ workspaceRoot, git: "read-only", policy: { defaultPolicy: "allow" } }));
    const shows = ({ data }) => String(data?.patch ?? JSON.stringify(data)).includes("changed");
    ${program}`;
  const child = Bun.spawn([process.execPath, "--no-env-file", "-e", text], {
    env: { ...sandbox.env, TMPDIR },
    stdout: "pipe",
    stderr: "inherit",
  });
  const out = await child.stdout.text();
  expect(await child.exited).toBe(0);
  const left = await readdir(TMPDIR);
  await rm(TMPDIR, { recursive: true });
  return { out: out.trim(), left };
}

describe("the copy of the index that a reading call gets", () => {
  test("leaves nothing behind when the process ends, though no context was closed", async () => {
    const program = "console.log(shows(await make().gitDiff()), shows(await make().gitDiff()));";
    expect(await asking(program)).toEqual({ out: "true true", left: [] });
  });

  test("holds for a call that is under way when its context is closed", async () => {
    const program = `
      const calls = Array.from({ length: 12 }, async () => {
        const toolkit = make();
        const asked = toolkit.gitDiff();
        await toolkit.close();
        const answer = await asked;
        return answer.status !== "success" || shows(answer);
      });
      console.log((await Promise.all(calls)).every(Boolean));`;
    expect(await asking(program)).toEqual({ out: "true", left: [] });
  });

  test("is made for each call, also after the temporary folder was cleared", async () => {
    const program = `
      const toolkit = make();
      const first = shows(await toolkit.gitDiff());
      for (const name of readdirSync(process.env.TMPDIR))
        rmSync(process.env.TMPDIR + "/" + name, { recursive: true });
      console.log(first, shows(await toolkit.gitDiff()));`;
    expect(await asking(program)).toEqual({ out: "true true", left: [] });
  });
});
