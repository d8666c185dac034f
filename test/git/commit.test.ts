import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stageAll } from "../../src/git/index/stage.ts";
import { type CommitRequest, commit } from "../../src/git/refs/commit.ts";
import { readCommit } from "../../src/git/refs/read-commit.ts";
import { findHooks } from "../../src/git/repository/hooks.ts";
import { type Identity, readIdentity, TAZUNA } from "../../src/git/repository/identity.ts";
import { probeSigning } from "../../src/git/repository/signing.ts";
import { type GitSandbox, gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { SSH_KEYGEN } from "../helpers/need.ts";
import { madeWorktree, productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

async function staged(sandbox: GitSandbox, env: Readonly<Record<string, string>> = {}) {
  const repo = await sandbox.repository("repo");
  const git = productGit(sandbox, { env });
  const worktree = await madeWorktree(sandbox, git, repo);
  await writeFiles(worktree.path, { "new.txt": "new\n" });
  (await stageAll(git, worktree.target, { gitlinks: [] }))._unsafeUnwrap();
  const identity = (await readIdentity(git, worktree.target))._unsafeUnwrap();
  const request: CommitRequest & { readonly identity: Identity } = {
    branch: worktree.branchName,
    message: "Add new.txt",
    identity,
    sign: "inherit",
    hooks: { mode: "off" },
  };
  return { repo, git, worktree, target: worktree.target, request };
}

async function executable(path: string, text: string): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
}

describe("a commit", () => {
  test("seed 003 Phase 3 and GitService: `git commit` holds the staged tree and the whole message, and answers its id", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, worktree, target, request } = await staged(sandbox);
    const message =
      "手綱を追加する\n\n# not a comment\n\nBody.\n\nTazuna-Run: abc\nCo-authored-by: A <a@b.c>";
    const made = (await commit(git, target, { ...request, message }))._unsafeUnwrap();
    expect(made.parents).toEqual([worktree.headSha]);
    expect(await sandbox.git(repo, ["rev-parse", worktree.branchName])).toBe(made.sha);
    expect(await sandbox.git(repo, ["log", "-1", "--format=%an <%ae>|%cn <%ce>|%T", made.sha])).toBe(
      `Una User <una@example.com>|Una User <una@example.com>|${made.tree}`,
    );
    expect((await readCommit(git, target, "HEAD"))._unsafeUnwrap()).toEqual({ ...made, message });
    expect((await readCommit(git, target, "nothing"))._unsafeUnwrap()).toBeNull();
  });

  test("is UTF-8, and read as UTF-8, whatever encoding the user's git writes and prints", async () => {
    const globalConfig = "[i18n]\n\tcommitEncoding = Shift_JIS\n\tlogOutputEncoding = Shift_JIS\n";
    await using sandbox = await gitSandbox({ globalConfig });
    const { repo, git, target, request } = await staged(sandbox);
    const made = (await commit(git, target, { ...request, message: "手綱を追加する" }))._unsafeUnwrap();
    expect(await sandbox.git(repo, ["cat-file", "commit", made.sha])).toMatch(/\d{4}\n\n手綱を追加する$/);
    const read = (await readCommit(git, target, made.sha))._unsafeUnwrap();
    expect(read?.message).toBe("手綱を追加する");
  });

  test("is not made if nothing is staged", async () => {
    await using sandbox = await gitSandbox();
    const { git, target, request } = await staged(sandbox);
    (await commit(git, target, request))._unsafeUnwrap();
    expect((await commit(git, target, request))._unsafeUnwrapErr().kind).toBe("nothing_to_commit");
  });

  test("is not made on another branch than the one that is meant, or on a detached HEAD", async () => {
    await using sandbox = await gitSandbox();
    const { git, worktree, target, request } = await staged(sandbox);
    expect((await commit(git, target, { ...request, branch: "main" }))._unsafeUnwrapErr()).toMatchObject({
      kind: "wrong_branch",
      actual: worktree.branchName,
    });
    await sandbox.git(worktree.path, ["checkout", "-q", "--detach"]);
    expect((await commit(git, target, request))._unsafeUnwrapErr()).toMatchObject({
      kind: "wrong_branch",
      actual: null,
    });
  });

  test("waits for no editor and obeys no template of the user's", async () => {
    await using sandbox = await gitSandbox({
      globalConfig:
        "[commit]\n\ttemplate = /nowhere/template\n\tverbose = true\n\tcleanup = strip\n[core]\n\teditor = sleep 600\n",
    });
    const { git, target, request } = await staged(sandbox);
    const made = await commit(git, target, { ...request, message: "# heading\n\n- point" });
    expect((await readCommit(git, target, made._unsafeUnwrap().sha))._unsafeUnwrap()?.message).toBe(
      "# heading\n\n- point",
    );
  });
});

