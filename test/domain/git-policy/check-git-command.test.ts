import { describe, expect, test } from "bun:test";
import { checkGitCommand, judgeGitArgv } from "../../../src/lib.ts";
import { EVERYDAY } from "./everyday.ts";
import { EVERYDAY_OPTIONS } from "./everyday-options.ts";
import { HOSTILE } from "./hostile.ts";

const PLACE = { workspaceRoot: "/home/una/project" };

/** The words on one line, so that a failing row can be found. */
const line = (words: readonly string[]) => words.map((word) => JSON.stringify(word)).join(" ");

describe("checkGitCommand", () => {
  const allowed = [...EVERYDAY, ...EVERYDAY_OPTIONS];
  test(`allows each of ${allowed.length} everyday calls, and knows which of them change something`, () => {
    const wrong = allowed.flatMap(({ tier, words: [subcommand, ...args] }) => {
      const verdict = checkGitCommand(subcommand, args, PLACE);
      const seen = verdict.allowed ? verdict.tier : `${verdict.code}: ${verdict.message}`;
      return seen === tier ? [] : [`${line([subcommand ?? "", ...args])}: ${seen} instead of ${tier}`];
    });
    expect(wrong).toEqual([]);
    expect(EVERYDAY.length).toBeGreaterThan(150);
  });

  test(`refuses each of ${HOSTILE.length} hostile or destructive calls with its code`, () => {
    const wrong = HOSTILE.flatMap(({ code, rule, words: [subcommand, ...args] }) => {
      const verdict = checkGitCommand(subcommand, args, PLACE);
      const right = verdict.code === code && !verdict.allowed && (rule === null || verdict.rule === rule);
      return right
        ? []
        : [
            `${line([subcommand ?? "", ...args])}: ${verdict.code} ${verdict.rule} instead of ${code} ${rule}`,
          ];
    });
    expect(wrong).toEqual([]);
    expect(HOSTILE.length).toBeGreaterThan(250);
  });

  test("allow_destructive opens what is destructive, and nothing else", () => {
    const wrong = HOSTILE.flatMap(({ code, words: [subcommand, ...args] }) => {
      const closed = checkGitCommand(subcommand, args, PLACE);
      const opened = checkGitCommand(subcommand, args, { ...PLACE, allowDestructive: true });
      const expected =
        code === "DESTRUCTIVE_BLOCKED"
          ? { ...closed, allowed: true, code: null, message: null, alternative: null }
          : closed;
      return Bun.deepEquals(opened, expected) ? [] : [line([subcommand ?? "", ...args])];
    });
    expect(wrong).toEqual([]);
  });

  test("every refusal names its rule and says what was wrong in one sentence", () => {
    const silent = HOSTILE.filter(({ words: [subcommand, ...args] }) => {
      const { rule, message } = checkGitCommand(subcommand, args, PLACE);
      return !/^[a-z-]+\.[a-z-]+$/.test(rule ?? "") || !/\.$/.test(message ?? "");
    });
    expect(silent.map(({ words }) => line(words))).toEqual([]);
  });

  test("the refusal of a subcommand names what to call instead, and that is allowed", () => {
    const told = (subcommand: string) => checkGitCommand(subcommand, [], PLACE).alternative ?? "";
    for (const [subcommand, instead] of [
      ["grep", "log -S TEXT"],
      ["config", "branch -vv"],
      ["ls-remote", "remote show NAME"],
      ["rev-list", "log --format=%H"],
      ["merge-base", "rev-parse A...B"],
      ["show-ref", "branch -a"],
      ["name-rev", "describe --all --contains COMMIT"],
      ["cherry", "log --cherry UPSTREAM...HEAD"],
      ["diff-tree", "show --raw COMMIT"],
      ["check-ignore", "status --ignored -- PATH"],
      ["format-patch", "log -p --reverse A..B"],
      ["sparse-checkout", "ls-files -t"],
    ] as const) {
      expect(told(subcommand)).toContain(`git ${instead}`);
      const [name = "", ...args] = instead.split(" ");
      expect([instead, checkGitCommand(name, args, PLACE).allowed]).toEqual([instead, true]);
    }
    expect(told("stats")).toContain("status, diff, log");
    expect(told("--git-dir")).toContain("Name the subcommand first");
  });

  test("rm is destructive where it may delete a submodule or a file in conflict that the caller told of", () => {
    const place = { ...PLACE, cwd: "/home/una/project/libs", unguarded: ["libs/a", "vendor/b"] };
    const codeOf = (...args: readonly string[]) => checkGitCommand("rm", args, place).code;
    const lost = ["a", "-r .", "-r ..", "-r *", "./a", "../vendor", "-r :/", "-- a", "../vendor/b"];
    expect(lost.filter((line) => codeOf(...line.split(" ")) !== "DESTRUCTIVE_BLOCKED")).toEqual([]);
    const kept = ["x", "--cached a", "-n -r .", "a.txt", "../vendor/c", "a/../b"];
    expect(kept.filter((line) => codeOf(...line.split(" ")) !== null)).toEqual([]);
  });

  test("a slip of the program that asks is an answer, too, and never a call that is let through", () => {
    const check = checkGitCommand as (...given: readonly unknown[]) => ReturnType<typeof checkGitCommand>;
    const judge = judgeGitArgv as (...given: readonly unknown[]) => ReturnType<typeof judgeGitArgv>;
    const odd = [null, 7, "push --force", Symbol("x"), { length: 1 }, ["push", null], new Array(2), () => {}];
    const REFUSED = { allowed: false, code: "INVALID_ARGUMENT" };
    for (const given of odd) {
      if (!Array.isArray(given)) expect(check("push", [], given)).toMatchObject(REFUSED);
      expect(judge(given, PLACE)).toMatchObject(REFUSED);
      for (const option of ["workspaceRoot", "cwd", "unguarded", "remotes", "localRepositories"]) {
        const place = { ...PLACE, [option]: given };
        if (given === null && option !== "workspaceRoot" && option !== "cwd") continue;
        if (typeof given === "string" && (option === "workspaceRoot" || option === "cwd")) continue;
        const rule = "options.invalid";
        expect([option, check("rm", ["x"], place)]).toMatchObject([option, { ...REFUSED, rule }]);
        expect([option, judge(["git", "rm", "x"], place)]).toMatchObject([option, { ...REFUSED, rule }]);
      }
      expect(check("rm", ["x"], { ...PLACE, allowDestructive: given })).toMatchObject(REFUSED);
    }
  });

  test("what is answered is frozen: the next one shares it", () => {
    for (const verdict of [
      checkGitCommand("status", [], PLACE),
      checkGitCommand("push", ["--force"], { ...PLACE, allowDestructive: true }),
      checkGitCommand("commit", ["-F", "message"], PLACE),
      checkGitCommand("x", [], PLACE),
      judgeGitArgv(["git", "-C", "sub", "status"], PLACE),
    ]) {
      expect(Object.isFrozen(verdict)).toBe(true);
      for (const list of [verdict?.paths, verdict?.newPaths, verdict?.pathsFromTop])
        expect(Object.isFrozen(list)).toBe(true);
    }
  });
});
