import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fetchRemote } from "../../src/git/remote/fetch.ts";
import { remoteHead } from "../../src/git/remote/ls-remote.ts";
import { fingerprint } from "../helpers/checkout-fingerprint.ts";
import { type GitHttpServer, gitHttpServer } from "../helpers/git-http-server.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import {
  committedEdit,
  discovered,
  madeWorktree,
  productGit,
  pushTip,
  remoteOf,
  TEST_TIMEOUT_MS,
  type TipRequest,
  targetOf,
} from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const BRANCH = "tazuna/0a1b2c3d";
const FIRST: TipRequest = { remote: "origin", branch: BRANCH, upstream: "set" };
const PASSWORD = { user: "una", password: "correct horse" };

/** A credential helper that always answers the same, as a line for the configuration. */
function helperFor(password: string): string {
  return `[credential]\n\thelper = "!f() { test \\"$1\\" = get && printf 'username=una\\\\npassword=${password}\\\\n'; }; f"\n`;
}

/** A clone of a repository behind the server, with a commit to push. */
async function ready(sandbox: GitSandbox, server: GitHttpServer) {
  const repo = await sandbox.clone(join(sandbox.root, "origin.git"), "repo");
  await sandbox.git(repo, ["remote", "set-url", "origin", server.url("origin.git")]);
  const git = productGit(sandbox);
  const repository = await discovered(git, repo);
  const remote = await remoteOf(git, repository);
  if (remote === null) throw new Error("the clone has a remote");
  return { repo, git, repository, remote, target: targetOf(repository) };
}

