/** Tells whose a setting of git is: there before an agent worked, made while none does, or planted. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stageAll } from "../../src/git/index/stage.ts";
import { createGit, type Git, type GitTarget } from "../../src/git/runner/run-git.ts";
import { settingsPlace } from "../../src/git/settings/list-settings.ts";
import { takeSnapshot } from "../../src/git/snapshot/snapshot.ts";
import { mendPointers } from "../../src/git/worktree/worktree-pointers.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { madeWorktree } from "./scene.ts";

/** A watched repository with a worktree; `work.agents` says whether an agent is at work. */
async function scene(sandbox: GitSandbox) {
  const repo = await sandbox.repository("repo");
  const work = { agents: false };
  const watching = () => watched(sandbox, work);
  const git = watching();
  const { target, gitDir, path } = await madeWorktree(sandbox, git, repo);
  const set = (key: string, value: string) => sandbox.git(repo, ["config", "--local", key, value]);
  return { repo, work, git, target, gitDir, path, set, watching, place: settingsPlace(target) };
}

function watched(sandbox: GitSandbox, work: { readonly agents: boolean }): Git {
  return createGit({
    binary: "git",
    env: sandbox.env,
    timeoutMs: 60_000,
    scratch: join(sandbox.root, "scratch"),
    watch: { folder: join(sandbox.root, "known"), isQuiet: async () => !work.agents },
  });
}

async function keysPlanted(git: Git, target: GitTarget): Promise<readonly string[]> {
  const planted = await git.settings?.planted(settingsPlace(target));
  return planted?._unsafeUnwrap().map(({ key }) => key) ?? [];
}

/** A program that leaves a mark and hands on what it gets. */
async function payload(sandbox: GitSandbox) {
  const [program, mark] = [join(sandbox.root, "payload"), join(sandbox.root, "ran")];
  await writeFile(program, `#!/bin/sh\ntouch '${mark}'\ncat\n`);
  await chmod(program, 0o755);
  return { program, ran: () => existsSync(mark) };
}

describe("a setting", () => {
  test("that was there before is the user's, and so is what changes while no agent works", async () => {
    await using sandbox = await gitSandbox();
    const { git, set, target, work, watching } = await scene(sandbox);
    const { program, ran } = await payload(sandbox);
    await set("filter.mine.clean", program);
    await writeFile(join(target.workTree, ".gitattributes"), "*.x filter=mine\n");
    await writeFile(join(target.workTree, "a.x"), "a\n");
    expect(await keysPlanted(git, target)).toEqual([]);
    work.agents = true;
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    expect(ran()).toBe(true);
    // Another engine knows it too.
    expect(await keysPlanted(watching(), target)).toEqual([]);
  });

  test("of the user's own files counts whenever it was made", async () => {
    await using sandbox = await gitSandbox();
    const { git, target, work } = await scene(sandbox);
    work.agents = true;
    await sandbox.git(sandbox.root, ["config", "--global", "filter.mine.clean", "cat"]);
    expect(await keysPlanted(git, target)).toEqual([]);
  });

  test("that an agent made stays planted after its turn, in another engine too, until it is gone", async () => {
    await using sandbox = await gitSandbox();
    const { git, repo, set, target, work, watching, place } = await scene(sandbox);
    work.agents = true;
    await set("filter.evil.clean", "cat");
    expect((await git.settings?.withhold(place))?._unsafeUnwrap()).toHaveLength(1);
    work.agents = false;
    expect(await keysPlanted(git, target)).toEqual(["filter.evil.clean"]);
    expect(await keysPlanted(watching(), target)).toEqual(["filter.evil.clean"]);
    await sandbox.git(repo, ["config", "--unset", "filter.evil.clean"]);
    expect(await keysPlanted(git, target)).toEqual([]);
    await set("filter.evil.clean", "cat");
    expect(await keysPlanted(git, target)).toEqual(["filter.evil.clean"]);
  });

  test("that came with a flaw by which git reads no settings at all is planted once the flaw is gone", async () => {
    await using sandbox = await gitSandbox();
    const { git, repo, target, work, place } = await scene(sandbox);
    const config = join(repo, ".git", "config");
    const before = await readFile(config, "utf8");
    work.agents = true;
    await writeFile(config, `${before}[filter "evil"]\n\tclean = cat\n[flaw\n`);
    expect((await git.settings?.withhold(place))?.isErr()).toBe(true);
    work.agents = false;
    await writeFile(config, `${before}[filter "evil"]\n\tclean = cat\n`);
    expect(await keysPlanted(git, target)).toEqual(["filter.evil.clean"]);
    await writeFile(config, before);
    expect(await keysPlanted(git, target)).toEqual([]);
    await writeFile(config, `${before}[filter "mine"]\n\tclean = cat\n`);
    expect(await keysPlanted(git, target)).toEqual([]);
  });

  test("that a person accepts is the user's, in this value and no other", async () => {
    await using sandbox = await gitSandbox();
    const { git, set, target, work, place } = await scene(sandbox);
    work.agents = true;
    await set("filter.new.clean", "cat");
    const found = (await git.settings?.withhold(place))?._unsafeUnwrap() ?? [];
    (
      await git.settings?.accept(
        place,
        found.map(({ hash }) => hash),
      )
    )?._unsafeUnwrap();
    expect(await keysPlanted(git, target)).toEqual([]);
    await set("filter.new.clean", "rev");
    // The one is gone, the other there.
    expect(await keysPlanted(git, target)).toEqual(["filter.new.clean", "filter.new.clean"]);
  });

  test("whose name holds a password is kept and told without it", async () => {
    await using sandbox = await gitSandbox();
    const { git, set, target, work } = await scene(sandbox);
    const named = (user: string) => `url.https://${user}example.com/.insteadOf`;
    await set(named("me:before-secret@"), "before:");
    expect(await keysPlanted(git, target)).toEqual([]);
    work.agents = true;
    await set(named("me:planted-secret@"), "planted:");
    expect(await keysPlanted(git, target)).toEqual([named("").toLowerCase()]);
    const folder = join(sandbox.root, "known");
    const stored = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")),
    );
    expect(stored.join("")).toContain("url.https://example.com/");
    expect(stored.join("")).not.toContain("secret");
  });

  test("of a filter that vanishes is missed: what it keeps back would be stored", async () => {
    await using sandbox = await gitSandbox();
    const { git, repo, set, target, work } = await scene(sandbox);
    await set("filter.crypt.clean", "cat");
    expect(await keysPlanted(git, target)).toEqual([]);
    work.agents = true;
    await sandbox.git(repo, ["config", "--unset", "filter.crypt.clean"]);
    expect(await keysPlanted(git, target)).toEqual(["filter.crypt.clean"]);
  });

  test("of Git LFS as it is installed counts as no change; another value does", async () => {
    await using sandbox = await gitSandbox();
    const { git, set, target, work } = await scene(sandbox);
    work.agents = true;
    await set("filter.lfs.clean", "git-lfs clean -- %f");
    await set("filter.lfs.smudge", "git-lfs smudge -- %f");
    await set("filter.lfs.process", "git-lfs filter-process");
    await set("filter.lfs.required", "true");
    expect(await keysPlanted(git, target)).toEqual([]);
    await set("filter.lfs.process", "git-lfs filter-process; touch /tmp/x");
    expect(await keysPlanted(git, target)).toEqual(["filter.lfs.process"]);
  });
});

