import { describe, expect, test } from "bun:test";
import {
  chmod,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { deep } from "../../../helpers/tier.ts";
import { waitFor } from "../../../helpers/wait-for.ts";
import { type GitWorld, gitWorld, setTrap, type Trap } from "../git-world.ts";

interface Refused {
  readonly code: string;
  readonly exit: number | null;
}

async function call(
  world: GitWorld,
  words: readonly string[],
  options: { cwd?: string; allow_destructive?: boolean } = {},
): Promise<Refused> {
  const [subcommand = "", ...args] = words;
  const result = await world.toolkit.gitCommand(subcommand, args, options);
  return result.status === "success"
    ? { code: "", exit: result.data.exit_code }
    : { code: result.error.code, exit: null };
}

const UNSAFE: Refused = { code: "UNSAFE_REPOSITORY", exit: null };
const UNSAFE_URL: Refused = { code: "UNSAFE_URL", exit: null };
const BLOCKED: Refused = { code: "DESTRUCTIVE_BLOCKED", exit: null };

async function trapped(): Promise<{ world: GitWorld; trap: Trap }> {
  const world = await gitWorld();
  return { world, trap: await setTrap(join(world.sandbox.root, "traps")) };
}

/** A branch in conflict with main, and a merge of it that stopped. */
async function conflict(world: GitWorld): Promise<void> {
  await world.git(["checkout", "-q", "-b", "other"]);
  await world.sandbox.commit(world.repo, { "README.md": "theirs\n" });
  await world.git(["checkout", "-q", "main"]);
  await world.sandbox.commit(world.repo, { "README.md": "ours\n" });
}

async function executable(path: string, content: string): Promise<void> {
  await writeFile(path, content);
  await chmod(path, 0o755);
}

describe("a repository that git would find and a simpler reader would not", () => {
  type Hide = (world: GitWorld) => Promise<string | undefined>;
  const rows: readonly (readonly [string, Hide])[] = [
    [
      "a .git file with a line feed in the path",
      async ({ repo, git }) => {
        await rename(join(repo, ".git"), join(repo, "good\nevil"));
        await git(["init", "-q", "--bare", "good"]);
        await writeFile(join(repo, ".git"), "gitdir: good\nevil");
        return undefined;
      },
    ],
    [
      "a .git file with a NUL",
      async ({ repo }) => {
        await rename(join(repo, ".git"), join(repo, "evil"));
        await writeFile(join(repo, ".git"), "gitdir: evil\0other\n");
        return undefined;
      },
    ],
    [
      "a .git file that is no UTF-8",
      async ({ repo }) => {
        await rename(join(repo, ".git"), Buffer.from(`${repo}/ev\xffil`, "latin1"));
        await writeFile(join(repo, ".git"), Buffer.from("gitdir: ev\xffil\n", "latin1"));
        return undefined;
      },
    ],
    [
      "a .git file that goes up behind a link",
      async ({ repo, git }) => {
        await mkdir(join(repo, "deep/er"), { recursive: true });
        await rename(join(repo, ".git"), join(repo, "deep/evil"));
        await git(["init", "-q", "--bare", "evil"]);
        await symlink("deep/er", join(repo, "link"));
        await writeFile(join(repo, ".git"), "gitdir: link/../evil\n");
        return undefined;
      },
    ],
    [
      "a pipe called .git in a folder of it",
      async ({ repo }) => {
        await mkdir(join(repo, "sub"));
        await Bun.spawn(["mkfifo", join(repo, "sub/.git")]).exited;
        return "sub";
      },
    ],
    [
      "a commondir with a space at its end",
      async ({ repo, git }) => {
        await git(["worktree", "add", "-q", "-b", "linked", "wt"]);
        await writeFile(join(repo, "wt/.gitattributes"), "* filter=x\n");
        await cp(join(repo, ".git"), join(repo, "copy"), { recursive: true });
        await rename(join(repo, "copy"), join(repo, ".git/evil "));
        await git(["config", "--unset", "filter.x.clean"]);
        await git(["init", "-q", "--bare", ".git/evil"]);
        await writeFile(join(repo, ".git/worktrees/wt/commondir"), "../../evil \n");
        return "wt";
      },
    ],
  ];
  for (const [what, hide] of rows)
    test(`${what}: its filter does not run`, async () => {
      const { world, trap } = await trapped();
      await using _ = world;
      await world.git(["config", "filter.x.clean", trap.program]);
      await writeFile(join(world.repo, ".gitattributes"), "* filter=x\n");
      const cwd = (await hide(world)) ?? ".";
      await writeFile(join(world.repo, cwd, "README.md"), "changed\n");
      for (const words of [["status"], ["add", "-A", "."], ["diff"]])
        expect(await call(world, words, { cwd })).toEqual(UNSAFE);
      expect(await trap.sprung()).toBe(false);
    });

  for (const what of ["bytes that are no UTF-8", "a way up behind a link"])
    test(`an include with ${what}: what it brings does not run`, async () => {
      const { world, trap } = await trapped();
      await using _ = world;
      const { repo } = world;
      const filter = `[filter "x"]\n\tclean = ${trap.program}\n`;
      await mkdir(join(repo, "a/b"), { recursive: true });
      await symlink("../a/b", join(repo, ".git/link"));
      await writeFile(join(repo, "a/evil"), filter);
      await Bun.write(join(repo, ".git/plain"), filter);
      await rename(join(repo, ".git/plain"), Buffer.from(`${repo}/.git/ev\xffil`, "latin1"));
      const path = what.startsWith("bytes") ? "ev\xffil" : "link/../evil";
      const before = await readFile(join(repo, ".git/config"), "latin1");
      await writeFile(join(repo, ".git/config"), `${before}[include]\n\tpath = ${path}\n`, "latin1");
      await writeFile(join(repo, ".gitattributes"), "* filter=x\n");
      await writeFile(join(repo, "README.md"), "changed\n");
      expect(await call(world, ["add", "-A"])).toEqual(UNSAFE);
      expect(await trap.sprung()).toBe(false);
    });

  test("a list of borrowed objects with a quoted path is refused", async () => {
    await using world = await gitWorld();
    const other = await world.sandbox.repository("other");
    await writeFile(join(world.repo, ".git/objects/info/alternates"), `"${other}/.git/objects"\n`);
    expect(await call(world, ["log"])).toEqual(UNSAFE);
  });

  test("links in a circle and a .git that names a file are answers, not surprises", async () => {
    await using world = await gitWorld();
    await mkdir(join(world.repo, "one"));
    await mkdir(join(world.repo, "two"));
    await symlink(".git", join(world.repo, "one/.git"));
    await writeFile(join(world.repo, "two/.git"), "gitdir: ../README.md\n");
    expect(await call(world, ["status"], { cwd: "one" })).toEqual(UNSAFE);
    expect(await call(world, ["status"], { cwd: "two" })).toEqual({ code: "", exit: 128 });
    expect(await world.toolkit.gitStatusSummary("two")).toMatchObject({
      error: { code: "NOT_GIT_REPOSITORY" },
    });
  });

  test("files that include themselves, and submodules that are links to themselves, end at once", async () => {
    await using world = await gitWorld();
    const head = await world.git(["rev-parse", "HEAD"]);
    for (const name of ["l1", "l2", "l3", "l4", "l5", "l6"]) {
      await symlink(".", join(world.repo, name));
      await world.git(["update-index", "--add", "--cacheinfo", `160000,${head},${name}`]);
    }
    await call(world, ["status"]);
    const before = await readFile(join(world.repo, ".git/config"), "utf8");
    await writeFile(join(world.repo, ".git/config"), `${before}[include]\n${"\tpath = config\n".repeat(20)}`);
    expect(await call(world, ["status"])).toEqual(UNSAFE);
  }, 10_000);
});

describe("programs that are named elsewhere than in the configuration of what is checked out", () => {
  test("a step of a stopped rebase that runs a command is refused", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    const head = await world.git(["rev-parse", "HEAD"]);
    const state = join(world.repo, ".git/rebase-merge");
    await mkdir(state);
    const files = {
      "git-rebase-todo": `exec ${trap.program}\n`,
      "head-name": "refs/heads/main\n",
      onto: `${head}\n`,
      "orig-head": `${head}\n`,
      interactive: "",
      end: "1",
      msgnum: "0",
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(state, name), text);
    expect(await call(world, ["rebase", "--continue"], { allow_destructive: true })).toEqual(UNSAFE);
    expect(await call(world, ["rebase", "--skip"], { allow_destructive: true })).toEqual(UNSAFE);
    expect(await trap.sprung()).toBe(false);
  });

  for (const [step, options] of [
    ["--continue", {}],
    ["--skip", { allow_destructive: true }],
  ] as const)
    test(`options of a stopped am that write elsewhere are refused in am ${step}; its own options are not`, async () => {
      await using world = await gitWorld();
      const outside = join(world.sandbox.root, "outside");
      await writeFile(outside, "mine\n");
      await world.git(["checkout", "-q", "-b", "other"]);
      for (const text of ["one\n", "two\n"]) await world.sandbox.commit(world.repo, { "README.md": text });
      const patches = (await world.git(["format-patch", "-2", "-o", "../patches"])).split("\n");
      await world.git(["checkout", "-q", "main"]);
      await world.sandbox.commit(world.repo, { "README.md": "in the way\n" });
      await world.git(["am", "-q", "--whitespace=nowarn", "-C2", ...patches]).catch(() => undefined);
      const at = join(world.repo, ".git/rebase-apply/apply-opt");
      expect(await readFile(at, "utf8")).toContain("--whitespace=nowarn");
      const own = await readFile(at, "utf8");
      for (const option of [`--build-fake-ancestor=${outside}`, `--build=${outside}`]) {
        await writeFile(at, `${own} '${option}'`);
        expect(await call(world, ["am", step], options)).toEqual(UNSAFE);
      }
      await writeFile(at, own);
      await writeFile(join(world.repo, "README.md"), "one\n");
      await world.git(["add", "README.md"]);
      expect((await call(world, ["am", step], options)).code).toBe("");
      expect(await readFile(outside, "utf8")).toBe("mine\n");
    });

  test("a merge driver does not run when a merge is made again to be shown", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    await conflict(world);
    await world.git(["merge", "-q", "-s", "ours", "other", "-m", "merged"]);
    await world.git(["config", "merge.x.driver", trap.program]);
    await world.git(["config", "log.diffMerges", "remerge"]);
    await writeFile(join(world.repo, ".gitattributes"), "* merge=x\n");
    const shown = [
      ["log", "--remerge-diff"],
      ["show", "--diff-merges=remerge"],
      ["reflog", "-p", "--remerge-diff"],
    ];
    for (const words of shown) expect(await call(world, words)).toEqual(UNSAFE);
    expect(await call(world, ["log", "-p"])).toEqual({ code: "", exit: 0 });
    expect(await trap.sprung()).toBe(false);
  });

  test("untracked files in a folder in place of a tracked file are not stashed away and lost", async () => {
    await using world = await gitWorld();
    const file = join(world.repo, "README.md");
    await rm(file);
    await mkdir(file);
    await writeFile(join(file, "mine"), "precious\n");
    const losing = [
      ["stash"],
      ["stash", "push"],
      ["stash", "-k", "-m", "-u"],
      ["stash", "save", "words"],
      ["stash", "push", "-qm", "--all"],
      ["merge", "--autostash", "HEAD"],
      ["rebase", "--autostash", "HEAD"],
    ];
    for (const words of losing) expect([words, await call(world, words)]).toEqual([words, BLOCKED]);
    expect(await readFile(join(file, "mine"), "utf8")).toBe("precious\n");
    expect(await call(world, ["stash", "push", "-ku"])).toEqual({ code: "", exit: 0 });
    expect(await world.git(["show", "stash@{0}^3:README.md/mine"])).toContain("precious");
    expect(await call(world, ["stash", "list"])).toEqual({ code: "", exit: 0 });
  });

  test("what is amended stays in the reflog, though the repository keeps none", async () => {
    await using world = await gitWorld();
    const before = await world.git(["rev-parse", "HEAD"]);
    await world.git(["config", "core.logAllRefUpdates", "false"]);
    await rm(join(world.repo, ".git/logs"), { recursive: true });
    const amend = ["commit", "--amend", "--allow-empty", "-m", "again"];
    expect(await call(world, amend)).toEqual({ code: "", exit: 0 });
    expect(await world.git(["reflog", "--format=%H", "-g", "HEAD"])).not.toBe("");
    expect(await readFile(join(world.repo, ".git/logs/HEAD"), "utf8")).toContain(before.trim());
  });

  test("a submodule whose address is a folder elsewhere on this machine is not brought in", async () => {
    await using world = await gitWorld();
    const secret = await world.sandbox.repository("secret");
    await writeFile(join(world.repo, ".gitmodules"), `[submodule "sub"]\n\tpath = sub\n\turl = ${secret}\n`);
    const commit = await world.git(["rev-parse", "HEAD"], secret);
    await world.git(["update-index", "--add", "--cacheinfo", `160000,${commit.trim()},sub`]);
    await world.git(["add", ".gitmodules"]);
    await world.git(["commit", "-qm", "sub"]);
    const { code, exit } = await call(world, ["submodule", "update", "--init"]);
    expect({ code, failed: exit !== 0 }).toEqual({ code: "", failed: true });
    expect(await readdir(join(world.repo, "sub")).catch(() => [])).toEqual([]);
  });

  test(deep("a filter of a submodule that is not checked out does not run when it is"), async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    const module = await world.sandbox.repository("module");
    await world.git(["-c", "protocol.file.allow=always", "submodule", "-q", "add", module, "sub"]);
    await world.git(["commit", "-qam", "sub"]);
    await rm(join(world.repo, "sub"), { recursive: true });
    await mkdir(join(world.repo, "sub"));
    expect(await call(world, ["submodule", "update", "--init"])).toEqual({ code: "", exit: 0 });
    await rm(join(world.repo, "sub"), { recursive: true });
    await mkdir(join(world.repo, "sub"));
    const gitDir = join(world.repo, ".git/modules/sub");
    await world.git(["--git-dir", gitDir, "config", "filter.x.smudge", trap.program]);
    await mkdir(join(gitDir, "info"), { recursive: true });
    await writeFile(join(gitDir, "info/attributes"), "* filter=x\n");
    await rm(join(gitDir, "index"), { force: true });
    expect(await call(world, ["submodule", "update", "--init"])).toEqual(UNSAFE);
    expect(await trap.sprung()).toBe(false);
  });

  const spellings: readonly (readonly [string, string, (repo: string) => string])[] = [
    ["an encoded address", "evil", (repo) => `file://${repo}/ev%69l`],
    ["an address with a machine", "evil", (repo) => `file://machine${repo}/evil`],
    ["a name without .git", "evil.x.git", (repo) => `${repo}/evil.x`],
    ["a folder whose .git is a file", "evil", (repo) => `${repo}/named`],
    ["an address from the top of the working tree", "evil", () => "./evil"],
  ];
  for (const [what, name, address] of spellings)
    test(`${what}: hooks of the repository that takes the push do not run`, async () => {
      const { world, trap } = await trapped();
      await using _ = world;
      await world.git(["init", "-q", "--bare", name]);
      await executable(
        join(world.repo, name, "hooks/pre-receive"),
        `#!/bin/sh\n${trap.program} </dev/null\n`,
      );
      await mkdir(join(world.repo, "named"));
      await writeFile(join(world.repo, "named/.git"), "gitdir: ../evil\n");
      await world.git(["config", "remote.e.url", address(world.repo)]);
      expect(await call(world, ["push", "e", "main:x"], { cwd: "src" })).toEqual(UNSAFE_URL);
      expect(await trap.sprung()).toBe(false);
    });

  test("hooks of a repository in a workspace that is the whole file system do not run", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    await world.git(["init", "-q", "--bare", "evil"]);
    await executable(join(world.repo, "evil/hooks/pre-receive"), `#!/bin/sh\n${trap.program} </dev/null\n`);
    const whole = world.toolkitWith({ workspaceRoot: "/" });
    await world.git(["remote", "add", "evil", "./evil"]);
    for (const name of ["evil", "./evil", join(world.repo, "evil")])
      expect(await whole.gitCommand("push", [name, "main:x"], { cwd: world.repo })).toMatchObject({
        error: { code: "UNSAFE_URL" },
      });
    expect(await trap.sprung()).toBe(false);
  });

  test("a remote in the old form is refused", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    await world.git(["init", "-q", "--bare", "evil"]);
    await mkdir(join(world.repo, ".git/remotes"), { recursive: true });
    await writeFile(join(world.repo, ".git/remotes/e"), `URL: ${world.repo}/evil\nPush: +main:x\n`);
    expect(await call(world, ["push", "e"])).toEqual(UNSAFE);
    expect(await trap.sprung()).toBe(false);
  });
});

