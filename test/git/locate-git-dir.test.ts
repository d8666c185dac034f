import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { locateGitDir, readHeadFile, readHeadFiles } from "../../src/git/process/locate-git-dir.ts";
import { readHead } from "../../src/git/refs/refs.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

/** What git itself finds from inside the checkout, as real paths. */
async function gitsAnswer(sandbox: GitSandbox, path: string) {
  const said = await sandbox.git(path, [
    "rev-parse",
    "--path-format=absolute",
    "--absolute-git-dir",
    "--git-common-dir",
  ]);
  const half = said.indexOf("\n");
  return {
    gitDir: await realpath(said.slice(0, half)),
    commonDir: await realpath(said.slice(half + 1)),
  };
}

/** What git itself says of HEAD: its commit, and the branch that a commit would move. */
async function gitsHead(sandbox: GitSandbox, path: string) {
  const or = (args: string[], none: null) => sandbox.git(path, args).catch(() => none);
  const branch = await sandbox.git(path, ["branch", "--show-current"]);
  return {
    sha: await or(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], null),
    branch: branch === "" ? null : branch,
  };
}

/** The same by the product, from the git directory that it located by itself. */
async function ourHead(sandbox: GitSandbox, path: string) {
  const { gitDir } = (await locateGitDir(path)) ?? { gitDir: "" };
  return (await readHead(productGit(sandbox), { gitDir, workTree: path }))._unsafeUnwrap();
}

async function agrees(sandbox: GitSandbox, path: string) {
  expect(await locateGitDir(path)).toEqual(await gitsAnswer(sandbox, path));
  expect(await ourHead(sandbox, path)).toEqual(await gitsHead(sandbox, path));
}

describe("the git directories that files tell are git's own answer", () => {
  test("seed 003 Folders: the `.git` of a worktree is a file, and is read as git reads it; so is any repository's", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const linked = join(sandbox.root, "linked");
    await sandbox.git(repo, ["worktree", "add", "-q", "-b", "topic/one", linked]);
    const bare = await sandbox.origin("bare.git");
    const allow = ["-c", "protocol.file.allow=always"];
    await sandbox.git(repo, [...allow, "submodule", "--quiet", "add", bare, "sub"]);
    for (const path of [repo, linked, bare, join(repo, "sub")]) await agrees(sandbox, path);
    const ofBare = join(sandbox.root, "of-bare");
    await sandbox.git(bare, ["worktree", "add", "-q", "-b", "two", ofBare]);
    await agrees(sandbox, ofBare);
  });

  test("if .git is a symbolic link, or the checkout itself is reached by one", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await rename(join(repo, ".git"), join(sandbox.root, "elsewhere.git"));
    await symlink("../elsewhere.git", join(repo, ".git"));
    await agrees(sandbox, repo);
    const link = join(sandbox.root, "link");
    await symlink(repo, link);
    expect(await locateGitDir(link)).toEqual(await gitsAnswer(sandbox, repo));
  });

  test("if .git is a file: absolute, relative, without or with strange line ends", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await sandbox.git(repo, ["init", "-q", `--separate-git-dir=${join(sandbox.root, "sep arate.git")}`]);
    await agrees(sandbox, repo);
    for (const end of ["", "\n", "\r\n", "\n\n"]) {
      await writeFile(join(repo, ".git"), `gitdir: ../sep arate.git${end}`);
      await agrees(sandbox, repo);
    }
  });

  test("if .git names a path through a link: git follows the link before it goes up", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const other = await sandbox.repository("deep/other");
    await mkdir(join(sandbox.root, "deep", "inner"));
    await symlink(join(sandbox.root, "deep", "inner"), join(repo, "link"));
    await rename(join(repo, ".git"), join(repo, "other-git"));
    await writeFile(join(repo, ".git"), "gitdir: link/../other/.git\n");
    await agrees(sandbox, repo);
    expect(await locateGitDir(repo)).toMatchObject({ gitDir: join(other, ".git") });
  });

  test("if a worktree and its repository name each other by relative paths", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const linked = join(sandbox.root, "deep", "linked");
    await mkdir(join(sandbox.root, "deep"));
    await sandbox.git(repo, ["worktree", "add", "-q", "-b", "topic", linked]);
    // As worktree.useRelativePaths writes them, which git has known only since 2.48.
    await writeFile(join(linked, ".git"), "gitdir: ../../repo/.git/worktrees/linked\n");
    await writeFile(join(repo, ".git/worktrees/linked/gitdir"), "../../../../deep/linked/.git\n");
    await agrees(sandbox, linked);
    await rename(sandbox.root, `${sandbox.root}-moved`);
    try {
      const moved = await realpath(`${sandbox.root}-moved`);
      expect(await locateGitDir(join(moved, "deep/linked"))).toEqual({
        gitDir: join(moved, "repo/.git/worktrees/linked"),
        commonDir: join(moved, "repo/.git"),
      });
    } finally {
      await rename(`${sandbox.root}-moved`, sandbox.root);
    }
  });

  test("are none if there is no repository, or a pointer leads nowhere", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const linked = join(sandbox.root, "linked");
    await sandbox.git(repo, ["worktree", "add", "-q", linked]);
    const bad = join(sandbox.root, "bad");
    await mkdir(bad);
    expect(await locateGitDir(bad)).toBeNull();
    expect(await locateGitDir(join(repo, "src"))).toBeNull();
    expect(await locateGitDir(join(sandbox.root, "absent"))).toBeNull();
    for (const text of ["", "gitdir:\n", "gitdir: ../nowhere\n", "something else\n"]) {
      await writeFile(join(bad, ".git"), text);
      expect(await locateGitDir(bad)).toBeNull();
    }
    await writeFile(join(repo, ".git/worktrees/linked/commondir"), "../../../nowhere\n");
    expect(await locateGitDir(linked)).toBeNull();
    await rm(join(bad, ".git"));
    await symlink("../nowhere", join(bad, ".git"));
    expect(await locateGitDir(bad)).toBeNull();
  });

  test("with folders of any name, as git reads them", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    let made = 0;
    await fc.assert(
      fc.asyncProperty(FOLDER_NAME, async (name) => {
        made += 1;
        const outer = join(sandbox.root, `n${made}`);
        await mkdir(outer);
        const linked = join(outer, name);
        await sandbox.git(repo, ["worktree", "add", "-q", "-b", `b${made}`, linked]);
        await agrees(sandbox, linked);
        const separate = join(outer, "checkout");
        await sandbox.git(outer, [
          "init",
          "-q",
          `--separate-git-dir=${join(outer, `${name}.git`)}`,
          separate,
        ]);
        await agrees(sandbox, separate);
      }),
      {
        numRuns: 15,
        examples: [[" lead"], ["trail "], ["line\u2028end"], ["tab\there"], ["手綱"], ["gitdir: x"]],
      },
    );
  });
});