describe("if settings are planted", () => {
  test("nothing is staged or merged, and a snapshot keeps the files as they lie there", async () => {
    await using sandbox = await gitSandbox();
    const { git, set, target, work } = await scene(sandbox);
    const { program, ran } = await payload(sandbox);
    work.agents = true;
    for (const key of ["clean", "smudge", "process"]) await set(`filter.evil.${key}`, program);
    await set("filter.evil.required", "true");
    await writeFile(join(target.workTree, ".gitattributes"), "* filter=evil\n");
    await writeFile(join(target.workTree, "work.txt"), "work\n");
    const staged = await stageAll(git, target, { gitlinks: [] });
    expect(staged._unsafeUnwrapErr()).toMatchObject({ kind: "planted" });
    const kept = await takeSnapshot(git, target, { attempt: "a", reason: "test" });
    const { sha, notContained } = kept._unsafeUnwrap();
    expect(notContained).toEqual([]);
    expect(await sandbox.git(target.workTree, ["cat-file", "blob", `${sha}:work.txt`])).toBe("work");
    (await git.run(target, ["status", "--porcelain"]))._unsafeUnwrap();
    (await git.run(target, ["diff", "HEAD", "--no-ext-diff", "--no-textconv"]))._unsafeUnwrap();
    expect(ran()).toBe(false);
  });

  test("that the next call does not heed, nothing is refused", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const { git, repo, set, target, work } = await scene(sandbox);
    await sandbox.git(repo, ["remote", "add", "origin", origin]);
    await sandbox.git(repo, ["remote", "add", "other", origin]);
    expect(await keysPlanted(git, target)).toEqual([]);
    work.agents = true;
    await writeFile(join(target.workTree, "work.txt"), "work\n");
    const fetched = (remote: string) => git.run(target, ["fetch", remote], { access: "remote" });
    const staged = () => stageAll(git, target, { gitlinks: [] });
    await set("user.name", "Somebody else");
    await set("filter.evil.clean", "evil");
    await set("remote.other.url", join(sandbox.root, "elsewhere.git"));
    (await fetched("origin"))._unsafeUnwrap();
    expect((await fetched("other"))._unsafeUnwrapErr()).toMatchObject({
      kind: "planted",
      at: ["remote.other.url"],
    });
    expect((await staged())._unsafeUnwrapErr()).toMatchObject({ kind: "planted", at: ["filter.evil.clean"] });
    await sandbox.git(repo, ["config", "--unset", "filter.evil.clean"]);
    (await staged())._unsafeUnwrap();
    const committed = await git.run(target, ["commit", "--quiet", "--message=x"]);
    expect(committed._unsafeUnwrapErr()).toMatchObject({ kind: "planted", at: ["user.name"] });
    await set("url./elsewhere/.insteadOf", origin);
    expect((await fetched("origin"))._unsafeUnwrapErr()).toMatchObject({ kind: "planted" });
  });

  test("a program for ssh or for signing is passed over, the user's own running instead", async () => {
    await using sandbox = await gitSandbox();
    const { git, set, target, work } = await scene(sandbox);
    await sandbox.git(sandbox.root, ["config", "--global", "gpg.program", "my-gpg"]);
    work.agents = true;
    await set("core.sshCommand", "evil");
    await set("gpg.program", "evil");
    expect(await keysPlanted(git, target)).toEqual(["core.sshcommand", "gpg.program"]);
    const asked = async (key: string, access: "local" | "remote") =>
      (await git.run(target, ["config", key], { access }))._unsafeUnwrap().stdout.trim();
    expect(await asked("core.sshCommand", "remote")).toBe("ssh");
    expect(await asked("core.sshCommand", "local")).toBe("false");
    expect(await asked("gpg.program", "local")).toBe("my-gpg");
  });

  test("another value in place of the user's own for this repository is refused", async () => {
    await using sandbox = await gitSandbox();
    const { git, set, target, work } = await scene(sandbox);
    await set("core.sshCommand", "mine");
    expect(await keysPlanted(git, target)).toEqual([]);
    work.agents = true;
    await set("core.sshCommand", "evil");
    const refused = await git.run(target, ["ls-remote", "origin"], { access: "remote" });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "planted", at: ["core.sshcommand"] });
  });

  test("of a submodule that is filled, its filter runs neither at the staging nor for a snapshot", async () => {
    await using sandbox = await gitSandbox({ globalConfig: '[protocol "file"]\n\tallow = always\n' });
    const library = await sandbox.origin("library.git");
    const { git, gitDir, target, work } = await scene(sandbox);
    const { program, ran } = await payload(sandbox);
    await sandbox.git(target.workTree, ["submodule", "--quiet", "add", library, "sub"]);
    expect(await keysPlanted(git, target)).toEqual([]);
    work.agents = true;
    const config = join(gitDir, "modules", "sub", "config");
    await sandbox.git(target.workTree, ["config", "--file", config, "filter.evil.clean", program]);
    await writeFile(join(target.workTree, "sub", ".gitattributes"), "* filter=evil\n");
    await writeFile(join(target.workTree, "sub", "README.md"), "# Changed\n");
    expect(await keysPlanted(git, target)).toEqual(["modules/sub/config"]);
    const staged = await stageAll(git, target, { gitlinks: ["sub"] });
    expect(staged._unsafeUnwrapErr()).toMatchObject({ kind: "planted", at: ["modules/sub/config"] });
    (await takeSnapshot(git, target, { attempt: "a", reason: "test" }))._unsafeUnwrap();
    expect(ran()).toBe(false);
  });

  test("hooks keep nothing from being done, since none of them runs", async () => {
    await using sandbox = await gitSandbox();
    const { git, repo, target, work } = await scene(sandbox);
    work.agents = true;
    await mkdir(join(repo, ".git", "hooks"), { recursive: true });
    await writeFile(join(repo, ".git", "hooks", "pre-commit"), "#!/bin/sh\n");
    expect(await keysPlanted(git, target)).toEqual(["hooks/pre-commit"]);
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
  });
});

