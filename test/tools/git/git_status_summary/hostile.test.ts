import { describe, expect, test } from "bun:test";
import { chmod, mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { countingGit, type GitWorld, gitWorld, rawGit, setTrap, type Trap } from "../git-world.ts";

/** A repository whose tracked files look changed, so that git must read them to know. */
async function touched(world: GitWorld, repo = world.repo): Promise<void> {
  await utimes(join(repo, "README.md"), new Date(), new Date(Date.now() - 10_000_000));
}

async function trapped(): Promise<{ world: GitWorld; trap: Trap }> {
  const world = await gitWorld();
  return { world, trap: await setTrap(join(world.sandbox.root, "traps")) };
}

describe("a hostile repository: nothing that it names is run by git_status_summary", () => {
  const settings: readonly (readonly [what: string, key: string])[] = [
    ["core.fsmonitor", "core.fsmonitor"],
    ["a clean filter", "filter.evil.clean"],
    ["a filter process", "filter.evil.process"],
    ["a clean filter that is spelled in capitals", "Filter.evil.CLEAN"],
    ["a clean filter with an odd name", 'filter.e"v\\i l.#;=.clean'],
    ["a filter of LFS with another program", "filter.lfs.clean"],
    ["a pager", "pager.status"],
    ["a program for references of other stores", "core.alternateRefsCommand"],
  ];
  for (const [what, key] of settings)
    test(`${what}`, async () => {
      const { world, trap } = await trapped();
      await using _ = world;
      await world.git(["config", key, trap.program]);
      const name = key.split(".").slice(1, -1).join(".") || "evil";
      await writeFile(
        join(world.repo, ".git/info/attributes"),
        `* "filter=${name}"\n* filter=evil\n* filter=lfs\n`,
      );
      await touched(world);
      const summary = await world.toolkit.gitStatusSummary();
      expect(summary).toMatchObject({ status: "success", data: { branch: "main" } });
      expect(await trap.sprung()).toBe(false);
    });

  test("the trap is a real one: plain git springs it, and meta names the filter that was off", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    await world.git(["config", "filter.evil.clean", trap.program]);
    await writeFile(join(world.repo, ".git/info/attributes"), "* filter=evil\n");
    await touched(world);
    expect(await world.toolkit.gitStatusSummary()).toEqual({
      status: "success",
      data: { repository_root: world.repo, branch: "main", raw: "## main\n" },
      meta: { filters_off: ["evil"] },
    });
    expect(await trap.sprung()).toBe(false);
    await rawGit(world, ["status"]);
    expect(await trap.sprung()).toBe(true);
  });

  test("a filter that arrives by an include, by a condition, or in the worktree's own file", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    await writeFile(
      join(world.repo, "more.cfg"),
      `[filter "one"]\n\tclean = ${trap.program}\n[include]\n\tpath = again.cfg\n`,
    );
    await writeFile(join(world.repo, "again.cfg"), `[filter "two"] clean = ${trap.program}\n`);
    await writeFile(join(world.sandbox.home, "home.cfg"), `[filter "three"]\r\nclean = ${trap.program}\r\n`);
    await world.git(["config", "include.path", "../more.cfg"]);
    await world.git(["config", "includeIf.onbranch:**.path", "~/home.cfg"]);
    await world.git(["config", "extensions.worktreeConfig", "true"]);
    await world.git(["config", "--worktree", "filter.four.process", trap.program]);
    for (const name of ["one", "two", "three", "four"]) {
      await writeFile(join(world.repo, ".git/info/attributes"), `* filter=${name}\n`);
      await touched(world);
      const summary = await world.toolkit.gitStatusSummary();
      expect(summary).toMatchObject({
        status: "success",
        meta: { filters_off: ["one", "two", "three", "four"] },
      });
    }
    expect(await trap.sprung()).toBe(false);
  });

  test("a filter that is planted between two calls", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    await writeFile(join(world.repo, ".git/info/attributes"), "* filter=late\n");
    for (let round = 0; round < 10; round++) {
      await world.toolkit.gitStatusSummary();
      await world.git(["config", "filter.late.clean", trap.program]);
      await touched(world);
      expect((await world.toolkit.gitStatusSummary()).status).toBe("success");
      await world.git(["config", "--unset", "filter.late.clean"]);
    }
    expect(await trap.sprung()).toBe(false);
  });

  test("hooks, planted or by core.hooksPath", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    for (const hook of ["post-index-change", "reference-transaction", "pre-auto-gc"]) {
      await writeFile(join(world.repo, ".git/hooks", hook), `#!/bin/sh\nexec '${trap.program}' </dev/null\n`);
      await chmod(join(world.repo, ".git/hooks", hook), 0o755);
    }
    await world.git(["config", "core.hooksPath", join(world.repo, ".git/hooks")]);
    await touched(world);
    expect((await world.toolkit.gitStatusSummary()).status).toBe("success");
    expect(await trap.sprung()).toBe(false);
  });

  test("a submodule, and a nested repository that was added without one, with filters of their own", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    const other = await world.sandbox.repository("other");
    await world.git(["-c", "protocol.file.allow=always", "submodule", "-q", "add", other, "sub"]);
    const nested = await world.sandbox.repository("work/nested");
    await world.git(["-c", "advice.addEmbeddedRepo=false", "add", "nested"]);
    for (const version of ["2", "3", "4"]) {
      await world.git(["update-index", `--index-version=${version}`]);
      for (const [at, gitDir] of [
        [join(world.repo, "sub"), join(world.repo, ".git/modules/sub")],
        [nested, join(nested, ".git")],
      ] as const) {
        await world.git(["config", "filter.inner.clean", trap.program], at);
        await world.git(["config", "core.fsmonitor", trap.program], at);
        await writeFile(join(gitDir, "info/attributes"), "* filter=inner\n");
        await touched(world, at);
      }
      const summary = await world.toolkit.gitStatusSummary();
      expect(summary).toMatchObject({ status: "success", meta: { filters_off: ["inner"] } });
      expect(await trap.sprung()).toBe(false);
    }
    await world.git(["update-index", "--split-index"]);
    await touched(world, nested);
    expect((await world.toolkit.gitStatusSummary()).status).toBe("success");
    expect(await trap.sprung()).toBe(false);
    await touched(world, nested);
    await rawGit(world, ["-c", "core.fsmonitor=false", "status"]);
    expect(await trap.sprung()).toBe(true);
  });

  test("a git that lies in the workspace, where PATH would find it", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    await mkdir(join(world.repo, "bin"));
    for (const place of ["git", "bin/git"]) {
      await writeFile(join(world.repo, place), `#!/bin/sh\nexec '${trap.program}' </dev/null\n`);
      await chmod(join(world.repo, place), 0o755);
    }
    const PATH = `.:bin::${join(world.repo, "bin")}:${world.sandbox.env.PATH}`;
    expect((await world.toolkitWith({ env: { PATH } }).gitStatusSummary()).status).toBe("success");
    expect(await trap.sprung()).toBe(false);
  });

  test("a partial clone whose remote is a program", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    await world.git(["config", "remote.origin.url", `ext::${trap.program}`]);
    await world.git(["config", "remote.origin.promisor", "true"]);
    await world.git(["config", "remote.origin.uploadpack", trap.program]);
    await world.git(["config", "core.repositoryFormatVersion", "1"]);
    await world.git(["config", "extensions.partialClone", "origin"]);
    const blob = await world.git(["rev-parse", "HEAD:README.md"]);
    await rm(join(world.repo, ".git/objects", blob.slice(0, 2)), { recursive: true });
    await writeFiles(world.repo, { "README.md": "changed\n" });
    await world.toolkit.gitStatusSummary();
    expect(await trap.sprung()).toBe(false);
  });

  test("a FIFO in the place of a file that git reads does not hang the call", async () => {
    await using world = await gitWorld();
    for (const name of ["config", "HEAD", "info/exclude", "packed-refs", "refs/heads/main", "MERGE_HEAD"]) {
      const at = join(world.repo, ".git", name);
      await mkdir(join(at, ".."), { recursive: true });
      await rename(at, `${at}.kept`).catch(() => "");
      expect(Bun.spawnSync(["mkfifo", at]).success).toBe(true);
      const begun = performance.now();
      for (const answer of [await world.toolkit.gitStatusSummary(), await world.toolkit.gitCommand("status")])
        expect([name, answer]).toMatchObject([
          name,
          { status: "denied", error: { code: "UNSAFE_REPOSITORY", message: expect.stringContaining(name) } },
        ]);
      expect(performance.now() - begun).toBeLessThan(10_000);
      await rm(at);
      await rename(`${at}.kept`, at).catch(() => "");
    }
    expect(await world.toolkit.gitStatusSummary()).toMatchObject({ status: "success" });
  });
});

