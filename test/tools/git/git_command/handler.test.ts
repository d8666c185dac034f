import { describe, expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createToolContext, ToolCatalog } from "../../../../src/lib.ts";
import type { GitQuestion } from "../../../../src/tools/core/context.ts";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { countingGit, gitWorld } from "../git-world.ts";

describe("seed 002 Handler Validation", () => {
  test("seed 002 Files, Handler Validation and Test Coverage: a subcommand that is missing, no string or empty is INVALID_ARGUMENT, and names it", async () => {
    await using world = await gitWorld();
    for (const args of [
      {},
      { subcommand: null },
      { subcommand: 7 },
      { subcommand: "" },
      { subcommand: ["status"] },
    ]) {
      const result = await world.toolkit.invoke("git_command", args);
      expect(result).toMatchObject({ status: "failure", error: { code: "INVALID_ARGUMENT" } });
      expect(result.status !== "success" && result.message).toContain("subcommand");
    }
  });

  test("seed 002 Handler Validation: a subcommand that is not allowed is denied", async () => {
    await using world = await gitWorld();
    for (const subcommand of [
      "config",
      "gc",
      "-c",
      "--git-dir=/x",
      "STATUS",
      "status ",
      "toString",
      "difftool",
    ])
      expect(await world.toolkit.gitCommand(subcommand)).toMatchObject({
        status: "denied",
        reason: "policy",
        error: { code: "SUBCOMMAND_NOT_ALLOWED" },
      });
  });

  test("seed 002 Handler Validation and Test Coverage: destructive calls are blocked, the message names the way out, and nothing is lost", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "README.md": "precious\n", "new.txt": "precious\n" });
    for (const [subcommand, ...args] of [
      ["reset", "--hard"],
      ["clean", "-fd"],
      ["clean", "-f"],
      ["push", "--force"],
      ["push", "-f", "origin", "main"],
      ["push", "--force-with-lease"],
      ["branch", "-D", "main"],
      ["branch", "--delete", "--force", "main"],
      ["checkout", "."],
      ["restore", "README.md"],
    ] as const) {
      const result = await world.toolkit.gitCommand(subcommand, args);
      expect([subcommand, result]).toMatchObject([
        subcommand,
        { status: "denied", reason: "policy", error: { code: "DESTRUCTIVE_BLOCKED" } },
      ]);
      expect(result.status !== "success" && result.message).toContain("allow_destructive");
    }
    expect(await Bun.file(join(world.repo, "README.md")).text()).toBe("precious\n");
    expect(await Bun.file(join(world.repo, "new.txt")).text()).toBe("precious\n");
  });

  test("seed 002 Handler Validation: destructive calls run with `allow_destructive: true`", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "README.md": "changed\n" });
    expect(await world.toolkit.gitCommand("reset", ["--hard"], { allow_destructive: true })).toMatchObject({
      status: "success",
      data: { exit_code: 0 },
    });
    expect(await world.git(["status", "--porcelain"])).toBe("");
  });

  test("what runs programs or leaves the workspace stays refused, whatever is allowed", async () => {
    await using world = await gitWorld();
    for (const [code, subcommand, ...args] of [
      ["OPTION_NOT_ALLOWED", "rebase", "-x", "touch x", "HEAD"],
      ["OPTION_NOT_ALLOWED", "fetch", "--upload-pack=touch x"],
      ["OPTION_NOT_ALLOWED", "reset", "--har"],
      ["OPTION_NOT_ALLOWED", "diff", "--output=/tmp/x"],
      ["UNSAFE_URL", "fetch", "ext::sh -c touch% x"],
      ["OUTSIDE_WORKSPACE", "commit", "-F", "/etc/passwd"],
    ] as const)
      expect(await world.toolkit.gitCommand(subcommand, args, { allow_destructive: true })).toMatchObject({
        status: "denied",
        error: { code },
      });
  });

  test("seed 002 Handler Validation: args that are no list of strings, unknown keys and null are INVALID_ARGUMENT", async () => {
    await using world = await gitWorld();
    for (const more of [
      { args: "-5" },
      { args: [1] },
      { args: null },
      { allow_destructive: "yes" },
      { allow_destructive: null },
      { cwd: "" },
      { cwd: 1 },
      { force: true },
      { args: ["a\0b"] },
    ])
      expect(await world.toolkit.invoke("git_command", { subcommand: "log", ...more })).toMatchObject({
        status: "failure",
        error: { code: "INVALID_ARGUMENT" },
      });
  });

  test("seed 002 Handler Validation and Test Coverage: a context needs the root of the project", () => {
    for (const workspaceRoot of ["", "relative", "/nowhere/at/all", 7 as unknown as string])
      expect(() => createToolContext({ workspaceRoot })).toThrow(TypeError);
  });

  test("seed 002 Handler Validation: nothing is started before everything was checked", async () => {
    await using world = await gitWorld();
    const counting = await countingGit(world);
    const toolkit = world.toolkitWith({ env: counting.env });
    await toolkit.gitCommand("reset", ["--hard"]);
    await toolkit.gitCommand("config");
    await toolkit.gitCommand("add", ["../x"]);
    await toolkit.gitCommand("status", [], { cwd: "missing" });
    await world.toolkitWith({ env: counting.env, policy: {} }).gitCommand("status");
    expect(await counting.calls()).toEqual([]);
  });
});