describe("a worktree", () => {
  test("whose files lead to another repository is worked on as it was made, and they are put back", async () => {
    await using sandbox = await gitSandbox();
    const { git, gitDir, path, target } = await scene(sandbox);
    const other = await sandbox.repository("other");
    const { program, ran } = await payload(sandbox);
    await sandbox.git(other, ["config", "filter.evil.clean", program]);
    await writeFile(join(path, ".gitattributes"), "* filter=evil\n");
    for (const [file, text] of [
      [join(path, ".git"), `gitdir: ${other}/.git\n`],
      [join(gitDir, "commondir"), `${other}/.git\n`],
      [join(gitDir, "gitdir"), `${other}/.git\n`],
    ] as const)
      await writeFile(file, text);
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    expect(ran()).toBe(false);
    const mended = (await mendPointers(target))._unsafeUnwrap();
    expect([...mended].sort()).toEqual(
      [join(gitDir, "commondir"), join(gitDir, "gitdir"), join(path, ".git")].sort(),
    );
    expect(await sandbox.git(path, ["rev-parse", "--absolute-git-dir"])).toBe(gitDir);
    expect((await mendPointers(target))._unsafeUnwrap()).toEqual([]);
  });

  test("works with a folder in place of its `.git` file; refuses a link in place of git's files", async () => {
    await using sandbox = await gitSandbox();
    const { git, gitDir, path, target } = await scene(sandbox);
    await rm(join(path, ".git"));
    await mkdir(join(path, ".git"));
    expect((await mendPointers(target))._unsafeUnwrap()).toEqual([]);
    (await git.run(target, ["rev-parse", "HEAD"]))._unsafeUnwrap();
    await rm(join(gitDir, "logs"), { recursive: true });
    await symlink(sandbox.home, join(gitDir, "logs"));
    const refused = await git.run(target, ["rev-parse", "HEAD"]);
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "redirected", at: [join(gitDir, "logs")] });
  });
});
