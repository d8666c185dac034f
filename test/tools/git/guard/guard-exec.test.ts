import { describe, expect, test } from "bun:test";
import { chmod, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { gitWorld, setTrap } from "../git-world.ts";

describe('exec_command if git is "guarded"', () => {
  test("a destructive call is denied with the policy's code, by any name of git and in both shell modes", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "README.md": "precious\n" });
    const toolkit = world.toolkitWith({ git: "guarded" });
    const git = Bun.which("git") ?? "git";
    for (const shell_mode of ["default", "direct"] as const)
      for (const command of [
        ["git", "reset", "--hard"],
        [git, "reset", "--hard"],
        ["env", "git", "reset", "--hard"],
        ["git", "-C", "src", "reset", "--hard"],
      ])
        expect([command, await toolkit.execCommand(".", command, { shell_mode })]).toMatchObject([
          command,
          { status: "denied", reason: "policy", error: { code: "DESTRUCTIVE_BLOCKED" } },
        ]);
    expect(await Bun.file(join(world.repo, "README.md")).text()).toBe("precious\n");
  });

  test("a link to git, and git behind find and other programs that start programs, are judged as git", async () => {
    await using world = await gitWorld();
    await symlink(Bun.which("git") ?? "git", join(world.repo, "harmless"));
    const toolkit = world.toolkitWith({ git: "read-only" });
    for (const command of [
      ["./harmless", "commit", "--allow-empty", "-m", "x"],
      [join(world.repo, "harmless"), "branch", "x"],
      ["find", ".", "-name", "README.md", "-exec", "git", "rm", "{}", ";"],
      ["taskset", "1", "git", "branch", "x"],
      ["flock", "lock", "git", "branch", "x"],
      ["setpriv", "--no-new-privs", "git", "branch", "x"],
    ])
      expect([command, await toolkit.execCommand(".", command)]).toMatchObject([
        command,
        { status: "denied", reason: "policy" },
      ]);
    for (const command of [
      ["./harmless", "status"],
      ["find", ".", "-path", "./.git", "-prune", "-o", "-name", "*.md", "-exec", "cat", "{}", ";"],
    ])
      expect([command, await toolkit.execCommand(".", command)]).toMatchObject([
        command,
        { status: "success", data: { exit_code: 0 } },
      ]);
  });

  test("a script of the workspace called git-x is not git; a link to git of that name is", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, {
      "git-x": "#!/bin/sh\necho ran\n",
      "bin/git-commit": "#!/bin/sh\necho ran\n",
    });
    for (const name of ["git-x", "bin/git-commit"]) await chmod(join(world.repo, name), 0o755);
    await symlink("bin/git-commit", join(world.repo, "tool"));
    await symlink(Bun.which("git") ?? "git", join(world.repo, "git-y"));
    const bin = `${join(world.repo, "bin")}:${world.sandbox.env.PATH}`;
    for (const git of ["guarded", "read-only"] as const) {
      const toolkit = world.toolkitWith({ git, env: { PATH: bin } });
      for (const command of [
        ["./git-x", "--force"],
        [join(world.repo, "git-x")],
        ["env", "A=b", "./git-x"],
        ["bin/git-commit"],
        ["git-commit"],
        ["./tool"],
      ])
        expect([command, await toolkit.execCommand(".", command)]).toMatchObject([
          command,
          { status: "success", data: { stdout: "ran\n" } },
        ]);
      for (const command of [
        ["./git-y", "x"],
        ["git-update-ref", "x"],
        ["git", "x"],
        ["env", "git-config", "a.b", "c"],
      ])
        expect([command, await toolkit.execCommand(".", command)]).toMatchObject([
          command,
          { status: "denied" },
        ]);
    }
  });

  test("what is never allowed is denied, with its own codes", async () => {
    await using world = await gitWorld();
    const toolkit = world.toolkitWith({ git: "guarded" });
    for (const [code, ...command] of [
      ["SUBCOMMAND_NOT_ALLOWED", "git", "config", "--list"],
      ["OPTION_NOT_ALLOWED", "git", "--git-dir=/x", "status"],
      ["OUTSIDE_WORKSPACE", "git", "-C", "..", "status"],
      ["UNSAFE_URL", "git", "fetch", "ext::sh"],
    ] as const)
      expect([command, await toolkit.execCommand(".", command)]).toMatchObject([
        command,
        { status: "denied", error: { code } },
      ]);
  });

  test("what is allowed runs, writing and reading, and other commands are none of its business", async () => {
    await using world = await gitWorld();
    const toolkit = world.toolkitWith({ git: "guarded" });
    for (const command of [
      ["git", "status", "--short"],
      ["git", "commit", "--allow-empty", "-m", "reset --hard"],
      ["env", "LANG=C", "git", "log", "-1"],
      ["echo", "git", "reset", "--hard"],
      ["sh", "-c", "true"],
    ])
      expect([command, await toolkit.execCommand(".", command)]).toMatchObject([
        command,
        { status: "success", data: { exit_code: 0 } },
      ]);
  });

  test("differences are shown, in any way in which git shows them, and the command is answered as it was given", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "README.md": "changed\n" });
    for (const git of ["guarded", "read-only"] as const)
      for (const command of [
        ["git", "diff"],
        ["git", "diff", "HEAD", "--", "README.md"],
        ["env", "git", "-C", "src", "diff"],
        ["git-diff", "-U0"],
      ]) {
        if (Bun.which(command[0] ?? "") === null) continue;
        expect([command, await world.toolkitWith({ git }).execCommand(".", command)]).toMatchObject([
          command,
          { data: { command, exit_code: 0, stdout: expect.stringContaining("+changed") } },
        ]);
      }
    expect(await world.toolkitWith({ git: "guarded" }).execCommand(".", ["git", "diff", "-h"])).toMatchObject(
      {
        data: { exit_code: 129 },
      },
    );
  });

  test("an allowed call in a hostile repository is as harmless as through git_command", async () => {
    await using world = await gitWorld();
    const trap = await setTrap(join(world.sandbox.root, "traps"));
    const toolkit = world.toolkitWith({ git: "guarded" });
    await writeFiles(world.repo, { "README.md": "changed\n" });
    for (const key of ["core.fsmonitor", "diff.external", "diff.evil.textconv", "diff.evil.command"])
      await world.git(["config", key, trap.program]);
    await writeFile(join(world.repo, ".git/info/attributes"), "* diff=evil filter=evil\n");
    for (const command of [
      ["git", "status"],
      ["git", "diff"],
      ["git", "log", "-p"],
      ["env", "git", "-C", "src", "status"],
    ])
      expect(await toolkit.execCommand(".", command)).toMatchObject({
        status: "success",
        data: { exit_code: 0 },
      });
    await world.git(["config", "filter.evil.clean", trap.program]);
    for (const command of [
      ["git", "status"],
      ["git", "-C", "src", "status"],
      ["git", "add", "-A"],
    ])
      expect(await toolkit.execCommand(".", command)).toMatchObject({
        status: "denied",
        error: { code: "UNSAFE_REPOSITORY", details: { at: "filter.evil.clean" } },
      });
    expect(await trap.sprung()).toBe(false);
  });

  test("a repository inside the workspace that -C names is looked at, not the one around it", async () => {
    await using world = await gitWorld();
    const trap = await setTrap(join(world.sandbox.root, "traps"));
    const inner = await world.sandbox.repository("work/inner");
    await world.git(["config", "filter.evil.clean", trap.program], inner);
    const toolkit = world.toolkitWith({ git: "guarded" });
    for (const command of [
      ["git", "-C", "inner", "status"],
      ["git", "-C", inner, "status"],
    ])
      expect(await toolkit.execCommand(".", command)).toMatchObject({ error: { code: "UNSAFE_REPOSITORY" } });
    expect(await toolkit.execCommand(".", ["git", "status"])).toMatchObject({ status: "success" });
  });
});

