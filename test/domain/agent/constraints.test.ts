import { describe, expect, test } from "bun:test";
import {
  AGENT_CONSTRAINTS,
  constraintsText,
  DENIED_GIT_COMMANDS,
  deniedGitCommand,
} from "../../../src/domain/agent/constraints.ts";

describe("the constraints of agents", () => {
  test("seed 003 AgentConstraints: forbidden commands and forbidden paths are the seed's two lists, letter by letter", () => {
    expect(AGENT_CONSTRAINTS).toEqual({
      forbiddenCommands: [
        "git commit",
        "git push",
        "git checkout",
        "git reset --hard",
        "git rebase",
        "git merge",
      ],
      forbiddenPaths: [".git", ".env", ".env.*", "*.key", "*.pem"],
    });
  });

  test("seed 003 Phase 2 and AgentConstraints: every forbidden command and path stands in the prompt", () => {
    const text = constraintsText();
    for (const entry of [...AGENT_CONSTRAINTS.forbiddenCommands, ...AGENT_CONSTRAINTS.forbiddenPaths])
      expect(text).toContain(`- ${entry}\n`);
  });

  test("seed 003 AgentConstraints: the rules of the command lines deny at least what the seed forbids", () => {
    for (const command of AGENT_CONSTRAINTS.forbiddenCommands) expect(DENIED_GIT_COMMANDS).toContain(command);
  });
});

describe("a denied git command", () => {
  const denied: readonly (readonly [string, string])[] = [
    ["git commit -m x", "git commit"],
    ["cd . && git commit", "git commit"],
    ["git -c user.name=x -C sub commit", "git commit"],
    ["git --git-dir /a/.git --no-pager push", "git push"],
    ["/usr/bin/git stash", "git stash"],
    ["'git' 'merge' topic", "git merge"],
    ["env A=1 git checkout -- .", "git checkout"],
    ["sh -c 'git rebase main'", "git rebase"],
    ["echo $(git reset --hard)", "git reset --hard"],
    ["true\ngit reset --soft HEAD~", "git reset"],
    ["git.exe push", "git push"],
  ];
  for (const [text, command] of denied)
    test(`is found in ${JSON.stringify(text)}`, () => {
      expect(deniedGitCommand(text)).toBe(command);
    });

  const fine = [
    "git status",
    "git log --grep commit",
    "git diff; npm run commit",
    "echo commit",
    "gitk commit",
    "git -c",
    "git",
    "",
    "git show stash@{0}",
    "cat docs/git commit.md",
  ];
  for (const text of fine)
    test(`is not found in ${JSON.stringify(text)}`, () => {
      expect(deniedGitCommand(text)).toBeNull();
    });

  test("words that only look like one are refused too: the safe side", () => {
    expect(deniedGitCommand("echo git commit")).toBe("git commit");
  });
});
