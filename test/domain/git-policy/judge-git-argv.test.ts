import { describe, expect, test } from "bun:test";
import { judgeGitArgv } from "../../../src/lib.ts";
import { wordsOf } from "./everyday.ts";

const PLACE = { workspaceRoot: "/home/una/project" };
const judge = (line: string, cwd?: string) =>
  judgeGitArgv(wordsOf(line), cwd === undefined ? PLACE : { ...PLACE, cwd });
const codeOf = (line: string) => judge(line)?.code ?? (judge(line)?.allowed ? "allowed" : "no git");

describe("judgeGitArgv", () => {
  test("what is no call of git is not judged", () => {
    const lines = [
      "ls -la",
      "grep -r git .",
      "echo git push --force",
      "gitk --all",
      "digit --hard",
      "./my-git-tool reset --hard",
      "sh -c	git push --force",
      "bash -lc	git status",
      "env FOO=1 make",
      "env",
      "timeout 5 npm test",
      "timeout --unknown 5 npm test",
      "nice -n 5 bun test",
      "xargs rm",
      "sudo ls",
      "env -S	node script.js",
      "node -e	git",
      "",
    ];
    expect(lines.filter((line) => judge(line) !== null)).toEqual([]);
  });

  test("git is judged by bare, absolute and relative name, in any case and with the endings of Windows", () => {
    const programs = [
      "git",
      "/usr/bin/git",
      "./git",
      "../../usr/bin/git",
      "git.exe",
      "GIT",
      "Git.EXE",
      "C:\\Program Files\\Git\\cmd\\git.exe",
      "git.cmd",
    ];
    const seen = programs.map((program) => [
      judgeGitArgv([program, "status"], PLACE)?.verdict,
      judgeGitArgv([program, "reset", "--hard"], PLACE)?.code,
    ]);
    expect(seen).toEqual(programs.map(() => ["allow", "DESTRUCTIVE_BLOCKED"]));
  });

  test("the programs behind git are judged as their subcommand, or never allowed", () => {
    expect(
      [
        "git-reset --hard",
        "/usr/lib/git-core/git-reset --soft HEAD~1",
        "/usr/lib/git-core/git-status",
        "git-upload-pack .",
        "git-remote-ext x ls",
        "git-gc",
        "git-status -c core.fsmonitor=x",
        "git-log --output=x",
      ].map(codeOf),
    ).toEqual([
      "DESTRUCTIVE_BLOCKED",
      "allowed",
      "allowed",
      "SUBCOMMAND_NOT_ALLOWED",
      "SUBCOMMAND_NOT_ALLOWED",
      "SUBCOMMAND_NOT_ALLOWED",
      "OPTION_NOT_ALLOWED",
      "OPTION_NOT_ALLOWED",
    ]);
  });

  test("harmless options of git itself are understood", () => {
    const lines = [
      "git",
      "git --version",
      "git -v",
      "git --help",
      "git --exec-path",
      "git --no-pager log -5",
      "git -P diff",
      "git --no-optional-locks status",
      "git --literal-pathspecs add -- :x",
      "git -C src status",
      "git -C . -C src log",
      "git -C /home/una/project/src status",
      "git -c core.quotePath=false status --porcelain=v1 --branch",

      "git -c color.ui=always diff",
      "git -c user.name=Una	-c	user.email=una@example.com	commit	-m	x",
      "git -c advice.detachedHead=false checkout --detach HEAD",
      "git -c core.pager=cat log",
      "git -c core.pager= log",
      "git -c commit.gpgsign=false commit -m x",
      "git -c init.defaultBranch=main init",
    ];
    expect(lines.filter((line) => judge(line)?.allowed !== true)).toEqual([]);
  });

  test("all other options of git itself are refused", () => {
    const lines = [
      "git --git-dir=x status",
      "git --git-dir x status",
      "git --work-tree=/ status",
      "git --work-tree / checkout -f",
      "git --exec-path=/tmp/x status",
      "git --config-env=core.pager=X log",
      "git --config-env core.pager=X log",
      "git --namespace=x status",
      "git --bare log",
      "git -p status",
      "git --paginate log",
      "git --attr-source=x status",
      "git --super-prefix=x status",
      "git -c core.fsmonitor=touch status",
      "git -c core.fsmonitor status",
      "git -c core.sshCommand=x fetch",
      "git -c core.hooksPath=hooks commit -m x",
      "git -c core.pager=less log",
      "git -c pager.log=x log",
      "git -c alias.x=!ls x",
      "git -c protocol.ext.allow=always fetch ext::ls",
      "git -c diff.external=x diff",
      "git -c core.editor=x commit",
      "git -c filter.x.clean=x add .",
      "git -c include.path=x status",
      "git -c user.name=x	-c	core.askPass=x	fetch",
      "git -c color.ui=always -c credential.helper=!x fetch",
      "git -cuser.name=x status",
      "git -Csrc status",
      "git -pP status",
      "git --foo status",
      "git --no-pag log",
      "git -c",
    ];
    expect(lines.filter((line) => codeOf(line) !== "OPTION_NOT_ALLOWED")).toEqual([]);
  });

  test("-C is followed, and must stay inside", () => {
    expect(
      [
        "git -C .. status",
        "git -C / status",
        "git -C src -C ../.. status",
        "git -C src add ../README.md",
        "git -C src add ../../x",
        "git -C a/b commit -F ../../msg",
        "git -C a/b commit -F ../../../msg",
        "env -C / git status",
        "env --chdir=src git add ../x",
      ].map(codeOf),
    ).toEqual([
      "OUTSIDE_WORKSPACE",
      "OUTSIDE_WORKSPACE",
      "OUTSIDE_WORKSPACE",
      "allowed",
      "OUTSIDE_WORKSPACE",
      "allowed",
      "OUTSIDE_WORKSPACE",
      "OUTSIDE_WORKSPACE",
      "allowed",
    ]);
    expect(judge("git -C a -C b mv c d", "/home/una/project/sub")?.paths).toEqual(["a/b", "a/b/c", "a/b/d"]);
  });

  test("git is found behind programs that start others", () => {
    const refused = [
      "env git reset --hard",
      "env LC_ALL=C git reset --hard",
      "env -- git reset --hard",
      "env -v TZ=UTC nohup git reset --hard",
      "/usr/bin/env git reset --hard",
      "nohup git reset --hard",
      "nice git reset --hard",
      "nice -n 10 git reset --hard",
      "nice -10 git reset --hard",
      "nice --adjustment=5 git reset --hard",
      "timeout 5 git reset --hard",
      "timeout -k 1 -s KILL 5s git reset --hard",
      "timeout --signal=KILL 5 git reset --hard",
      "command git reset --hard",
      "command -p git reset --hard",
      "setsid -w git reset --hard",
      "stdbuf -oL git reset --hard",
      "time -p git reset --hard",
      "ionice -c 3 git reset --hard",
      "busybox env git reset --hard",
      "env env env git reset --hard",
      "timeout 5 env nice /usr/bin/git reset --hard",
    ];
    expect(refused.filter((line) => codeOf(line) !== "DESTRUCTIVE_BLOCKED")).toEqual([]);
    const allowed = refused.map((line) => line.replace("reset --hard", "status"));
    expect(allowed.filter((line) => codeOf(line) !== "allowed")).toEqual([]);
  });

  test("what changes git's environment, hides the command or feeds git arguments is refused", () => {
    const lines = [
      "env GIT_DIR=x git status",
      "env GIT_SSH_COMMAND=x git fetch",
      "env GIT_PAGER=x git log",
      "env LC_ALL=C GIT_EXTERNAL_DIFF=x git diff",
      "env PATH=. git status",
      "env HOME=x git status",
      "env LD_PRELOAD=x git status",
      "env PAGER=x git log",
      "env XDG_CONFIG_HOME=x git status",
      "env -i git status",
      "env - git status",
      "env -u GIT_CONFIG_COUNT git status",
      "env --unset=GIT_CONFIG_COUNT git status",
      "env -S	git reset --hard",
      "env -S	-i /usr/bin/git status",
      "env --split-string=git	status",
      "env --foo git status",
      "env -P /tmp git status",
      "timeout --foo 5 git status",
      "xargs git rm",
      "xargs -0 -n 1 git checkout",
      "xargs -I{} git push {}",
      "sudo git status",
      "sudo -u root git status",
      "doas git push",
      "time -o out git status",
    ];
    expect(lines.filter((line) => codeOf(line) !== "OPTION_NOT_ALLOWED")).toEqual([]);
  });

  test("a checkout that may mean a file is refused, since no -- follows it", () => {
    const ambiguous = [
      "git checkout README.md",
      "git checkout main",
      "git checkout -q main",
      "env git checkout x",
    ];
    expect(ambiguous.map((line) => judge(line)?.rule)).toEqual(ambiguous.map(() => "checkout.ambiguous"));
    const clear = [
      "git checkout main --",
      "git checkout -b x",
      "git checkout -b x main",
      "git checkout --detach main",
      "git checkout -",
      "git switch main",
    ];
    expect(clear.filter((line) => judge(line)?.allowed !== true)).toEqual([]);
  });

  test("tier, network and destructive permission come through", () => {
    expect(judge("git log -1")).toMatchObject({ tier: "read", network: false, allowed: true });
    expect(judge("git -C src fetch origin")).toMatchObject({ tier: "write", network: true });
    expect(judgeGitArgv(["git", "reset", "--hard"], { ...PLACE, allowDestructive: true })).toMatchObject({
      verdict: "destructive",
      allowed: true,
      code: null,
      rule: "reset.hard",
    });
    expect(judge("git --git-dir=x status")).toMatchObject({ tier: null, verdict: "never" });
  });
});