describe('exec_command if git is "read-only" or "open"', () => {
  test("read-only: writing calls answer READ_ONLY with the reason, reading ones and other commands run", async () => {
    await using world = await gitWorld();
    const toolkit = world.toolkitWith({ git: "read-only" });
    for (const command of [
      ["git", "add", "-A"],
      ["git", "commit", "--allow-empty", "-m", "x"],
      ["git", "branch", "x"],
      ["git", "-C", "src", "stash"],
    ])
      expect([command, await toolkit.execCommand(".", command)]).toMatchObject([
        command,
        {
          status: "denied",
          reason: "policy",
          error: { code: "READ_ONLY", message: expect.stringContaining("only Tazuna writes git") },
        },
      ]);
    for (const command of [
      ["git", "status"],
      ["git", "log"],
      ["git", "--version"],
      ["touch", "made.txt"],
    ])
      expect([command, await toolkit.execCommand(".", command)]).toMatchObject([
        command,
        { status: "success", data: { exit_code: 0 } },
      ]);
    expect(await world.git(["for-each-ref", "--format=%(refname)"])).toBe("refs/heads/main");
  });

  test("open: nothing is judged, and the environment is inherited as it is", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "README.md": "changed\n" });
    const env = { GIT_AUTHOR_NAME: "Inherited" };
    const toolkit = world.toolkitWith({ env });
    expect(await toolkit.execCommand(".", ["git", "reset", "-q", "--hard"])).toMatchObject({
      data: { exit_code: 0 },
    });
    await toolkit.execCommand(".", ["git", "commit", "-q", "--allow-empty", "-m", "x"]);
    expect(await world.git(["log", "-1", "--format=%an"])).toBe("Inherited");
  });
});
