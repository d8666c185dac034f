import { describe, expect, test } from "bun:test";
import {
  allGitTools,
  alwaysAllowedSubcommands,
  destructivePatterns,
  gitCommand,
  isDestructive,
  isSubcommandAllowed,
  modifyingSubcommands,
  ToolCatalog,
} from "../../../../src/lib.ts";
import { TOOL_DEFINITIONS } from "../../../../src/registry/definitions.ts";

describe("seed 002 Tool Schema", () => {
  const { name, description, parameters } = gitCommand();

  test("seed 002 Summary and Tool Schema: the name is git_command, and the description begins as the seed's", () => {
    expect(name).toBe("git_command");
    expect(description).toStartWith("Execute git command in the project directory");
  });

  test("seed 002 Tool Schema and Test Coverage: subcommand (string, required), args (array), allow_destructive (boolean) (departs: an optional cwd beside them)", () => {
    expect(Object.entries(parameters.properties).map(([key, { type }]) => [key, type])).toEqual([
      ["subcommand", "string"],
      ["args", "array"],
      ["allow_destructive", "boolean"],
      ["cwd", "string"],
    ]);
    expect(parameters.required).toEqual(["subcommand"]);
    expect(parameters.properties.args?.items).toEqual({ type: "string" });
  });

  test("seed 002 Files: git_command is registered in the catalog and among the definitions", () => {
    expect(ToolCatalog.git_command.definition as unknown).toBe(gitCommand());
    expect(TOOL_DEFINITIONS.git_command as unknown).toBe(gitCommand());
  });
});

describe("seed 002 Key Functions and Subcommand Categories, as the library offers them", () => {
  test("seed 002 Files and Key Functions: `git_command/0` returns the definition, and `all/0` those of all git tools", () => {
    expect(allGitTools().map(({ name }) => name)).toEqual([
      "git_command",
      "git_status_summary",
      "git_diff",
      "git_log",
    ]);
    expect(allGitTools()[0]).toBe(gitCommand());
  });

  test("seed 002 Always Allowed: the library names the fifteen reading subcommands", () => {
    expect(alwaysAllowedSubcommands()).toEqual(
      "status diff log show branch remote tag rev-parse describe shortlog ls-files ls-tree cat-file blame reflog".split(
        " ",
      ),
    );
  });

  test("seed 002 Allowed with Confirmation: the library names the twenty-five modifying subcommands", () => {
    expect(modifyingSubcommands()).toEqual(
      "add commit checkout switch merge rebase stash cherry-pick reset revert fetch pull push restore rm mv init clone worktree submodule notes bisect apply am clean".split(
        " ",
      ),
    );
  });

  test("seed 002 Blocked by Default and Test Coverage: each pattern is destructive, and what is near it is not", () => {
    for (const { subcommand, args } of destructivePatterns())
      expect([subcommand, args, isDestructive(subcommand, args)]).toEqual([subcommand, args, true]);
    for (const [subcommand, ...args] of [
      ["push", "origin", "main"],
      ["reset", "--soft", "HEAD~1"],
      ["clean", "-n"],
      ["branch", "-d", "x"],
      ["commit", "-m", "reset --hard is bad"],
    ] as const)
      expect([subcommand, isDestructive(subcommand, args)]).toEqual([subcommand, false]);
  });

  test("seed 002 Key Functions: a subcommand that is in no list is not allowed", () => {
    for (const name of [
      "config",
      "gc",
      "update-ref",
      "filter-branch",
      "Status",
      " status",
      "constructor",
      "",
      null,
      7,
    ])
      expect([name, isSubcommandAllowed(name)]).toEqual([name, false]);
    expect(isSubcommandAllowed("status")).toBe(true);
  });
});
