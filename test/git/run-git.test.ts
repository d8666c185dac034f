import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withGitTimeout } from "../../src/git/runner/git-variants.ts";
import { createGit } from "../../src/git/runner/run-git.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const printEnv = ["-c", "alias.env=!env", "env"];

/** The environment that a program started by git sees. */
function parseEnv(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split("\n").map((line) => [line.split("=", 1)[0] ?? "", line.slice(line.indexOf("=") + 1)]),
  );
}

describe("a git call", () => {
  test("names the git directory and the worktree, so that a planted .git is not looked at", async () => {
    await using sandbox = await gitSandbox();
    const mine = await sandbox.repository("mine");
    const other = await sandbox.repository("other");
    await sandbox.commit(other, { "other.txt": "x" });
    const target = { gitDir: join(mine, ".git"), workTree: other };
    const files = await productGit(sandbox).run(target, ["ls-files", "-z"]);
    expect(files._unsafeUnwrap().stdout).toBe("README.md\0src/app.txt\0");
  });

  test(deep("has the time limit of its repository, unless it names one of its own"), async () => {
    await using sandbox = await gitSandbox();
    const target = { gitDir: join(await sandbox.repository("repo"), ".git"), workTree: null };
    const git = withGitTimeout(productGit(sandbox), 300);
    const sleep = ["-c", "alias.nap=!sleep 2", "nap"];
    expect((await git.run(target, sleep))._unsafeUnwrapErr()).toMatchObject({
      kind: "timed_out",
      timeoutMs: 300,
    });
    expect((await git.run(target, sleep, { timeoutMs: 60_000 })).isOk()).toBe(true);
    expect((await git.discover(target.gitDir, sleep))._unsafeUnwrapErr()).toMatchObject({ timeoutMs: 300 });
  });

  test("drops inherited GIT_ variables, but not those that say where the user's configuration is", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const git = productGit(sandbox, {
      env: {
        GIT_DIR: "/nowhere",
        GIT_INDEX_FILE: "/nowhere/index",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "user.name",
        GIT_CONFIG_VALUE_0: "Mallory",
        GIT_SSL_CAINFO: "/etc/ssl/ca.pem",
        GIT_TRACE: "1",
        DISPLAY: ":0",
        TAZUNA_DATABASE: "postgres://me:secret@db/tazuna",
        MINE: "kept",
      },
    });
    const seen = await git.run({ gitDir: join(repo, ".git"), workTree: repo }, printEnv);
    const env = parseEnv(seen._unsafeUnwrap().stdout);
    expect(env.GIT_DIR).toBe(join(repo, ".git"));
    expect(env.GIT_INDEX_FILE).toBeUndefined();
    expect(env.GIT_TRACE).toBeUndefined();
    expect(env.TAZUNA_DATABASE).toBeUndefined();
    expect(env.DISPLAY).toBeUndefined();
    expect(env.MINE).toBe("kept");
    expect(env.GIT_SSL_CAINFO).toBe("/etc/ssl/ca.pem");
    expect(env.GIT_CONFIG_GLOBAL).toBe(join(sandbox.home, ".gitconfig"));
    expect(Object.values(env)).not.toContain("Mallory");
    const name = await git.run({ gitDir: join(repo, ".git"), workTree: repo }, ["config", "user.name"]);
    expect(name._unsafeUnwrap().stdout).toBe("Una User\n");
  });

  test("runs no program of the worktree and none of a relative PATH entry", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await mkdir(join(repo, "bin"));
    await writeFile(join(repo, "bin", "git"), "#!/bin/sh\necho planted\n");
    await chmod(join(repo, "bin", "git"), 0o755);
    const git = productGit(sandbox, { env: { PATH: `${join(repo, "bin")}:bin:.:${sandbox.env.PATH}` } });
    const answer = await git.run({ gitDir: join(repo, ".git"), workTree: repo }, ["rev-parse", "--git-dir"]);
    expect(answer._unsafeUnwrap().stdout).toBe(`${join(repo, ".git")}\n`);
  });

  test("runs neither hooks, nor the file system monitor, nor an external diff of the configuration", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const ran = join(sandbox.root, "ran");
    const trap = join(sandbox.root, "trap");
    await writeFile(trap, `#!/bin/sh\necho "$0 $*" >> ${ran}\nexit 0\n`);
    await chmod(trap, 0o755);
    await mkdir(join(repo, ".git", "hooks"), { recursive: true });
    for (const hook of ["pre-commit", "post-commit", "reference-transaction", "post-index-change"]) {
      await writeFile(join(repo, ".git", "hooks", hook), `#!/bin/sh\necho ${hook} >> ${ran}\n`);
      await chmod(join(repo, ".git", "hooks", hook), 0o755);
    }
    for (const key of ["core.fsmonitor", "diff.external", "core.pager", "core.editor", "core.sshCommand"])
      await sandbox.git(repo, ["config", key, trap]);
    await rm(ran, { force: true });
    const git = productGit(sandbox);
    const target = { gitDir: join(repo, ".git"), workTree: repo };
    await writeFile(join(repo, "README.md"), "changed\n");
    for (const args of [
      ["status"],
      ["diff", "--no-ext-diff"],
      ["add", "-A"],
      ["commit", "-m", "x"],
      ["log", "-p", "--no-ext-diff"],
    ])
      (await git.run(target, args))._unsafeUnwrap();
    expect(await Bun.file(ran).exists()).toBe(false);
  });

  test(deep("ends at its time limit with every process it started"), async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const pidFile = join(sandbox.root, "pid");
    const slow = ["-c", `alias.slow=!echo $$ > ${pidFile}; trap '' TERM; while :; do sleep 1; done`, "slow"];
    const git = productGit(sandbox, { timeoutMs: 4_000 });
    const ended = await git.run({ gitDir: join(repo, ".git"), workTree: repo }, slow);
    expect(ended._unsafeUnwrapErr()).toMatchObject({ kind: "timed_out", timeoutMs: 4_000 });
    const pid = Number(await Bun.file(pidFile).text());
    await waitFor("the helper is gone", () => !Bun.file(`/proc/${pid}/cmdline`).size && !isAlive(pid));
  });

  test("is canceled by its signal", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const controller = new AbortController();
    const mark = join(sandbox.root, "began");
    const running = productGit(sandbox).run(
      { gitDir: join(repo, ".git"), workTree: repo },
      ["-c", `alias.slow=!touch ${mark}; sleep 60`, "slow"],
      { signal: controller.signal },
    );
    await waitFor("git began", () => Bun.file(mark).exists());
    controller.abort();
    expect((await running)._unsafeUnwrapErr().kind).toBe("canceled");
  });
});

