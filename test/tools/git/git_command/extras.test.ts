import { describe, expect, test } from "bun:test";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createToolContext } from "../../../../src/lib.ts";
import { gitSandbox } from "../../../helpers/git-repo.ts";
import { gitWorld, setTrap } from "../git-world.ts";

describe("gitExtras: what the owner of a context brings back", () => {
  test('hooks: "run" runs those of the repository, and a hook that refuses is data', async () => {
    await using world = await gitWorld();
    const hook = join(world.repo, ".git/hooks/pre-commit");
    await writeFile(hook, "#!/bin/sh\necho refused by the hook >&2\nexit 1\n");
    await chmod(hook, 0o755);
    const commit = ["--allow-empty", "-m", "x"];
    const withHooks = world.toolkitWith({ gitExtras: { hooks: "run" } });
    expect(await withHooks.gitCommand("commit", commit)).toMatchObject({
      status: "success",
      data: { exit_code: 1, stderr: "refused by the hook\n" },
    });
    expect(await world.toolkit.gitCommand("commit", commit)).toMatchObject({ data: { exit_code: 0 } });
  });

  test('credentials: "user" leaves the user\'s own helper, and refuses one of the repository by name', async () => {
    await using world = await gitWorld();
    const trap = await setTrap(join(world.sandbox.root, "traps"));
    const origin = await world.sandbox.origin("origin.git");
    await world.git(["remote", "add", "origin", origin]);
    await world.git(["config", "--global", "credential.helper", "store"]);
    const toolkit = world.toolkitWith({ gitExtras: { credentials: "user" } });
    expect(await toolkit.gitCommand("fetch")).toMatchObject({ data: { exit_code: 0 } });
    await world.git(["config", "credential.helper", trap.program]);
    expect(await toolkit.gitCommand("fetch")).toMatchObject({
      status: "denied",
      error: { code: "UNSAFE_REPOSITORY", details: { at: "credential.helper" } },
    });
    expect(await toolkit.gitCommand("status")).toMatchObject({ status: "success" });
    expect(await world.toolkit.gitCommand("fetch")).toMatchObject({ data: { exit_code: 0 } });
    expect(await trap.sprung()).toBe(false);
  });

  test("anything else is a mistake of the program that makes the context", async () => {
    await using sandbox = await gitSandbox();
    for (const gitExtras of [{ hooks: "yes" }, { hook: "run" }, null, { credentials: true }])
      expect(() => createToolContext({ workspaceRoot: sandbox.root, gitExtras: gitExtras as never })).toThrow(
        TypeError,
      );
  });
});