describe("settings by which an innocent call would lose something", () => {
  async function withOrigin(): Promise<{ world: GitWorld; origin: string }> {
    const world = await gitWorld();
    const origin = await world.sandbox.origin("origin.git");
    await world.git(["remote", "add", "origin", origin]);
    await world.git(["push", "-q", "-f", "-u", "origin", "main", "main:victim"]);
    return { world, origin };
  }

  for (const [key, value] of [
    ["push", ":refs/heads/victim"],
    ["push", "+refs/heads/*:refs/heads/*"],
    ["mirror", "true"],
  ] as const)
    test(`remote.origin.${key} = ${value}: a plain push needs allow_destructive`, async () => {
      const { world, origin } = await withOrigin();
      await using _ = world;
      await world.git(["config", `remote.origin.${key}`, value]);
      expect(await call(world, ["push"])).toEqual(BLOCKED);
      expect(await call(world, ["push", "origin"])).toEqual(BLOCKED);
      expect(await world.git(["ls-remote", origin])).toContain("refs/heads/victim");
      expect(await call(world, ["push"], { allow_destructive: true })).toEqual({ code: "", exit: 0 });
    });

  for (const [key, value, words] of [
    ["remote.origin.fetch", "+refs/heads/*:refs/heads/*", ["fetch"]],
    ["remote.origin.fetch", "+refs/tags/*:refs/tags/*", ["pull"]],
    ["remote.origin.fetch", "refs/heads/*:refs/heads/*", ["fetch", "--prune"]],
    ["fetch.pruneTags", "true", ["fetch", "-p", "origin"]],
    ["remote.origin.fetch", "+refs/heads/*:refs/heads/*", ["remote", "update"]],
  ] as const)
    test(`${key} = ${value}: git ${words.join(" ")} needs allow_destructive`, async () => {
      const { world } = await withOrigin();
      await using _ = world;
      expect(await call(world, words)).toEqual({ code: "", exit: 0 });
      await world.git(["config", "--add", key, value]);
      expect(await call(world, words)).toEqual(BLOCKED);
    });

  test("usual settings of remotes ask for nothing", async () => {
    const { world } = await withOrigin();
    await using _ = world;
    await world.git(["config", "remote.origin.push", "HEAD:refs/heads/review"]);
    await world.git(["config", "remote.origin.prune", "true"]);
    await world.git(["config", "--add", "remote.origin.fetch", "+refs/pull/*/head:refs/remotes/origin/pr/*"]);
    for (const words of [["fetch"], ["pull"], ["push"], ["remote", "update", "-p"]])
      expect(await call(world, words)).toEqual({ code: "", exit: 0 });
  });

  test("a branch that is its own upstream is not deleted as merged", async () => {
    await using world = await gitWorld();
    await world.git(["checkout", "-q", "-b", "victim"]);
    await world.sandbox.commit(world.repo, { x: "y" });
    await world.git(["checkout", "-q", "main"]);
    await world.git(["config", "branch.victim.remote", "."]);
    await world.git(["config", "branch.victim.merge", "refs/heads/victim"]);
    expect(await call(world, ["branch", "-d", "victim"])).toEqual(BLOCKED);
    expect(await world.git(["branch", "--list", "victim"])).toContain("victim");
  });

  for (const how of ["replaced", "grafted"])
    test(`a history that is ${how} makes no branch look merged and no push look harmless`, async () => {
      const { world, origin } = await withOrigin();
      await using _ = world;
      await world.git(["checkout", "-q", "-b", "other"]);
      const theirs = await world.sandbox.commit(world.repo, { theirs: "only there\n" });
      await world.git(["push", "-q", "origin", "other:main"]);
      await world.git(["checkout", "-q", "main"]);
      const ours = await world.sandbox.commit(world.repo, { ours: "here\n" });
      const plant = () =>
        how === "replaced"
          ? world.git(["replace", "--graft", ours, theirs])
          : writeFile(join(world.repo, ".git/info/grafts"), `${ours} ${theirs}\n`);
      await plant();
      expect(await call(world, ["branch", "-d", "other"])).toEqual({ code: "", exit: 1 });
      expect(await call(world, ["push", "origin", "main"])).toEqual({ code: "", exit: 1 });
      expect(await world.git(["rev-parse", "main"], origin)).toBe(theirs);
      await world.git(["branch", "-d", "other"]);
      const pushed = await world.toolkit.gitCommand("push", ["-q", "origin", "main"], {
        allow_destructive: true,
      });
      expect(pushed).toMatchObject({
        data: { exit_code: 1, stderr: expect.not.stringContaining("hint: Support") },
      });
      await world.git(["push", "-q", "origin", "main"]);
      expect(await world.git(["rev-parse", "main"], origin)).toBe(ours);
    });

  for (const [key, value] of [
    ["core.checkStat", "minimal"],
    ["core.trustctime", "false"],
  ] as const)
    test(`${key} = ${value}: a change that leaves size and time as they were is not overwritten`, async () => {
      await using world = await gitWorld();
      const file = join(world.repo, "README.md");
      const then = new Date("2024-01-01T00:00:00Z");
      const write = async (text: string) => {
        await writeFile(file, text);
        await utimes(file, then, then);
      };
      await world.sandbox.commit(world.repo, { "README.md": "one\n" });
      await world.git(["checkout", "-q", "-b", "other"]);
      await world.sandbox.commit(world.repo, { "README.md": "two\n" });
      await world.git(["checkout", "-q", "main"]);
      await write("one\n");
      await world.git(["update-index", "--refresh"]);
      const secondOf = async (path: string) => Math.floor((await stat(path)).ctimeMs / 1000);
      const clock = join(world.sandbox.root, "clock");
      // The file system's own clock, which lags behind: git compares whole seconds.
      await waitFor("the clock to pass the second in which the file was written", async () => {
        await writeFile(clock, "");
        return (await secondOf(clock)) > (await secondOf(file));
      });
      await world.git(["config", key, value]);
      await write("ONE\n");
      for (const words of [
        ["checkout", "other"],
        ["merge", "other"],
        ["cherry-pick", "other"],
        ["rm", "README.md"],
      ])
        expect([words, (await call(world, words)).exit]).not.toEqual([words, 0]);
      expect(await readFile(file, "utf8")).toBe("ONE\n");
    });

  test("a file in conflict is not removed without allow_destructive", async () => {
    await using world = await gitWorld();
    await conflict(world);
    await world.git(["merge", "other"]).catch(() => undefined);
    await writeFile(join(world.repo, "README.md"), "resolved with care\n");
    expect(await call(world, ["rm", "README.md"])).toEqual(BLOCKED);
    expect(await readFile(join(world.repo, "README.md"), "utf8")).toBe("resolved with care\n");
    expect(await call(world, ["rm", "src/app.txt"])).toEqual({ code: "", exit: 0 });
  });

  test("a bisect that would begin again at an option is refused", async () => {
    await using world = await gitWorld();
    await writeFile(join(world.repo, "README.md"), "uncommitted\n");
    await writeFile(join(world.repo, ".git/BISECT_START"), "--force\n");
    expect(await call(world, ["bisect", "reset"])).toEqual(UNSAFE);
    expect(await readFile(join(world.repo, "README.md"), "utf8")).toBe("uncommitted\n");
  });

  test("options that a branch adds to merges neither abort one nor read a file", async () => {
    await using world = await gitWorld();
    await conflict(world);
    await world.git(["config", "branch.main.mergeoptions", "-F /etc/hostname --no-ff"]);
    expect(await call(world, ["merge", "other"])).toEqual(UNSAFE);
    await world.git(["config", "branch.main.mergeoptions", "--no-ff --no-edit"]);
    expect(await call(world, ["merge", "other"])).toEqual({ code: "", exit: 1 });
  });
});