describe("hooks", () => {
  test("that exist are found, never run unless their folder is named, and then decide", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target, request } = await staged(sandbox);
    const folder = join(repo, ".git", "hooks");
    expect((await findHooks(git, target))._unsafeUnwrap()).toEqual({
      directory: folder,
      inWorktree: false,
      hooks: [],
    });
    await executable(join(folder, "pre-commit"), "#!/bin/sh\necho no >&2\nexit 1\n");
    await writeFile(join(folder, "commit-msg"), "#!/bin/sh\nexit 1\n");
    expect((await findHooks(git, target))._unsafeUnwrap().hooks).toEqual([
      { name: "pre-commit", path: join(folder, "pre-commit") },
    ]);
    const refused = await commit(git, target, { ...request, hooks: { mode: "run", path: folder } });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "git_failed", message: "no" });
    (await commit(git, target, request))._unsafeUnwrap();
  });

  test("in a folder that the user configured are found there, in the worktree too", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target } = await staged(sandbox);
    const elsewhere = join(sandbox.home, "my hooks");
    await executable(join(elsewhere, "commit-msg"), "#!/bin/sh\n");
    await sandbox.git(repo, ["config", "--global", "core.hooksPath", "~/my hooks"]);
    expect((await findHooks(git, target))._unsafeUnwrap()).toMatchObject({
      directory: elsewhere,
      inWorktree: false,
      hooks: [{ name: "commit-msg" }],
    });
    await sandbox.git(repo, ["config", "core.hooksPath", ".husky"]);
    await executable(join(target.workTree, ".husky", "pre-commit"), "#!/bin/sh\n");
    expect((await findHooks(git, target))._unsafeUnwrap()).toEqual({
      directory: join(target.workTree, ".husky"),
      inWorktree: true,
      hooks: [{ name: "pre-commit", path: join(target.workTree, ".husky", "pre-commit") }],
    });
  });
});

describe("the identity", () => {
  test("is the user's own, from the configuration or the environment", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await staged(sandbox);
    const una = { name: "Una User", email: "una@example.com" };
    expect((await readIdentity(git, target))._unsafeUnwrap()).toEqual({
      source: "user",
      author: una,
      committer: una,
    });
    const other = productGit(sandbox, {
      env: { GIT_AUTHOR_NAME: "Other", GIT_AUTHOR_EMAIL: "o@example.com" },
    });
    expect((await readIdentity(other, target))._unsafeUnwrap()).toEqual({
      source: "user",
      author: { name: "Other", email: "o@example.com" },
      committer: una,
    });
  });

  test("is Tazuna's if git would have to guess", async () => {
    await using sandbox = await gitSandbox({ identity: "none" });
    const { git, target } = await staged(sandbox);
    expect((await readIdentity(git, target))._unsafeUnwrap()).toEqual({
      source: "fallback",
      author: TAZUNA,
      committer: TAZUNA,
    });
  });

  test.each([
    ["user", "Una User <una@example.com>"],
    ["none", "Tazuna <tazuna@localhost>"],
  ] as const)("of a commit that names none is found by git (configured: %s)", async (identity, person) => {
    await using sandbox = await gitSandbox({ identity });
    const { repo, git, target, request } = await staged(sandbox);
    const made = (await commit(git, target, { ...request, identity: null }))._unsafeUnwrap();
    const people = await sandbox.git(repo, ["log", "-1", "--format=%an <%ae>|%cn <%ce>", made.sha]);
    expect(people).toBe(`${person}|${person}`);
  });

  test("that is found by git leaves a failure of another kind as it is", async () => {
    await using sandbox = await gitSandbox({ identity: "none" });
    const { git, target, request } = await staged(sandbox);
    (await commit(git, target, { ...request, identity: null }))._unsafeUnwrap();
    const again = await commit(git, target, { ...request, identity: null });
    expect(again._unsafeUnwrapErr().kind).toBe("nothing_to_commit");
  });
});