describe("over smart HTTP with a password", () => {
  test("fetch and push use the user's own credential helper, and the password is nowhere else", async () => {
    await using sandbox = await gitSandbox({ globalConfig: helperFor(PASSWORD.password) });
    const origin = await sandbox.origin("origin.git");
    await using server = await gitHttpServer(sandbox.root, { password: PASSWORD });
    const { repo, git, repository } = await ready(sandbox, server);
    const before = await fingerprint(repository);
    const base = await sandbox.commitTo(origin, "main", { "new.txt": "new" });
    const worktree = await madeWorktree(sandbox, git, repo);
    expect(worktree.headSha).toBe(base);
    const sha = await committedEdit(git, worktree);
    expect((await pushTip(git, worktree.target, FIRST))._unsafeUnwrap().success).toBe(true);
    expect(await sandbox.git(origin, ["rev-parse", BRANCH])).toBe(sha);
    expect(await fingerprint(repository, { branches: [BRANCH] })).toEqual(before);
    expect(await Bun.file(join(repo, ".git", "config")).text()).not.toContain("horse");
    expect(server.requests.some(({ status, path }) => status === 200 && path.includes("receive-pack"))).toBe(
      true,
    );
  });

  test("a one-shot helper handed over by the environment of one call is used by that call only", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    await using server = await gitHttpServer(sandbox.root, { password: PASSWORD });
    const { git } = await ready(sandbox, server);
    server.behave({ password: null });
    const worktree = await madeWorktree(sandbox, git, join(sandbox.root, "repo"));
    server.behave({ password: PASSWORD });
    const sha = await committedEdit(git, worktree);
    const helper = join(sandbox.root, "one-shot");
    await writeFile(
      helper,
      '#!/bin/sh\ntest "$1" = get && printf "username=una\\npassword=%s\\n" "$ONE_SHOT"\n',
    );
    await chmod(helper, 0o755);
    const lending = productGit(sandbox, { lend: () => ({ helper, env: { ONE_SHOT: PASSWORD.password } }) });
    expect((await pushTip(lending, worktree.target, FIRST))._unsafeUnwrap().success).toBe(true);
    expect(await sandbox.git(origin, ["rev-parse", BRANCH])).toBe(sha);
    const without = (await pushTip(git, worktree.target, FIRST))._unsafeUnwrap();
    expect(without).toMatchObject({ success: false, error: { kind: "remote_auth" } });
  });

  test("no password, and a wrong one, is a question of authentication; nothing is asked", async () => {
    await using sandbox = await gitSandbox();
    await sandbox.origin("origin.git");
    await using server = await gitHttpServer(sandbox.root, { password: PASSWORD });
    const { repo, git, target, remote } = await ready(sandbox, server);
    const none = (await fetchRemote(git, target, remote))._unsafeUnwrapErr();
    expect(none.kind).toBe("remote_auth");
    await sandbox.git(repo, [
      "config",
      "--global",
      "credential.helper",
      "!f() { echo username=una; echo password=wrong-pass; }; f",
    ]);
    const wrong = (await fetchRemote(git, target, remote))._unsafeUnwrapErr();
    expect(wrong.kind).toBe("remote_auth");
    expect(JSON.stringify(wrong)).not.toContain("wrong-pass");
    const asked = await remoteHead(git, target, { remote: "origin", branch: "main" });
    expect(asked._unsafeUnwrapErr().kind).toBe("remote_auth");
  });

  test("a password in the remote's own URL works and never shows", async () => {
    await using sandbox = await gitSandbox();
    await sandbox.origin("origin.git");
    await using server = await gitHttpServer(sandbox.root, { password: { user: "una", password: "t0ken" } });
    const { repo, git, target, remote } = await ready(sandbox, server);
    await sandbox.git(repo, ["remote", "set-url", "origin", server.urlWithPassword("origin.git")]);
    (await fetchRemote(git, target, remote))._unsafeUnwrap();
    server.behave({ password: { user: "una", password: "changed" } });
    const failed = (await fetchRemote(git, target, remote))._unsafeUnwrapErr();
    expect(failed.kind).toBe("remote_auth");
    expect(JSON.stringify(failed)).not.toContain("t0ken");
    const shown = await remoteOf(git, await discovered(git, repo));
    expect(shown).toMatchObject({ credentialsInUrl: true });
    expect(JSON.stringify(shown)).not.toContain("t0ken");
  });

  test("a push that is not allowed is told from a fetch that is", async () => {
    await using sandbox = await gitSandbox();
    await sandbox.origin("origin.git");
    await using server = await gitHttpServer(sandbox.root, { refusePushes: 403 });
    const { git } = await ready(sandbox, server);
    const worktree = await madeWorktree(sandbox, git, join(sandbox.root, "repo"));
    await committedEdit(git, worktree);
    expect((await pushTip(git, worktree.target, FIRST))._unsafeUnwrap()).toMatchObject({
      success: false,
      requiredPull: false,
      error: { kind: "remote_auth" },
    });
  });
});

describe("a remote out of reach", () => {
  test(deep("hangs no longer than the time limit"), async () => {
    await using sandbox = await gitSandbox();
    await sandbox.origin("origin.git");
    await using server = await gitHttpServer(sandbox.root, { hang: true });
    const { target, remote } = await ready(sandbox, server);
    const impatient = productGit(sandbox, { timeoutMs: 5_000 });
    const hanging = fetchRemote(impatient, target, remote);
    await waitFor("the request arrived", () => server.requests.length > 0);
    expect((await hanging)._unsafeUnwrapErr()).toMatchObject({ kind: "remote_unreachable", timedOut: true });
  });

  test("is reported at once if nothing listens, there is no such repository, or the name does not resolve", async () => {
    await using sandbox = await gitSandbox();
    await sandbox.origin("origin.git");
    await using server = await gitHttpServer(sandbox.root);
    const { repo, git, target, remote } = await ready(sandbox, server);
    for (const url of [
      "http://127.0.0.1:1/x.git",
      server.url("none.git"),
      "http://no-such-host.invalid/x.git",
      "/nowhere/x.git",
    ]) {
      await sandbox.git(repo, ["remote", "set-url", "origin", url]);
      const failed = (await fetchRemote(git, target, remote))._unsafeUnwrapErr();
      expect({ url, kind: failed.kind }).toEqual({ url, kind: "remote_unreachable" });
    }
  });
});