describe("places outside of the workspace", () => {
  test("a name that some systems take for .git is not checked out, whatever the repository configures", async () => {
    await using world = await gitWorld();
    const tree = (lines: string) => world.sandbox.git(world.repo, ["mktree"], { stdin: lines });
    const blob = (await world.git(["rev-parse", "HEAD:README.md"])).trim();
    const inner = (await tree(`100644 blob ${blob}\tconfig\n`)).trim();
    for (const name of ["git~1", ".g\u200cit"]) {
      const outer = (await tree(`040000 tree ${inner}\t${name}\n`)).trim();
      await world.git(["branch", "-f", "evil", await world.git(["commit-tree", outer, "-m", "evil"])]);
      await world.git(["config", "core.protectNTFS", "false"]);
      await world.git(["config", "core.protectHFS", "false"]);
      await call(world, ["checkout", "evil"]);
      expect(await readdir(world.repo)).not.toContain(name);
    }
  });

  test("git init in a folder whose .git names a repository outside leaves that as it is", async () => {
    await using world = await gitWorld();
    const other = await world.sandbox.repository("other");
    await mkdir(join(world.repo, "sub"));
    await writeFile(join(world.repo, "sub/.git"), `gitdir: ${other}/.git\n`);
    const before = await readFile(join(other, ".git/config"), "utf8");
    expect(await call(world, ["init", "--shared=all", "sub"])).toEqual(UNSAFE);
    expect(await readFile(join(other, ".git/config"), "utf8")).toBe(before);
  });

  test("a configuration that is a link out of the workspace is not written through", async () => {
    await using world = await gitWorld();
    const outside = join(world.sandbox.root, "outside.config");
    await rename(join(world.repo, ".git/config"), outside);
    await symlink(outside, join(world.repo, ".git/config"));
    const before = await readFile(outside, "utf8");
    expect(await call(world, ["remote", "add", "x", "https://example.com/x"])).toEqual(UNSAFE);
    expect(await call(world, ["status"])).toEqual({ code: "", exit: 0 });
    expect(await readFile(outside, "utf8")).toBe(before);
  });

  test("without a repository a name with a colon is not taken for a commit", async () => {
    await using world = await gitWorld();
    const workspaceRoot = join(world.sandbox.root, "plain");
    await mkdir(join(world.sandbox.root, "out"));
    await mkdir(workspaceRoot);
    await writeFile(join(world.sandbox.root, "out/secret"), "secret\n");
    await writeFile(join(workspaceRoot, "b"), "b\n");
    for (const name of ["dd:x", "d..x"]) {
      await symlink("../out", join(workspaceRoot, name));
      const toolkit = world.toolkitWith({ workspaceRoot });
      expect(await toolkit.gitCommand("diff", [`${name}/secret`, "b"])).toMatchObject({
        error: { code: "OUTSIDE_WORKSPACE" },
      });
    }
  });

  test("a relative address is confined from the top of the working tree, as git takes it", async () => {
    await using world = await gitWorld();
    await world.sandbox.origin("origin.git");
    await mkdir(join(world.repo, "a/b"), { recursive: true });
    await mkdir(join(world.repo, "a/origin.git"));
    await world.git(["remote", "add", "o", "../origin.git"]);
    await world.git(["remote", "add", "inner", "a/origin.git"]);
    expect(await call(world, ["fetch", "../origin.git"], { cwd: "a/b" })).toEqual(UNSAFE_URL);
    expect(await call(world, ["fetch", "inner"], { cwd: "a/b" })).toEqual(UNSAFE_URL);
    expect(await call(world, ["fetch", "o"], { cwd: "a/b" })).toEqual({ code: "", exit: 0 });
  });

  test("showing a conversion writes no cache of it", async () => {
    await using world = await gitWorld();
    await world.git(["config", "diff.x.textconv", "cat"]);
    await world.git(["config", "diff.x.cachetextconv", "true"]);
    await writeFile(join(world.repo, ".gitattributes"), "*.md diff=x\n");
    await writeFile(join(world.repo, "README.md"), "changed\n");
    await world.git(["add", "-A"]);
    await call(world, ["status", "-v"]);
    expect(await world.git(["for-each-ref", "refs/notes"])).toBe("");
  });
});