describe("a repository that is not the workspace's own", () => {
  const secret = async (world: GitWorld): Promise<string> => {
    const other = await world.sandbox.repository("secret-project");
    await world.sandbox.commit(other, { "secret-name.txt": "secret" });
    return other;
  };
  const refused = async (world: GitWorld, at: string): Promise<void> => {
    const summary = await world.toolkit.gitStatusSummary();
    expect(summary).toMatchObject({
      status: "denied",
      reason: "sandbox",
      error: { code: "UNSAFE_REPOSITORY", details: { at } },
    });
    expect(JSON.stringify(summary)).not.toContain("secret-name");
  };

  test("core.worktree that leads out is refused by name", async () => {
    await using world = await gitWorld();
    await world.git(["config", "core.worktree", await secret(world)]);
    await refused(world, "core.worktree");
    await world.git(["config", "core.worktree", "/"]);
    await refused(world, "core.worktree");
  });

  test("a .git file, or a link, that leads to another repository is refused by name", async () => {
    await using world = await gitWorld();
    const other = await secret(world);
    await rm(join(world.repo, ".git"), { recursive: true });
    await writeFile(join(world.repo, ".git"), `gitdir: ${other}/.git\n`);
    await refused(world, join(world.repo, ".git"));
    await rm(join(world.repo, ".git"));
    await symlink(join(other, ".git"), join(world.repo, ".git"));
    await refused(world, join(world.repo, ".git"));
  });

  test("a made-up worktree folder, whose back pointer is right and whose repository is another's, is refused", async () => {
    await using world = await gitWorld();
    const other = await secret(world);
    await rm(join(world.repo, ".git"), { recursive: true });
    const fake = join(world.repo, "fake/worktrees/x");
    await mkdir(fake, { recursive: true });
    await writeFile(join(fake, "commondir"), `${other}/.git\n`);
    await writeFile(join(fake, "gitdir"), `${world.repo}/.git\n`);
    await writeFile(join(fake, "HEAD"), "ref: refs/heads/main\n");
    await writeFile(join(world.repo, ".git"), `gitdir: ${fake}\n`);
    await refused(world, join(world.repo, ".git"));
  });

  test("a .git folder that borrows another's references by commondir is refused", async () => {
    await using world = await gitWorld();
    await writeFile(join(world.repo, ".git/commondir"), `${await secret(world)}/.git\n`);
    await refused(world, join(world.repo, ".git"));
  });

  test("a worktree of another repository, whose back pointer names another folder, is refused", async () => {
    await using world = await gitWorld();
    const other = await secret(world);
    await world.git(["worktree", "add", "-q", join(world.sandbox.root, "theirs")], other);
    await rm(join(world.repo, ".git"), { recursive: true });
    await writeFile(join(world.repo, ".git"), `gitdir: ${other}/.git/worktrees/theirs\n`);
    await refused(world, join(world.repo, ".git"));
  });

  test("an own repository elsewhere in the workspace is accepted, and so is one that names this folder", async () => {
    await using world = await gitWorld();
    const inner = await world.sandbox.repository("work/inner");
    await world.git(["init", "-q", "--separate-git-dir", join(world.repo, "inner.git")], inner);
    expect(await world.toolkit.gitStatusSummary("inner")).toMatchObject({ data: { repository_root: inner } });
    const away = join(world.sandbox.root, "away.git");
    await world.git(["init", "-q", "--separate-git-dir", away], inner);
    expect(await world.toolkit.gitStatusSummary("inner")).toMatchObject({
      error: { code: "UNSAFE_REPOSITORY" },
    });
    await world.git(["config", "core.worktree", inner], inner);
    expect(await world.toolkit.gitStatusSummary("inner")).toMatchObject({ data: { repository_root: inner } });
  });
});

