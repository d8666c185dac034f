import { describe, expect, test } from "bun:test";
import { renameSync, symlinkSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { contextOn } from "../../../../src/tools/core/context.ts";
import { createAgentToolkit } from "../../../../src/tools/toolkit/create-agent-toolkit.ts";
import { tempDir } from "../../../helpers/temp-dir.ts";

/** A toolkit whose commands find `between` done just before they start: after the checks, as an attacker would hit it. */
function toolkitWith(workspaceRoot: string, between: () => void) {
  const environment = () => {
    between();
    return process.env;
  };
  const host = { platform: process.platform, environment };
  return createAgentToolkit(contextOn(host, { workspaceRoot, policy: { defaultPolicy: "allow" } }));
}

describe("a folder that is swapped while a call begins", () => {
  test("for a link out of the workspace: nothing is run, by exec_command or spawn_service", async () => {
    await using dir = await tempDir();
    const root = join(dir.path, "ws");
    await mkdir(join(root, "sub"), { recursive: true });
    await mkdir(join(dir.path, "outside"));
    let done = false;
    const swap = () => {
      if (done) return;
      done = true;
      renameSync(join(root, "sub"), join(root, "old"));
      symlinkSync("../outside", join(root, "sub"));
    };
    const toolkit = toolkitWith(root, swap);
    const refused = { status: "denied", reason: "sandbox", error: { code: "OUTSIDE_WORKSPACE" } };
    expect(await toolkit.execCommand("sub", ["touch", "made"])).toMatchObject(refused);
    expect(await Bun.file(join(dir.path, "outside/made")).exists()).toBe(false);
    done = false;
    await Bun.spawn(["sh", "-c", "rm sub && mv old sub"], { cwd: root }).exited;
    const spawned = await toolkit.spawnService({ name: "x", command: ["touch", "made"], cwd: "sub" });
    expect(spawned).toMatchObject(refused);
    expect(await Bun.file(join(dir.path, "outside/made")).exists()).toBe(false);
    await toolkit.close();
  });

  test("for a link inside, or taken away: the call says so, and runs nowhere else", async () => {
    await using dir = await tempDir();
    const root = join(dir.path, "ws");
    await mkdir(join(root, "sub"), { recursive: true });
    await mkdir(join(root, "other"));
    const link = toolkitWith(root, () => {
      renameSync(join(root, "sub"), join(root, "old"));
      symlinkSync("other", join(root, "sub"));
    });
    expect(await link.execCommand("sub", ["pwd"])).toMatchObject({ error: { code: "NOT_DIRECTORY" } });
    const gone = toolkitWith(root, () => renameSync(join(root, "old"), join(root, "older")));
    expect(await gone.execCommand("old", ["pwd"])).toMatchObject({ error: { code: "NOT_DIRECTORY" } });
  });

  test("again and again: every command that runs, runs in the workspace", async () => {
    await using dir = await tempDir();
    const root = join(dir.path, "ws");
    await mkdir(join(root, "sub"), { recursive: true });
    await mkdir(join(dir.path, "outside"));
    await symlink("../outside", join(root, "link"));
    const toolkit = createAgentToolkit(
      contextOn(
        { platform: process.platform, environment: () => process.env },
        { workspaceRoot: root, policy: { defaultPolicy: "allow" } },
      ),
    );
    const swapper = Bun.spawn(
      ["sh", "-c", "while :; do mv sub a; mv link sub; mv sub link; mv a sub; done 2>/dev/null"],
      { cwd: root, stdout: "ignore", stderr: "ignore" },
    );
    const seen = new Set<string>();
    for (let round = 0; round < 60; round += 1) {
      const answer = await toolkit.execCommand("sub", ["/bin/pwd", "-P"], { shell_mode: "direct" });
      if (answer.status === "success") seen.add(answer.data.stdout.trim());
    }
    swapper.kill("SIGKILL");
    await swapper.exited;
    expect([...seen].filter((folder) => folder !== join(root, "sub") && folder !== join(root, "a"))).toEqual(
      [],
    );
  });
});