describe("a failure of git", () => {
  test("says that git is missing", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const git = createGit({
      binary: "/nowhere/git",
      env: sandbox.env,
      timeoutMs: 1_000,
      scratch: "/nowhere",
    });
    const failed = await git.run({ gitDir: join(repo, ".git"), workTree: repo }, ["status"]);
    expect(failed._unsafeUnwrapErr()).toMatchObject({ kind: "git_missing", command: "git status" });
  });

  test("names the signal that ended git, and takes nothing that it had answered by then for the reason", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const target = { gitDir: join(repo, ".git"), workTree: repo };
    for (const [said, told] of [
      ["echo answered", ""],
      ["echo answered; echo complained >&2", "\ncomplained"],
    ]) {
      const dies = ["-c", `alias.dies=!${said}; kill -KILL $PPID`, "dies"];
      const { message } = (await productGit(sandbox).run(target, dies))._unsafeUnwrapErr();
      expect(message).toEndWith(`was ended by SIGKILL${told}`);
    }
  });

  test("says that the worktree is gone", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const target = { gitDir: join(repo, ".git"), workTree: join(sandbox.root, "gone") };
    const failed = await productGit(sandbox).run(target, ["status"]);
    expect(failed._unsafeUnwrapErr()).toMatchObject({ kind: "worktree_missing", path: target.workTree });
  });

  test("names the lock file in the way, and waits for it when told to", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const lock = join(repo, ".git", "index.lock");
    await writeFile(lock, "");
    await writeFile(join(repo, "new.txt"), "new");
    const git = productGit(sandbox);
    const target = { gitDir: join(repo, ".git"), workTree: repo };
    expect((await git.run(target, ["add", "-A"]))._unsafeUnwrapErr()).toMatchObject({
      kind: "locked",
      lockFile: lock,
    });
    const patient = git.run(target, ["add", "-A"], { lockRetries: 40 });
    await rm(lock);
    expect((await patient).isOk()).toBe(true);
  });

  test("tells a locked configuration and a locked reference", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const git = productGit(sandbox);
    const target = { gitDir: join(repo, ".git"), workTree: repo };
    await writeFile(join(repo, ".git", "config.lock"), "");
    expect((await git.run(target, ["config", "a.b", "c"], { expect: [0] }))._unsafeUnwrapErr()).toMatchObject(
      {
        kind: "locked",
        lockFile: expect.stringContaining("config.lock"),
      },
    );
    await writeFile(join(repo, ".git", "refs", "heads", "side.lock"), "");
    expect(
      (await git.run(target, ["update-ref", "refs/heads/side", "HEAD"]))._unsafeUnwrapErr(),
    ).toMatchObject({
      kind: "locked",
      lockFile: join(repo, ".git", "refs", "heads", "side.lock"),
    });
  });

  test("is none if another git holds a reference for a moment", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const lock = join(repo, ".git", "refs", "heads", "side.lock");
    await writeFile(lock, "");
    const began = join(sandbox.root, "began");
    const target = { gitDir: join(repo, ".git"), workTree: repo };
    const moving = productGit(sandbox).run(target, [
      "-c",
      `alias.move=!touch ${began}; git update-ref refs/heads/side HEAD`,
      "move",
    ]);
    await waitFor("git began", () => Bun.file(began).exists());
    setTimeout(() => rm(lock), 400);
    expect((await moving).isOk()).toBe(true);
  });

  test("is none if the user's garbage collection takes a folder away that an object was to go into", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const once = join(sandbox.root, "once");
    const complaint = "error: unable to create temporary file: No such file or directory";
    const racing = [
      "-c",
      `alias.race=!if mkdir ${once}; then echo '${complaint}' >&2; exit 1; fi; git hash-object -w --stdin`,
      "race",
    ];
    const target = { gitDir: join(repo, ".git"), workTree: repo };
    // `git add --ignore-errors` answers so with an exit code that is no failure.
    for (const expected of [[0], [0, 1]]) {
      await rm(once, { recursive: true, force: true });
      const written = await productGit(sandbox).run(target, racing, { stdin: "content", expect: expected });
      expect(written._unsafeUnwrap().exitCode).toBe(0);
    }
  });

  test("is told apart when the disk is full", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const target = { gitDir: join(repo, ".git"), workTree: repo };
    const full = [
      "-c",
      "alias.full=!echo 'fatal: unable to write file: No space left on device' >&2; exit 128",
      "full",
    ];
    expect((await productGit(sandbox).run(target, full))._unsafeUnwrapErr().kind).toBe("disk_full");
  });

  test("is told apart when a limit on the size of files ends git", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const binary = join(sandbox.root, "limited-git");
    await writeFile(binary, '#!/bin/sh\nulimit -f 1\nexec git "$@"\n');
    await chmod(binary, 0o755);
    const git = createGit({
      binary,
      env: sandbox.env,
      timeoutMs: 60_000,
      scratch: join(sandbox.root, "scratch"),
    });
    const target = { gitDir: join(repo, ".git"), workTree: repo };
    const stdin = crypto.getRandomValues(new Uint8Array(50_000)).toHex();
    const written = await git.run(target, ["hash-object", "-w", "--stdin"], { stdin });
    expect(written._unsafeUnwrapErr()).toMatchObject({
      kind: "disk_full",
      message: expect.stringContaining("ulimit -f"),
    });
  });

  test("keeps its exit code and its words, and an expected code is an answer", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const git = productGit(sandbox);
    const target = { gitDir: join(repo, ".git"), workTree: repo };
    const args = ["rev-parse", "--verify", "--quiet", "refs/heads/none"];
    expect((await git.run(target, args))._unsafeUnwrapErr()).toMatchObject({
      kind: "git_failed",
      exitCode: 1,
    });
    expect((await git.run(target, args, { expect: [0, 1] }))._unsafeUnwrap().exitCode).toBe(1);
  });

  test("is an output too long, unless it may be cut", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const git = productGit(sandbox);
    const target = { gitDir: join(repo, ".git"), workTree: repo };
    const long = ["-c", "alias.long=!head -c 100000 /dev/zero | tr '\\0' x", "long"];
    expect((await git.run(target, long, { maxOutputBytes: 1_000 }))._unsafeUnwrapErr().kind).toBe(
      "output_too_large",
    );
    const cut = (await git.run(target, long, { maxOutputBytes: 1_000, overflow: "cut" }))._unsafeUnwrap();
    expect({ length: cut.stdout.length, truncated: cut.truncated }).toEqual({
      length: 1_000,
      truncated: true,
    });
  });

  test("never shows the credentials of a URL", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const url = "http://una:s3cret-token@127.0.0.1:1/repo.git";
    const failed = await productGit(sandbox).run(
      { gitDir: join(repo, ".git"), workTree: repo },
      ["fetch", url],
      { access: "remote" },
    );
    expect(JSON.stringify(failed._unsafeUnwrapErr())).not.toContain("s3cret-token");
    expect(JSON.stringify(failed._unsafeUnwrapErr())).toContain("http://127.0.0.1:1/repo.git");
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
