/** Tells which lines of the shell an agent is talked out of, in a real repository with a real worktree. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { judgeShell } from "../../src/guard/judge-shell.ts";
import { exec } from "../../src/utils/exec.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { type TempDir, tempDir } from "../helpers/temp-dir.ts";

let git: GitSandbox;
let dir: TempDir;
let worktree: string;
let commonDir: string;

beforeAll(async () => {
  [git, dir] = [await gitSandbox(), await tempDir()];
  const repository = join(dir.path, "repository");
  worktree = join(dir.path, "worktree");
  commonDir = join(repository, ".git");
  await git.git(dir.path, ["init", "--quiet", repository]);
  await git.git(repository, ["commit", "--quiet", "--allow-empty", "--message=First"]);
  await git.git(repository, ["worktree", "add", "--quiet", worktree]);
  await mkdir(join(worktree, "src"));
  await git.git(worktree, ["init", "--quiet", join(dir.path, "other")]);
});
afterAll(async () => {
  await git?.[Symbol.asyncDispose]();
  await dir?.[Symbol.asyncDispose]();
});

const judge = (text: string) =>
  judgeShell({ text, cwd: worktree, commonDir, folder: join(dir.path, "guard"), env: git.env });

describe("what writes the attempt's repository is refused with the reason", () => {
  test.each([
    "git commit -m x",
    "cd src && git add -A",
    "/usr/bin/git -c user.name=x commit -m x",
    "npm test; git stash",
    "GIT_AUTHOR_NAME=x git commit --amend",
    "if true; then git push origin HEAD; fi",
    "bash -lc 'git checkout -b evil'",
    "true && sh -c \"cd src; git commit -m 'a b'\"",
    "env FOO=1 git reset --hard",
    'git commit -m "$MESSAGE"',
    "cat <<EOF > a.txt\nhello\nEOF\ngit add a.txt",
    "echo a | git hash-object -w --stdin",
    "(git tag v1)",
    "git \\\n  commit -m x",
    "git commit -m x >/dev/null 2>&1",
    ">log git add -A",
  ])("%s", async (text) => {
    expect(await judge(text)).toMatch(
      /^tazuna: `git .*` was refused: Tazuna alone writes git in this repository\.\nJust edit/,
    );
  });
});

describe("what does not is left alone", () => {
  test.each([
    "git status && git diff HEAD",
    "git log --oneline | head",
    "cd ../other && git commit --allow-empty -m x",
    "git -C ../other add -A",
    "git init ../another",
    "echo git commit",
    "grep -rn 'git commit' docs # git add",
    "cat <<'EOF' > notes.md\ngit commit -m x\nEOF",
    "cat <<-EOF\n\tgit push\n\tEOF\n",
    'cd "$TMP" && git commit -m x',
    "git branch 2>/dev/null",
    "git symbolic-ref --short HEAD 2> /dev/null || echo detached",
    "git config user.name >name.txt",
    "git tag &>tags.txt",
    "git remote>remotes.txt 2>&1 | cat",
    "for c in status diff; do git $c; done",
    'git --git-dir="$TMP/.git" --work-tree="$TMP" commit -m x',
    "PATH=/nowhere git status",
    "git -C ../other push file:///no/%zz HEAD",
    "git clone ../other",
    "export GIT_DIR=../other/.git; git commit --allow-empty -m x",
    "",
    "'",
    "git",
    "((((",
    "<<",
  ])("%s", async (text) => {
    expect(await judge(text)).toBeNull();
  });
});

test("the program answers in the words of the agents' hooks, and says nothing to what it does not understand", async () => {
  const main = resolve(import.meta.dir, "../../src/main.ts");
  const hook = async (stdin: string) => {
    const argv = [process.execPath, main, "__hook", commonDir, join(dir.path, "guard")];
    return exec(argv, { cwd: "/", env: git.env, stdin: { text: stdin } });
  };
  const asked = { cwd: worktree, tool_name: "Bash" };
  const denied = await hook(JSON.stringify({ ...asked, tool_input: { command: "git commit -m x" } }));
  expect(denied).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(denied.started ? denied.stdout : "")).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("`git commit -m x` was refused".slice(0, 11)),
    },
  });
  const listed = JSON.stringify({ ...asked, tool_input: { command: ["bash", "-lc", "git add -A"] } });
  expect(await hook(listed)).toMatchObject({ code: 0, stdout: expect.stringContaining('"deny"') });
  for (const text of [
    "",
    "{",
    "null",
    '{"cwd":1}',
    JSON.stringify({ ...asked, tool_input: { file_path: "git" } }),
  ])
    expect(await hook(text)).toMatchObject({ code: 0, stdout: "", stderr: "" });
});