describe("seed 002 Example Usage", () => {
  test("seed 002 Example Usage and Next Steps: 3.1.3, status, log -5 --oneline, add a file, push --force with permission (departs: `toolkit.gitCommand` stands for `git/3`)", async () => {
    await using world = await gitWorld();
    const origin = await world.sandbox.origin("origin.git");
    await world.git(["remote", "add", "origin", origin]);
    await writeFiles(world.repo, { "lib/my_module.ex": "defmodule X\n" });
    const { toolkit } = world;
    expect(await toolkit.invoke("git_command", { subcommand: "status" })).toMatchObject({
      status: "success",
      data: { exit_code: 0, stderr: "", truncated: false, parsed: { untracked: ["lib/"] } },
    });
    expect(
      await toolkit.invoke("git_command", { subcommand: "log", args: ["-5", "--oneline"] }),
    ).toMatchObject({
      data: { exit_code: 0, parsed: { kind: "log", commits: [{ subject: "first" }] } },
    });
    expect(await toolkit.invoke("git_command", { subcommand: "add", args: ["lib/my_module.ex"] })).toEqual({
      status: "success",
      data: { output: "", stderr: "", exit_code: 0, truncated: false, parsed: null },
    });
    expect((await toolkit.gitCommand("commit", ["-m", "mine"])).status).toBe("success");
    const push = { subcommand: "push", args: ["--force", "origin", "main"] };
    expect(await toolkit.invoke("git_command", push)).toMatchObject({
      error: { code: "DESTRUCTIVE_BLOCKED" },
    });
    expect(await toolkit.invoke("git_command", { ...push, allow_destructive: true })).toMatchObject({
      status: "success",
      data: { exit_code: 0 },
    });
    expect(await world.git(["rev-parse", "main"], origin)).toBe(await world.git(["rev-parse", "main"]));
  });
});