describe("the environment of the caller", () => {
  test("GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE and configuration in variables change nothing", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    const other = await world.sandbox.repository("other");
    await writeFiles(world.repo, { "new.txt": "" });
    const plain = await world.toolkit.gitStatusSummary();
    const env = {
      GIT_DIR: join(other, ".git"),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: join(world.sandbox.root, "no-index"),
      GIT_OBJECT_DIRECTORY: join(other, ".git/objects"),
      GIT_COMMON_DIR: join(other, ".git"),
      GIT_NAMESPACE: "x",
      GIT_PREFIX: "src/",
      GIT_CEILING_DIRECTORIES: world.sandbox.root,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: trap.program,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${trap.program}'`,
      GIT_CONFIG: "/dev/null",
      GIT_EXTERNAL_DIFF: trap.program,
      GIT_EXEC_PATH: join(world.sandbox.root, "no-git-here"),
      GIT_TRACE: join(world.sandbox.root, "trace.txt"),
      git_dir: join(other, ".git"),
    };
    expect(await world.toolkitWith({ env }).gitStatusSummary()).toEqual(plain);
    expect(await trap.sprung()).toBe(false);
    expect(await Bun.file(env.GIT_TRACE).exists()).toBe(false);
  });

  test("other variables are inherited, and two processes stay two in a hostile repository", async () => {
    const { world, trap } = await trapped();
    await using _ = world;
    await world.git(["config", "filter.evil.clean", trap.program]);
    const counting = await countingGit(world);
    await world.toolkitWith({ env: counting.env }).gitStatusSummary();
    expect((await counting.calls()).map(([first]) => first)).toEqual(["rev-parse", "-c"]);
  });

  test("the user's own Git LFS filters stay: the standard ones are not turned off", async () => {
    await using world = await gitWorld();
    await world.git(["config", "filter.lfs.clean", "git-lfs clean -- %f"]);
    await world.git(["config", "filter.lfs.smudge", "git-lfs smudge -- %f"]);
    await world.git(["config", "filter.lfs.process", "git-lfs filter-process"]);
    await world.git(["config", "filter.lfs.required", "true"]);
    const summary = await world.toolkit.gitStatusSummary();
    expect(summary).toEqual({
      status: "success",
      data: { repository_root: world.repo, branch: "main", raw: "## main\n" },
    });
    await world.git(["config", "lfs.customtransfer.evil.path", "/bin/true"]);
    expect(await world.toolkit.gitStatusSummary()).toMatchObject({ meta: { filters_off: ["lfs"] } });
  });
});
