import { describe, expect, test } from "bun:test";
import {
  alwaysAllowedSubcommands,
  checkGitCommand,
  destructivePatterns,
  isDestructive,
  isSubcommandAllowed,
  modifyingSubcommands,
} from "../../../src/lib.ts";

const PLACE = { workspaceRoot: "/home/una/project" };

describe("seed 002 Subcommand Categories", () => {
  test("seed 002 Always Allowed, Key Functions and Test Coverage: `always_allowed_subcommands/0` returns the 15 reading subcommands, in their order", () => {
    expect(alwaysAllowedSubcommands().join(", ")).toBe(
      "status, diff, log, show, branch, remote, tag, rev-parse, describe, shortlog, ls-files, ls-tree, cat-file, blame, reflog",
    );
    const tiers = alwaysAllowedSubcommands().map((name) => checkGitCommand(name, [], PLACE));
    expect(tiers.map(({ allowed, tier }) => ({ allowed, tier }))).toEqual(
      tiers.map(() => ({ allowed: true, tier: "read" })),
    );
  });

  test("seed 002 Always Allowed: of branch, tag, remote and reflog only reading forms are (departs: their writing forms are modifying)", () => {
    const writing = [
      ["branch", "x"],
      ["tag", "x"],
      ["remote", "add", "x", "https://example.com/x"],
      ["reflog", "expire", "--dry-run", "--all"],
    ];
    expect(writing.map(([name, ...args]) => checkGitCommand(name, args, PLACE).tier)).toEqual(
      writing.map(() => "write"),
    );
  });

  test("seed 002 Allowed with Confirmation, Key Functions and Test Coverage: `modifying_subcommands/0` returns the 25 modifying subcommands, in their order", () => {
    expect(modifyingSubcommands().join(", ")).toBe(
      "add, commit, checkout, switch, merge, rebase, stash, cherry-pick, reset, revert, fetch, pull, push, restore, rm, mv, init, clone, worktree, submodule, notes, bisect, apply, am, clean",
    );
    const tiers = modifyingSubcommands().map((name) => checkGitCommand(name, ["-h"], PLACE).tier);
    expect(tiers.filter((tier) => tier === "read")).toEqual([]);
  });

  test("seed 002 Key Functions: `subcommand_allowed?/1` knows the 40 names, exactly as they are written", () => {
    const names = [...alwaysAllowedSubcommands(), ...modifyingSubcommands()];
    expect(names.filter(isSubcommandAllowed)).toHaveLength(40);
    const others = [
      "config",
      "gc",
      "grep",
      "Status",
      " status",
      "",
      "constructor",
      "__proto__",
      null,
      7,
      undefined,
    ];
    expect(others.filter(isSubcommandAllowed)).toEqual([]);
  });

  test("seed 002 Handler Validation: a name that is not listed, missing or no string is refused", () => {
    expect(
      ["config", "filter-branch", "update-ref"].map((name) => checkGitCommand(name, [], PLACE).code),
    ).toEqual(["SUBCOMMAND_NOT_ALLOWED", "SUBCOMMAND_NOT_ALLOWED", "SUBCOMMAND_NOT_ALLOWED"]);
    expect([undefined, null, 7, "", ["status"]].map((name) => checkGitCommand(name, [], PLACE).code)).toEqual(
      Array(5).fill("INVALID_ARGUMENT"),
    );
  });

  test("what came out of a list does not change it", () => {
    expect(() => (destructivePatterns() as unknown[]).splice(0)).toThrow(TypeError);
    expect(() => (alwaysAllowedSubcommands() as string[]).splice(0)).toThrow(TypeError);
    expect(destructivePatterns()).not.toEqual([]);
    expect(alwaysAllowedSubcommands()).toHaveLength(15);
  });
});

describe("seed 002 Blocked by Default", () => {
  test("seed 002 Blocked by Default and Key Functions: `destructive_patterns/0` returns `push --force`, `-f`, `--force-with-lease`, `reset --hard`, `clean -f`, `-fd`, `-fx`, `-fxd`, `branch -D`, `--delete --force`", () => {
    expect(destructivePatterns().map(({ subcommand, args }) => `${subcommand} ${args.join(" ")}`)).toEqual([
      "push --force",
      "push -f",
      "push --force-with-lease",
      "reset --hard",
      "clean -f",
      "clean -fd",
      "clean -fx",
      "clean -fxd",
      "branch -D",
      "branch --delete --force",
    ]);
  });

  test("seed 002 Blocked by Default: each pattern is blocked, wherever it stands among other arguments", () => {
    const around = [
      (args: readonly string[]) => args,
      (args: readonly string[]) => [...args, "x"],
      (args: readonly string[]) => ["-q", ...args],
      (args: readonly string[]) => args.toReversed(),
    ];
    const loose = destructivePatterns().flatMap(({ subcommand, args }) =>
      around.flatMap((put) => {
        const words = put(args);
        const { code } = checkGitCommand(subcommand, words, PLACE);
        const seen = isDestructive(subcommand, words);
        return code === "DESTRUCTIVE_BLOCKED" && seen
          ? []
          : [`${subcommand} ${words.join(" ")}: ${code} ${seen}`];
      }),
    );
    expect(loose).toEqual([]);
  });

  test("seed 002 Key Functions: `destructive?/2` says what would lose something, whatever else is wrong with the call", () => {
    const yes: [string, string[]][] = [
      ["push", ["origin", "main", "--force"]],
      ["push", ["-uf", "origin", "main"]],
      ["push", ["--force", "ext::sh"]],
      ["push", ["--force-with-lease=main", "--no-such-option"]],
      ["reset", ["--hard", "HEAD~1"]],
      ["clean", ["-xdf"]],
      ["branch", ["-D", "x"]],
      ["branch", ["--force", "--delete", "x"]],
      ["checkout", ["--", "f"]],
    ];
    const no: [string, string[]][] = [
      ["push", ["origin", "main"]],
      ["push", ["-o", "-f"]],
      ["commit", ["-m", "reset --hard"]],
      ["clean", ["-nf"]],
      ["branch", ["--delete", "x"]],
      ["reset", ["--soft", "HEAD~1"]],
      ["config", ["--force"]],
      ["status", ["--force"]],
    ];
    expect(yes.filter(([name, args]) => !isDestructive(name, args))).toEqual([]);
    expect(no.filter(([name, args]) => isDestructive(name, args))).toEqual([]);
  });

  test("seed 002 Example Usage: the four calls are judged as the seed says", () => {
    const allowDestructive = true;
    expect([
      checkGitCommand("status", undefined, PLACE).allowed,
      checkGitCommand("log", ["-5", "--oneline"], PLACE).allowed,
      checkGitCommand("add", ["lib/my_module.ex"], PLACE).allowed,
      checkGitCommand("push", ["--force"], PLACE).allowed,
      checkGitCommand("push", ["--force"], { ...PLACE, allowDestructive }).allowed,
    ]).toEqual([true, true, true, false, true]);
  });
});