describe("everyday work is not in the way", () => {
  test("ranges, messages that name dangerous words, branches, dry runs, files named like options", async () => {
    await using world = await gitWorld();
    const origin = await world.sandbox.origin("origin.git");
    await world.git(["remote", "add", "origin", origin]);
    await world.git(["push", "-q", "-f", "-u", "origin", "main"]);
    await writeFiles(world.repo, { "--force": "a file\n" });
    for (const [subcommand, ...args] of [
      ["add", "--", "--force"],
      ["commit", "-m", "reset --hard is bad; rm -rf / && push --force"],
      ["checkout", "-b", "feature"],
      ["commit", "--allow-empty", "-m", ""],
      ["commit", "--allow-empty", "-m", "more"],
      ["log", "main..feature"],
      ["diff", "main...feature"],
      ["diff", "HEAD~1"],
      ["clean", "-n"],
      ["push", "origin", "HEAD"],
      ["checkout", "main"],
      ["switch", "feature"],
      ["branch", "-a"],
      ["tag", "-l"],
      ["fetch", "origin"],
      ["pull", "--ff-only", "origin", "feature"],
      ["rev-parse", "HEAD"],
      ["ls-files"],
      ["cat-file", "-p", "HEAD"],
      ["shortlog", "-sn", "HEAD"],
    ] as const) {
      const result = await world.toolkit.gitCommand(subcommand, args);
      const exits = result.status === "success" ? result.data.exit_code : result.error.message;
      expect([subcommand, ...args, exits]).toEqual([
        subcommand,
        ...args,
        args.some((arg) => arg === "") ? 1 : 0,
      ]);
    }
  });

  test("seed 002 Files, Handler Validation and Next Steps: 3.1.2, git runs and answers output, stderr and exit code (departs: no Lua under it; no placeholder)", async () => {
    await using world = await gitWorld();
    expect(await world.toolkit.gitCommand("show", ["nothing-of-that-name"])).toMatchObject({
      status: "success",
      data: { output: "", exit_code: 128, parsed: null, stderr: expect.stringContaining("unknown revision") },
    });
  });

  test("checkout NAME never overwrites a file of that name", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "README.md": "precious\n" });
    expect(await world.toolkit.gitCommand("checkout", ["README.md"])).toMatchObject({
      data: { exit_code: 128 },
    });
    expect(await Bun.file(join(world.repo, "README.md")).text()).toBe("precious\n");
  });

  test("checkout of another branch does not overwrite an ignored file", async () => {
    await using world = await gitWorld();
    await world.git(["checkout", "-q", "-b", "other"]);
    await world.sandbox.commit(world.repo, { ".env": "theirs\n" });
    await world.git(["checkout", "-q", "main"]);
    await writeFiles(world.repo, { ".gitignore": ".env\n", ".env": "precious\n" });
    for (const call of [
      ["checkout", "other"],
      ["switch", "other"],
      ["merge", "other"],
    ] as const) {
      const [subcommand, name] = call;
      const result = await world.toolkit.gitCommand(subcommand, [name]);
      expect(result.status === "success" && result.data.exit_code).not.toBe(0);
      expect(await Bun.file(join(world.repo, ".env")).text()).toBe("precious\n");
    }
  });

  test("output of more than 200,000 characters is cut and says so", async () => {
    await using world = await gitWorld();
    await writeFiles(world.repo, { "README.md": "line\n".repeat(100_000) });
    const result = await world.toolkit.gitCommand("diff");
    expect(result).toMatchObject({ data: { truncated: true, parsed: { files: [{ additions: 100_000 }] } } });
    expect(result.status === "success" && result.data.output.length).toBe(200_000);
  });

  test("cwd is a folder of the workspace", async () => {
    await using world = await gitWorld();
    const inner = await world.sandbox.repository("work/inner");
    await symlink(world.sandbox.root, join(world.repo, "out"));
    expect(await world.toolkit.gitCommand("rev-parse", ["--show-toplevel"], { cwd: "inner" })).toMatchObject({
      data: { output: `${inner}\n` },
    });
    expect(await world.toolkit.gitCommand("status", [], { cwd: inner })).toMatchObject({ status: "success" });
    expect(await world.toolkit.gitCommand("status", [], { cwd: "out" })).toMatchObject({
      error: { code: "OUTSIDE_WORKSPACE" },
    });
    expect(await world.toolkit.gitCommand("status", [], { cwd: "README.md" })).toMatchObject({
      error: { code: "NOT_DIRECTORY" },
    });
  });

  test("git missing is INTERNAL and names git", async () => {
    await using world = await gitWorld();
    await mkdir(join(world.sandbox.root, "none"));
    const env = { PATH: join(world.sandbox.root, "none") };
    expect(await world.toolkitWith({ env }).gitCommand("status")).toMatchObject({
      status: "failure",
      error: { code: "INTERNAL", message: "git is not on PATH." },
    });
  });

  test("an argument that leads out by a link is refused", async () => {
    await using world = await gitWorld();
    await symlink(world.sandbox.root, join(world.repo, "out"));
    await writeFiles(world.sandbox.root, { "message.txt": "secret" });
    expect(
      await world.toolkit.gitCommand("commit", ["--allow-empty", "-F", "out/message.txt"]),
    ).toMatchObject({
      status: "denied",
      reason: "sandbox",
      error: { code: "OUTSIDE_WORKSPACE" },
    });
  });
});