describe("HEAD as files tell it is HEAD as git tells it", () => {
  test("on a branch, packed or not, with a loose value over a packed one", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const linked = join(sandbox.root, "linked");
    await sandbox.git(repo, ["worktree", "add", "-q", "-b", "topic/deep/er", linked]);
    for (const path of [repo, linked]) await agrees(sandbox, path);
    await sandbox.git(repo, ["pack-refs", "--all", "--prune"]);
    for (const path of [repo, linked]) await agrees(sandbox, path);
    await sandbox.commit(linked, { "more.txt": "more" });
    for (const path of [repo, linked]) await agrees(sandbox, path);
  });

  test("detached at a commit or a tag, or on a branch without any commit", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await sandbox.git(repo, ["tag", "-a", "-m", "one", "main-tag"]);
    for (const revision of ["HEAD", "main-tag"]) {
      await sandbox.git(repo, ["checkout", "-q", "--detach", revision]);
      await agrees(sandbox, repo);
    }
    await sandbox.git(repo, ["symbolic-ref", "HEAD", "refs/heads/not/born"]);
    await agrees(sandbox, repo);
    await agrees(sandbox, await sandbox.repository("empty", { empty: true }));
    await agrees(sandbox, await sandbox.origin("empty.git", { empty: true }));
  });

  test("on a branch that is another name of a branch, which a commit would move", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await sandbox.git(repo, ["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
    await sandbox.git(repo, ["symbolic-ref", "HEAD", "refs/heads/alias"]);
    await agrees(sandbox, repo);
    await rm(join(repo, ".git/refs/heads/alias"));
    await symlink("refs/heads/main", join(repo, ".git/refs/heads/alias"));
    await agrees(sandbox, repo);
    await rm(join(repo, ".git/HEAD"));
    await symlink("refs/heads/main", join(repo, ".git/HEAD"));
    await agrees(sandbox, repo);
  });

  test("in a repository of longer object ids", async () => {
    await using sandbox = await gitSandbox();
    await agrees(sandbox, await sandbox.repository("repo", { objectFormat: "sha256" }));
  });

  test("on a reference that is no branch, and on names that lead out of the folder of branches", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const gitDir = join(repo, ".git");
    await sandbox.git(repo, ["update-ref", "refs/tazuna/x", "HEAD"]);
    await sandbox.git(repo, ["symbolic-ref", "HEAD", "refs/tazuna/x"]);
    expect(await readHeadFile(gitDir)).toBeNull();
    expect((await ourHead(sandbox, repo)).sha).toBe(await sandbox.git(repo, ["rev-parse", "HEAD"]));
    for (const name of ["../../HEAD", "../main", "a/../main", ".."]) {
      await writeFile(join(gitDir, "HEAD"), `ref: refs/heads/${name}\n`);
      expect(await readHeadFiles(gitDir)).toBeNull();
    }
  });

  test("on a branch of any name that git takes", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await fc.assert(
      fc.asyncProperty(BRANCH_NAME, async (branch) => {
        const taken = await sandbox.git(repo, ["checkout", "-q", "-B", branch]).then(
          () => true,
          () => false,
        );
        fc.pre(taken);
        await agrees(sandbox, repo);
        expect(await readHeadFile(join(repo, ".git"))).toBe(branch);
        await sandbox.git(repo, ["checkout", "-q", "--detach"]);
        await sandbox.git(repo, ["branch", "-q", "-D", "--", branch]);
      }),
      { numRuns: 25, examples: [["ü/手綱"], ["line\u2028end"], ["a'b\"c"], ["x@y"], ["a{b}"], [".invalid"]] },
    );
  });
});