describe("signing", () => {
  test("is not wanted unless the user configured it", async () => {
    await using sandbox = await gitSandbox();
    const { git, target, request } = await staged(sandbox);
    expect((await probeSigning(git, target, request.identity))._unsafeUnwrap()).toEqual({ wanted: false });
  });

  test.skipIf(SSH_KEYGEN.missing)(
    `with an ssh key works, leaves no object behind, and can be switched off${SSH_KEYGEN.why}`,
    async () => {
      await using sandbox = await gitSandbox();
      const key = join(sandbox.home, "key");
      await Bun.$`ssh-keygen -q -t ed25519 -N "" -f ${key}`.quiet();
      const { repo, git, target, request } = await staged(sandbox);
      for (const [name, value] of [
        ["gpg.format", "ssh"],
        ["user.signingKey", `${key}.pub`],
        ["commit.gpgSign", "true"],
      ])
        await sandbox.git(repo, ["config", "--global", name ?? "", value ?? ""]);
      const count = () => sandbox.git(repo, ["count-objects"]);
      const before = await count();
      expect((await probeSigning(git, target, request.identity))._unsafeUnwrap()).toEqual({
        wanted: true,
        works: true,
        format: "ssh",
      });
      expect(await count()).toBe(before);
      const signed = (await commit(git, target, request))._unsafeUnwrap();
      expect(await sandbox.git(repo, ["cat-file", "commit", signed.sha])).toContain("BEGIN SSH SIGNATURE");
      await writeFiles(target.workTree, { "more.txt": "more" });
      (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
      const plain = (await commit(git, target, { ...request, sign: "off" }))._unsafeUnwrap();
      expect(await sandbox.git(repo, ["cat-file", "commit", plain.sha])).not.toContain("SIGNATURE");
    },
  );

  test("that cannot work is reported with its reason, and nothing asks a person", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target, request } = await staged(sandbox);
    await sandbox.git(repo, ["config", "--global", "gpg.format", "ssh"]);
    await sandbox.git(repo, ["config", "--global", "user.signingKey", join(sandbox.home, "no-such-key")]);
    await sandbox.git(repo, ["config", "--global", "commit.gpgSign", "true"]);
    const probed = (await probeSigning(git, target, request.identity))._unsafeUnwrap();
    expect(probed).toMatchObject({ wanted: true, works: false, format: "ssh" });
    expect(JSON.stringify(probed)).toContain("no-such-key");
  });

  test.skipIf(SSH_KEYGEN.missing)(
    `with a key that has a passphrase fails at once instead of asking${SSH_KEYGEN.why}`,
    async () => {
      await using sandbox = await gitSandbox();
      const key = join(sandbox.home, "locked");
      await Bun.$`ssh-keygen -q -t ed25519 -N "a passphrase" -f ${key}`.quiet();
      const { repo, git, target, request } = await staged(sandbox, {
        DISPLAY: ":99",
        SSH_ASKPASS: "/bin/cat",
      });
      for (const [name, value] of [
        ["gpg.format", "ssh"],
        ["user.signingKey", key],
        ["commit.gpgSign", "true"],
      ])
        await sandbox.git(repo, ["config", "--global", name ?? "", value ?? ""]);
      expect((await probeSigning(git, target, request.identity))._unsafeUnwrap()).toMatchObject({
        wanted: true,
        works: false,
      });
    },
  );
});