describe("over ssh", () => {
  const fakeSsh = async (path: string, log: string) => {
    await writeFile(path, `#!/bin/sh\necho "$0 $*" >> '${log}'\nfor last; do :; done\nexec sh -c "$last"\n`);
    await chmod(path, 0o755);
  };

  test("the user's core.sshCommand and GIT_SSH_COMMAND are used, and told not to ask", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, "repo");
    const log = join(sandbox.root, "ssh.log");
    await fakeSsh(join(sandbox.root, "my-ssh"), log);
    await fakeSsh(join(sandbox.root, "ssh"), log);
    await sandbox.git(repo, ["remote", "set-url", "origin", `git@example.com:${origin}`]);
    await sandbox.git(repo, ["config", "core.sshCommand", join(sandbox.root, "my-ssh")]);
    const git = productGit(sandbox);
    const repository = await discovered(git, repo);
    const remote = await remoteOf(git, repository);
    if (remote === null) throw new Error("the clone has a remote");
    (await fetchRemote(git, targetOf(repository), remote))._unsafeUnwrap();
    const other = productGit(sandbox, { env: { GIT_SSH_COMMAND: `${join(sandbox.root, "ssh")} -i key` } });
    (await fetchRemote(other, targetOf(repository), remote))._unsafeUnwrap();
    const calls = (await Bun.file(log).text()).split("\n").filter((line) => line.includes("upload-pack"));
    expect(calls).toEqual([
      expect.stringContaining(`${join(sandbox.root, "my-ssh")} `),
      expect.stringMatching(/\/ssh -i key -oBatchMode=yes .*git@example\.com /),
    ]);
  });

  test("a refused key is a question of authentication", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, "repo");
    const refusing = join(sandbox.root, "ssh");
    await writeFile(
      refusing,
      "#!/bin/sh\necho 'git@example.com: Permission denied (publickey).' >&2\nexit 255\n",
    );
    await chmod(refusing, 0o755);
    await sandbox.git(repo, ["remote", "set-url", "origin", "git@example.com:x.git"]);
    const git = productGit(sandbox, { env: { GIT_SSH_COMMAND: refusing } });
    const repository = await discovered(git, repo);
    const remote = await remoteOf(git, repository);
    if (remote === null) throw new Error("the clone has a remote");
    const failed = (await fetchRemote(git, targetOf(repository), remote))._unsafeUnwrapErr();
    expect(failed.kind).toBe("remote_auth");
  });
});

describe("a call that may reach no network", () => {
  test("reaches none, not even by a partial clone's lazy fetching", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    await sandbox.git(origin, ["config", "uploadpack.allowFilter", "true"]);
    const repo = await sandbox.clone(`file://${origin}`, "repo", ["--filter=blob:none", "--no-checkout"]);
    const git = productGit(sandbox);
    const target = { gitDir: join(repo, ".git"), workTree: repo };
    expect((await git.run(target, ["fetch", "origin"])).isErr()).toBe(true);
    expect((await git.run(target, ["cat-file", "blob", "HEAD:README.md"])).isErr()).toBe(true);
    const lazily = await git.run(target, ["cat-file", "blob", "HEAD:README.md"], { access: "objects" });
    expect(lazily._unsafeUnwrap().stdout).toBe("# Scratch\n");
  });

  test("and a remote that is a command is never run", async () => {
    await using sandbox = await gitSandbox({ globalConfig: '[protocol "ext"]\n\tallow = always\n' });
    const repo = await sandbox.repository("repo");
    const ran = join(sandbox.root, "ran");
    await sandbox.git(repo, ["remote", "add", "origin", `ext::touch ${ran}`]);
    const git = productGit(sandbox);
    const repository = await discovered(git, repo);
    const remote = await remoteOf(git, repository);
    if (remote === null) throw new Error("the repository has a remote");
    expect((await fetchRemote(git, targetOf(repository), remote))._unsafeUnwrapErr().kind).toBe(
      "remote_unreachable",
    );
    expect(await Bun.file(ran).exists()).toBe(false);
  });
});