describe("a repository that keeps its references in tables", () => {
  const ask = Bun.spawnSync(["git", "init", "--ref-format=reftable", "/dev/null/nowhere"], {
    stderr: "pipe",
  });
  const unknown = ask.stderr.toString().includes("unknown option");
  const skipped = unknown ? " [skipped: this git has no --ref-format=reftable]" : "";

  test.skipIf(unknown)(`is asked through git${skipped}`, async () => {
    await using sandbox = await gitSandbox();
    const repo = join(sandbox.root, "repo");
    await sandbox.git(sandbox.root, ["init", "-q", "--ref-format=reftable", repo]);
    await agrees(sandbox, repo);
    await sandbox.commit(repo, { "one.txt": "1" });
    await agrees(sandbox, repo);
    const linked = join(sandbox.root, "linked");
    await sandbox.git(repo, ["worktree", "add", "-q", "-b", "topic", linked]);
    for (const path of [repo, linked]) {
      expect(await readHeadFiles((await gitsAnswer(sandbox, path)).gitDir)).toBeNull();
      await agrees(sandbox, path);
    }
  });

  test("is never read from the files that stand in for them", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const gitDir = join(repo, ".git");
    await rm(join(gitDir, "refs/heads"), { recursive: true });
    await writeFile(join(gitDir, "refs/heads"), "this repository uses the reftable format\n");
    await writeFile(join(gitDir, "HEAD"), "ref: refs/heads/.invalid\n");
    expect(await readHeadFile(gitDir)).toBeNull();
    expect(await readHeadFiles(gitDir)).toBeNull();
    const asked = await readHead(productGit(sandbox), { gitDir, workTree: repo });
    expect(asked._unsafeUnwrapErr().kind).toBe("git_failed");
  });
});

const odd = fc.constantFrom(..."ab é手\u2028\u0085\"'`$\\*?:.-@{}~^#%&()!;=,+\t \r");
/** `worktree add` of git 2.39 makes no worktree with the name `@`, which means HEAD. */
const FOLDER_NAME = fc
  .string({ unit: odd, minLength: 1, maxLength: 12 })
  .filter((name) => !/^(\.{1,2}|@)$/.test(name));
const BRANCH_NAME = fc.string({
  unit: fc.constantFrom(..."ab/é手\u2028\u0085\"'`$\\.-@{}#%&()!;=,+"),
  minLength: 1,
  maxLength: 12,
});