describe("who may change something", () => {
  const WRITES = [
    ["add", "-A"],
    ["commit", "--allow-empty", "-m", "x"],
    ["branch", "x"],
    ["tag", "x"],
    ["remote", "add", "x", "https://example.com/x"],
    ["fetch"],
  ] as const;

  test("read-only, as scope or as git's own: writing tiers answer READ_ONLY with the reason, reading ones run", async () => {
    await using world = await gitWorld();
    for (const options of [{ writeScope: "read-only" }, { git: "read-only" }] as const) {
      const toolkit = world.toolkitWith(options);
      for (const [subcommand, ...args] of WRITES)
        expect([subcommand, await toolkit.gitCommand(subcommand, args)]).toMatchObject([
          subcommand,
          { status: "denied", reason: "policy", error: { code: "READ_ONLY" } },
        ]);
      for (const subcommand of ["status", "log", "diff", "branch", "tag"])
        expect(await toolkit.gitCommand(subcommand)).toMatchObject({ status: "success" });
    }
    expect(await world.git(["for-each-ref", "--format=%(refname)"])).toBe("refs/heads/main");
  });

  test("seed 002 Allowed with Confirmation: confirm is asked before each change, with what would run, and never before what reads (departs: without a confirm it is allowed)", async () => {
    await using world = await gitWorld();
    const asked: GitQuestion[] = [];
    const toolkit = world.toolkitWith({
      confirm: async (question) => {
        asked.push(question);
        return question.args.includes("yes");
      },
    });
    await toolkit.gitCommand("status");
    await toolkit.gitCommand("reset", ["--hard"]);
    expect(asked).toEqual([]);
    expect(await toolkit.gitCommand("branch", ["yes"], { cwd: "src" })).toMatchObject({ status: "success" });
    expect(await toolkit.gitCommand("branch", ["no"])).toMatchObject({
      status: "denied",
      reason: "policy",
      error: { code: "POLICY_DENIED" },
    });
    expect(asked).toEqual([
      { subcommand: "branch", args: ["yes"], cwd: join(world.repo, "src") },
      { subcommand: "branch", args: ["no"], cwd: world.repo },
    ]);
    expect(await world.git(["branch", "--list", "no"])).toBe("");
  });

  test("seed 002 Allowed with Confirmation: a confirm that throws, or answers something else than true, refuses", async () => {
    await using world = await gitWorld();
    for (const confirm of [
      () => {
        throw new Error("nobody is there");
      },
      () => Promise.reject(new Error("nobody is there")),
      () => "yes" as unknown as boolean,
    ])
      expect(await world.toolkitWith({ confirm }).gitCommand("branch", ["x"])).toMatchObject({
        status: "denied",
        error: { code: "POLICY_DENIED" },
      });
  });
});

test("what it answers fits the published output schema", async () => {
  await using world = await gitWorld();
  await writeFiles(world.repo, { "README.md": "x\n" });
  for (const call of [
    ["status"],
    ["diff"],
    ["log"],
    ["branch"],
    ["blame", "README.md"],
    ["stash"],
    ["stash", "list"],
    ["show", "x"],
  ]) {
    const [subcommand = "", ...args] = call;
    const result = await world.toolkit.gitCommand(subcommand, args);
    expect(result.status).toBe("success");
    const data = result.status === "success" ? result.data : null;
    expect<unknown>(ToolCatalog.git_command.output.parse(data)).toEqual(data);
  }
});
