/**
 * Tells what the guard's git does: reads pass, writes of the guarded repository are refused, other repositories are
 * free.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readSettings } from "../../src/app/process/settings.ts";
import { guardEnvironment } from "../../src/guard/guard-environment.ts";
import { judgeShell } from "../../src/guard/judge-shell.ts";
import { bashEnvText, shimText } from "../../src/guard/shim.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { BASH } from "../helpers/need.ts";
import { tally } from "../helpers/tally.ts";

setDefaultTimeout(150_000);

/** What a path may hold: the shell, git and line-wise readers each stumble over something of it. */
const ODD = `it's "odd" $HOME \`x\` \\ ü\nline `;

let sandbox: GitSandbox;
let main: string;
let worktree: string;
let other: string;
let shim: string;

beforeAll(async () => {
  sandbox = await gitSandbox();
  await mkdir(join(sandbox.root, ODD));
  main = await sandbox.repository(join(ODD, "main"));
  const origin = await sandbox.origin("origin.git");
  await sandbox.git(main, ["remote", "add", "origin", origin]);
  worktree = join(sandbox.root, ODD, "tree");
  await sandbox.git(main, ["worktree", "add", "--quiet", "-b", "attempt", worktree]);
  await writeFile(join(worktree, "README.md"), "changed\n");
  other = await sandbox.repository("other");
  shim = await guard("shim", join(main, ".git"));
});
afterAll(() => sandbox[Symbol.asyncDispose]());

async function guard(name: string, commonDir: string): Promise<string> {
  const folder = join(sandbox.root, ODD, name);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "git"),
    shimText({ selfCommand: readSettings().selfCommand, commonDir, folder }),
  );
  await chmod(join(folder, "git"), 0o755);
  return folder;
}

interface Called {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly path?: string;
}

/** A call of `git` as a program of an attempt makes it. */
async function call(words: readonly string[], { cwd = worktree, env = {}, stdin, path }: Called = {}) {
  const child = Bun.spawn(["/bin/sh", "-c", 'exec git "$@"', "sh", ...words], {
    cwd,
    env: { ...sandbox.env, PATH: path ?? `${shim}:${sandbox.env.PATH}`, ...env },
    stdin: stdin === undefined ? "ignore" : new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([child.stdout.bytes(), new Response(child.stderr).text()]);
  await child.exited;
  return { code: child.exitCode, signal: child.signalCode, out: Buffer.from(out).toString("latin1"), err };
}

const plain = (words: readonly string[], how: Called = {}) =>
  call(words, { ...how, path: sandbox.env.PATH ?? "" });

/** Everything that git keeps of the guarded repository. */
async function state(): Promise<string> {
  const refs = await sandbox.git(main, ["for-each-ref"]);
  const heads = await Promise.all(
    [main, worktree].map((at) => sandbox.git(at, ["rev-parse", "--symbolic-full-name", "HEAD"])),
  );
  const staged = await Promise.all(
    [main, worktree].map((at) => sandbox.git(at, ["diff", "--cached", "--name-status"])),
  );
  const objects = await sandbox.git(main, ["count-objects", "-v"]);
  const config = await readFile(join(main, ".git/config"), "utf8");
  return JSON.stringify([
    refs,
    heads,
    staged,
    objects,
    config,
    await sandbox.git(main, ["worktree", "list"]),
  ]);
}

const REFUSED = { code: 1, signal: null, out: "" };

describe("a reading call answers byte for byte as git does, with its exit code", () => {
  test.each([
    [["status"]],
    [["status", "--porcelain=v2", "-z"]],
    [["log", "--stat", "--format=fuller"]],
    [["diff", "--exit-code"]],
    [["--no-pager", "-c", "color.ui=always", "diff"]],
    [["show", "HEAD:README.md"]],
    [["ls-files", "-s"]],
    [["rev-parse", "--show-toplevel"]],
    [["rev-parse", "--verify", "nothing-of-the-kind"]],
    [["cat-file", "-p", "nothing"]],
    [["grep", "-n", "needle"]],
    [["config", "--get", "user.email"]],
    [["config", "--get", "no.such"]],
    [["worktree", "list", "--porcelain"]],
    [["--version"]],
    [["branch", "-h"]],
    [[]],
    [["-C", "src", "status", "--short"]],
  ])("git %j", async (words) => {
    const { code, signal, out, err } = await plain(words);
    expect(await call(words)).toEqual({ code, signal, out, err });
  });

  test("standard input reaches git whole, and what it prints may be anything", async () => {
    const bytes = await plain(["hash-object", "--stdin"], { stdin: "x".repeat(1_000_000) });
    expect(await call(["hash-object", "--stdin"], { stdin: "x".repeat(1_000_000) })).toEqual(bytes);
    const head = await sandbox.git(worktree, ["rev-parse", "HEAD"]);
    const batch = await plain(["cat-file", "--batch"], { stdin: `${head}\nHEAD^{tree}\n` });
    expect(batch.out).toContain("tree 67");
    expect(await call(["cat-file", "--batch"], { stdin: `${head}\nHEAD^{tree}\n` })).toEqual(batch);
  });

  test("a signal reaches git itself, which is what ends", async () => {
    const child = Bun.spawn([join(shim, "git"), "cat-file", "--batch"], {
      cwd: worktree,
      env: { ...sandbox.env, PATH: `${shim}:${sandbox.env.PATH}` },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    child.stdin.write("HEAD\n");
    await child.stdin.flush();
    await child.stdout.getReader().read();
    child.kill("SIGTERM");
    await child.exited;
    expect(child.signalCode).toBe("SIGTERM");
  });
});

/** What it is, its words, and where and how it is called. */
type Row = [string, () => readonly string[], () => Called];

describe("what writes the guarded repository is refused, and leaves it as it was", () => {
  const nowhere = () => join(sandbox.root, "new-place");
  test.each<Row>([
    ["in the worktree", () => ["add", "-A"], () => ({})],
    ["in a folder of it", () => ["commit", "-am", "x"], () => ({ cwd: join(worktree, "src") })],
    ["in the user's checkout", () => ["commit", "--allow-empty", "-m", "x"], () => ({ cwd: main })],
    ["in its git folder", () => ["update-ref", "refs/heads/x", "HEAD"], () => ({ cwd: join(main, ".git") })],
    ["by -C", () => ["-C", worktree, "stash"], () => ({ cwd: other })],
    [
      "by several -C",
      () => ["-C", sandbox.root, "-C", ODD, "-C", "tree", "tag", "x"],
      () => ({ cwd: other }),
    ],
    ["by --git-dir", () => [`--git-dir=${main}/.git`, "branch", "x"], () => ({ cwd: other })],
    ["by GIT_DIR", () => ["branch", "x"], () => ({ cwd: other, env: { GIT_DIR: join(main, ".git") } })],
    [
      "by GIT_COMMON_DIR",
      () => ["branch", "x"],
      () => ({
        cwd: other,
        env: { GIT_DIR: join(main, ".git/worktrees/tree"), GIT_COMMON_DIR: join(main, ".git") },
      }),
    ],
    [
      "by GIT_WORK_TREE",
      () => ["add", "-A"],
      () => ({ cwd: worktree, env: { GIT_WORK_TREE: other, GIT_DIR: join(main, ".git") } }),
    ],
    [
      "by GIT_OBJECT_DIRECTORY",
      () => ["hash-object", "-w", "--stdin"],
      () => ({ cwd: other, stdin: "planted", env: { GIT_OBJECT_DIRECTORY: join(main, ".git/objects") } }),
    ],
    [
      "by GIT_INDEX_FILE",
      () => ["add", "-A"],
      () => ({ cwd: other, env: { GIT_INDEX_FILE: join(main, ".git/index") } }),
    ],
    [
      "through a link",
      () => ["commit", "--allow-empty", "-m", "x"],
      () => ({ cwd: join(sandbox.root, "link") }),
    ],
    ["the configuration", () => ["config", "core.hooksPath", "/tmp"], () => ({})],
    [
      "its configuration as a file, from elsewhere",
      () => ["config", "-f", join(main, ".git/config"), "core.hooksPath", "/tmp"],
      () => ({ cwd: other }),
    ],
    [
      "its configuration as a file, from no repository",
      () => ["config", "--global", "core.hooksPath", "/tmp"],
      () => ({ cwd: "/", env: { GIT_CONFIG_GLOBAL: join(main, ".git/config") } }),
    ],
    ["a new worktree", () => ["worktree", "add", nowhere()], () => ({})],
    ["what the policy does not know", () => ["fast-import"], () => ({})],
    ["an alias", () => ["-c", "alias.ci=commit --allow-empty -m x", "ci"], () => ({})],
    ["an option that it does not know", () => ["--no-such-option", "commit"], () => ({})],
    [
      "an option that only git knows, in front of a place",
      () => ["-C", worktree, "--shallow-file", "", "tag", "x"],
      () => ({ cwd: other }),
    ],
    ["init again", () => ["init"], () => ({})],
    ["init by name", () => ["init", worktree], () => ({ cwd: other })],
    [
      "init into its git folder",
      () => ["init", "--bare", join(main, ".git/modules/x")],
      () => ({ cwd: other }),
    ],
    [
      "init beside",
      () => ["init", "--separate-git-dir", join(main, ".git"), nowhere()],
      () => ({ cwd: other }),
    ],
    ["init by GIT_DIR", () => ["init"], () => ({ cwd: other, env: { GIT_DIR: join(main, ".git") } })],
    [
      "clone into its git folder",
      () => ["clone", other, join(main, ".git/modules/x")],
      () => ({ cwd: other }),
    ],
    ["a push from elsewhere, by path", () => ["push", main, "HEAD:refs/heads/x"], () => ({ cwd: other })],
    [
      "a push, by URL",
      () => ["push", `file://${encodeURI(main)}`, "HEAD:refs/heads/x"],
      () => ({ cwd: other }),
    ],
    [
      "a push, by URL with the name of this machine",
      () => ["push", `file://localhost${encodeURI(main)}`, "HEAD:refs/heads/x"],
      () => ({ cwd: other }),
    ],
    [
      "a push, by the name of a remote",
      () => ["push", "back", "HEAD:refs/heads/x"],
      () => ({ cwd: join(sandbox.root, "copy") }),
    ],
    ["a push that names none", () => ["push"], () => ({ cwd: join(sandbox.root, "copy") })],
    [
      "its configuration as a file, by a shortened option",
      () => ["config", `--fil=${main}/.git/config`, "core.hooksPath", "/tmp"],
      () => ({ cwd: other }),
    ],
    [
      "a push, by URL with more of it encoded than has to be",
      () => ["push", `file://${encodeURIComponent(main).replace("%2F", "/")}`, "HEAD:refs/heads/x"],
      () => ({ cwd: other }),
    ],
    [
      "a push, by a path of the home folder",
      () => ["push", `~/${basename(main)}`, "HEAD:refs/heads/x"],
      () => ({ cwd: other, env: { HOME: dirname(main) } }),
    ],
    ...(["insteadOf", "pushInsteadOf"] as const).map(
      (key): Row => [
        `a push, by an address that ${key} makes another`,
        () => [
          ...["-c", `url.${sandbox.root}/.${key}=short:`],
          ...["push", `short:${join(ODD, "main")}`, "HEAD:refs/heads/x"],
        ],
        () => ({ cwd: other }),
      ],
    ),
    ...(["url", "pushurl"] as const).map(
      (key): Row => [
        `a push, by the ${key} of a remote of this one call`,
        () => ["-c", "remote.r.url=/x", "-c", `remote.r.${key}=${main}`, "push", "r", "HEAD:refs/heads/x"],
        () => ({ cwd: other }),
      ],
    ),
    ...(["remote.pushDefault", "branch.main.pushRemote", "branch.main.remote"] as const).map(
      (key): Row => [
        `a push that names none, by ${key}`,
        () => ["-c", `${key}=${main}`, "-c", "push.default=current", "push", "--force"],
        () => ({ cwd: other }),
      ],
    ),
    [
      "a push, by the part of it that sends",
      () => ["send-pack", main, "HEAD:refs/heads/x"],
      () => ({ cwd: other }),
    ],
    [
      "a push, by URL with a bracket in it, behind which git looks for the path",
      () => ["push", `file://x/@[a]${main}`, "HEAD:refs/heads/x"],
      () => ({ cwd: other }),
    ],
    [
      "a push, by the worktree",
      () => ["push", "--force", worktree, "HEAD:refs/heads/x"],
      () => ({ cwd: other }),
    ],
  ])("%s", async (_, words, how) => {
    if (!existsSync(join(sandbox.root, "copy"))) {
      await sandbox.clone(main, "copy", ["--origin", "back"]);
      await symlink(worktree, join(sandbox.root, "link"));
    }
    const before = await state();
    const end = await call(words(), how());
    expect(end).toMatchObject(REFUSED);
    expect(end.err).toContain(
      "was refused: Tazuna alone writes git in this repository.\nJust edit the files",
    );
    expect(await state()).toBe(before);
    expect(existsSync(nowhere())).toBe(false);
  });

  const TERMINAL = { TAZUNA_TERMINAL_ID: "t", TAZUNA_ATTEMPT: "0a1b2c3d-4e5f" };
  test("and tells a person in a terminal what to do instead", async () => {
    const end = await call(["reset", "--hard"], { env: TERMINAL });
    expect(end.err).toContain('"Put the files back to here"');
    const commit = await call(["commit", "--all"], { env: TERMINAL });
    expect(commit.err).toContain('"Commit my edits" (`tazuna continue 0a1b2c3d`)');
  });
});

describe("a repository that an agent may have planted is not opened", () => {
  const planted = () => join(worktree, "planted.git");

  beforeAll(async () => {
    await sandbox.git(worktree, ["clone", "--quiet", "--bare", other, planted()]);
    await writeFile(join(worktree, "via"), "gitdir: planted.git\n");
    await symlink(planted(), join(worktree, "link.git"));
  });
  afterAll(async () => {
    await sandbox.git(worktree, ["clean", "-ffdq"]);
  });

  test.each([
    [["ls-remote", "./planted.git"]],
    [["ls-remote", "planted.git"]],
    [["ls-remote", "planted"]],
    [["ls-remote", "--heads", "./via"]],
    [["ls-remote", "file:///nowhere"]],
    [["ls-remote", "../../../other"]],
    [["-c", "remote.e.url=./planted.git", "ls-remote", "e"]],
    [["-c", "remote.e.url=./link.git", "remote", "show", "e"]],
    [
      [
        "-c",
        "url../planted.git.insteadOf=https://example.invalid/x",
        "ls-remote",
        "https://example.invalid/x",
      ],
    ],
    [["archive", "--remote=./planted.git", "HEAD"]],
    [["archive", "--rem", "./via", "HEAD"]],
    [["clone", "./planted.git", "copied"]],
    [["clone", "via", "copied"]],
  ])("git %j, with the reason", async (words) => {
    const end = await call(words);
    expect(end).toMatchObject(REFUSED);
    expect(end.err).toContain("(UNSAFE_URL)");
    expect(existsSync(join(worktree, "copied"))).toBe(false);
  });

  test("nor by a path that a reading call names; the shell's judge says the same", async () => {
    expect(await call(["remote", "show", "./planted.git"])).toMatchObject(REFUSED);
    const judged = { commonDir: join(main, ".git"), folder: shim, env: { ...sandbox.env }, cwd: worktree };
    const env = { ...judged.env, PATH: `${shim}:${sandbox.env.PATH}` };
    const said = (text: string) => judgeShell({ ...judged, env, text });
    expect(await said("cd . && git ls-remote ./planted.git | head")).toContain("(UNSAFE_URL)");
    expect(await said("sh -c 'git clone ./via x'")).toContain("(UNSAFE_URL)");
    expect(await said("git ls-remote origin")).toBeNull();
  });

  test("nor as the remote of the branch, though a tag has the name of the branch as well", async () => {
    const branch = await sandbox.git(worktree, ["symbolic-ref", "--short", "HEAD"]);
    await sandbox.git(main, ["tag", branch]);
    const words = ["-c", `branch.${branch}.remote=./planted.git`, "ls-remote"];
    expect(await call(words)).toMatchObject(REFUSED);
    await sandbox.git(main, ["tag", "-d", branch]);
  });

  test("a configured remote elsewhere is read, and other repositories read what they like", async () => {
    expect(await call(["ls-remote", "origin"])).toMatchObject({ code: 0 });
    const own = join(sandbox.root, "own");
    expect(await call(["clone", "-q", ".", own])).toMatchObject({ code: 0 });
    expect(await call(["clone", "-q", worktree, `${own}-too`])).toMatchObject({ code: 0 });
    expect(await call(["remote", "show", "origin"])).toMatchObject({ code: 0 });
    expect(await call(["ls-remote", planted()], { cwd: other })).toMatchObject({ code: 0 });
    expect(await call(["ls-remote", "."], { cwd: other })).toMatchObject({ code: 0 });
  });
});

describe("other repositories are left alone", () => {
  test("init, add, commit, branch, tag, config, stash and merge in a new one inside the worktree", async () => {
    const inner = join(worktree, "fixture");
    for (const words of [
      ["init", "-q", inner],
      ["-C", inner, "config", "core.quotePath", "false"],
      ["-C", inner, "commit", "-q", "--allow-empty", "-m", "one"],
      ["-C", inner, "branch", "b"],
      ["-C", inner, "tag", "t"],
      ["-C", inner, "checkout", "-q", "b"],
      ["-C", inner, "merge", "-q", "t"],
    ])
      expect(await call(words)).toMatchObject({ code: 0, err: "" });
    expect(await call(["log", "--format=%s"], { cwd: inner })).toMatchObject({ out: "one\n" });
  });

  test("clone of the guarded one, commit there, push between two others", async () => {
    const copy = join(sandbox.root, "free");
    const bare = join(sandbox.root, "free.git");
    for (const [words, cwd] of [
      [["clone", "-q", main, copy], sandbox.root],
      [["clone", "-q", other], worktree],
      [["init", "-q", "--bare", bare], sandbox.root],
      [["commit", "-q", "--allow-empty", "-m", "free"], copy],
      [["remote", "set-url", "origin", bare], copy],
      [["push", "-q", "origin", "HEAD:refs/heads/main"], copy],
      [["fetch", "-q", "origin"], copy],
    ] as const)
      expect(await call(words, { cwd })).toMatchObject({ code: 0, err: "" });
    expect(await sandbox.git(bare, ["log", "-1", "--format=%s", "main"])).toBe("free");
  });

  test("standard input, exit code and stderr of a call that writes are those of git", async () => {
    expect(await call(["hash-object", "-w", "--stdin"], { cwd: other, stdin: "hello\n" })).toMatchObject({
      code: 0,
      out: "ce013625030ba8dba906f756967f9e9ca394464a\n",
    });
    for (const words of [
      ["checkout", "no-such-branch"],
      ["push", "file:///no/%zz", "HEAD"],
    ])
      expect(await call(words, { cwd: other })).toEqual(await plain(words, { cwd: other }));
    expect(await call(["commit", "-m", "x"], { cwd: "/" })).toEqual(
      await plain(["commit", "-m", "x"], { cwd: "/" }),
    );
  });

  test("an index and objects of its own may be staged into, as hooks do", async () => {
    const scratch = join(sandbox.root, "scratch");
    await mkdir(join(scratch, "objects"), { recursive: true });
    const env = {
      GIT_INDEX_FILE: join(scratch, "index"),
      GIT_OBJECT_DIRECTORY: join(scratch, "objects"),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(main, ".git/objects"),
    };
    const before = await state();
    expect(await call(["add", "README.md"], { env })).toMatchObject({ code: 0 });
    expect(existsSync(env.GIT_INDEX_FILE)).toBe(true);
    expect(await call(["commit", "-m", "x"], { env })).toMatchObject(REFUSED);
    expect(await state()).toBe(before);
  });
});

describe("the way to git", () => {
  test("a bunfig.toml of the folder is not obeyed, and settings of the runtime in the environment are not either", async () => {
    await writeFile(join(other, "bunfig.toml"), 'preload = ["./planted.ts"]\n');
    await writeFile(join(other, "planted.ts"), 'console.log("planted"); process.exit(0);\n');
    const env = { BUN_OPTIONS: `--preload ${other}/planted.ts` };
    expect(await call(["rev-parse", "--show-toplevel"], { cwd: other, env })).toMatchObject({
      out: `${other}\n`,
      err: "",
    });
  });

  test("our folder twice, a second guard behind it, and a wrapper that begins the PATH again", async () => {
    const second = await guard("second", join(other, ".git"));
    const path = [shim, second, shim, second, sandbox.env.PATH].join(":");
    expect(await call(["log", "-1", "--format=%s"], { path })).toMatchObject({
      code: 0,
      out: "first\n",
      err: "",
    });
    expect(await call(["tag", "x"], { path })).toMatchObject(REFUSED);
    expect(await call(["tag", "x"], { path, cwd: other })).toMatchObject(REFUSED);
    const wrapper = join(sandbox.root, "wrapper");
    await mkdir(wrapper);
    await writeFile(join(wrapper, "git"), '#!/bin/sh\nexec git "$@"\n');
    await chmod(join(wrapper, "git"), 0o755);
    expect(
      await call(["log", "-1", "--format=%s"], { path: [shim, wrapper, sandbox.env.PATH].join(":") }),
    ).toMatchObject({
      code: 0,
      out: "first\n",
    });
  });

  test("without a git, the shell's own code for it", async () => {
    expect(await call(["status"], { path: shim })).toMatchObject({
      code: 127,
      err: "tazuna: there is no git on the PATH behind the guard.\n",
    });
  });

  test("a clean environment that keeps the PATH is no way around it; one without PATH is", async () => {
    const run = (line: string) =>
      Bun.spawn(["/bin/sh", "-c", line], {
        cwd: worktree,
        env: { ...sandbox.env, PATH: `${shim}:${sandbox.env.PATH}` },
        stdout: "ignore",
        stderr: "ignore",
      }).exited;
    expect(await run('exec env -i PATH="$PATH" git branch around')).toBe(1);
    expect(await run("exec env -i git branch around")).toBe(0);
    await sandbox.git(main, ["branch", "-D", "around"]);
  });
});

test.skipIf(BASH.missing)(
  `a login shell, whose files set the PATH anew, has the guard in front again${BASH.why}`,
  async () => {
    const users = join(sandbox.root, "users bash-env");
    await writeFile(users, "FROM_THE_USER=here\n");
    await writeFile(join(sandbox.home, ".profile"), `PATH="${sandbox.env.PATH}"\n`);
    const file = join(shim, "bash-env");
    await writeFile(file, bashEnvText({ folder: shim, before: users }));
    const say = async (...words: readonly string[]) => {
      const env = {
        ...sandbox.env,
        PATH: `${shim}:${sandbox.env.PATH}`,
        BASH_ENV: guardEnvironment({}, { folder: shim, remotes: { urls: [], pushUrls: [] } }).BASH_ENV,
      };
      const child = Bun.spawn(["bash", ...words], {
        cwd: worktree,
        env,
        stdout: "pipe",
        stderr: "ignore",
      });
      return new Response(child.stdout).text();
    };
    const line = 'command -v git; echo "$FROM_THE_USER"';
    for (const how of ["-lc", "-c"]) expect(await say(how, line)).toBe(`${shim}/git\nhere\n`);
    expect(await say("-lc", "git branch around || echo refused")).toBe("refused\n");
  },
);

describe("the environment beside it keeps a git that is called by its path from pushing", () => {
  const environment = async (remotes: { urls: readonly string[]; pushUrls: readonly string[] }, below = {}) =>
    guardEnvironment({ PATH: sandbox.env.PATH ?? "", ...below }, { folder: shim, remotes });

  test("no secret of a remote's address is handed on, and pushes to that address fail too", async () => {
    const urls = [
      "https://una:s3cret@host/a",
      "https://ghp_0a1b2c3d4e5f6g7h8i9j@host/b",
      "https://host/c@d",
      "git@host:e",
    ];
    const pushUrls = ["https://glpat-0a1b2c3d4e5f6g7h8i:x-oauth-basic@host/f", "ssh://git@host/g"];
    const env = await environment({ urls, pushUrls });
    const prefixes = Object.entries(env)
      .filter(([name]) => /^GIT_CONFIG_VALUE_/.test(name))
      .map(([, value]) => value);
    expect(prefixes).toEqual([
      "",
      "https://una:",
      "https://ghp_",
      "https://host/c@d",
      "git@host:e",
      "https://glpa",
      "ssh://git@host/g",
    ]);
    tally("attack", "an agent looks for the password of a remote's address in its environment", {
      under: "guard",
    });
    for (const url of [...urls.slice(0, 2), ...pushUrls.slice(0, 1)]) {
      const pushed = sandbox.git(main, ["push", url, "HEAD:refs/heads/x"], {
        env: { ...env, PATH: sandbox.env.PATH ?? "" },
      });
      await expect(pushed).rejects.toThrow("/dev/null/only-tazuna-pushes/");
    }
  });

  test("pushes to the repository's remotes fail, by name and address; fetches and other repositories' remotes of that name work", async () => {
    const [hub, elsewhere] = [await sandbox.origin("hub.git"), await sandbox.origin("elsewhere.git")];
    const [mine, theirs] = [await sandbox.clone(hub, "mine"), await sandbox.clone(elsewhere, "theirs")];
    const env = {
      ...sandbox.env,
      ...(await environment({ urls: [hub], pushUrls: [] })),
      PATH: sandbox.env.PATH ?? "",
    };
    for (const to of ["origin", hub])
      await expect(sandbox.git(mine, ["push", to, "HEAD:refs/heads/x"], { env })).rejects.toThrow(
        "only-tazuna-pushes",
      );
    expect(await sandbox.git(mine, ["ls-remote", "--heads", "origin"], { env })).toContain("refs/heads/main");
    await sandbox.git(mine, ["fetch", "origin"], { env });
    await sandbox.git(theirs, ["push", "--quiet", "origin", "HEAD:refs/heads/x"], { env });
  });

  test("an address of its own for pushes is closed as well", async () => {
    const [read, write] = [await sandbox.origin("read.git"), await sandbox.origin("write.git")];
    const both = await sandbox.clone(read, "both");
    await sandbox.git(both, ["config", "remote.origin.pushurl", write]);
    const env = { ...(await environment({ urls: [read], pushUrls: [write] })), PATH: sandbox.env.PATH ?? "" };
    await expect(sandbox.git(both, ["push", "origin", "HEAD:refs/heads/x"], { env })).rejects.toThrow(
      "only-tazuna-pushes",
    );
    await sandbox.git(both, ["fetch", "origin"], { env });
  });

  test("no helper for credentials is asked, whichever address it is for, and the program's own settings stay", async () => {
    const trace = join(sandbox.root, "asked");
    const helper = `!f() { echo asked >> '${trace}'; }; f`;
    await writeFile(
      join(sandbox.home, ".gitconfig"),
      `[credential]\n\thelper = "${helper}"\n[credential "https://example.com"]\n\thelper = "${helper}"\n`,
    );
    const own = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "user.name", GIT_CONFIG_VALUE_0: "Own" };
    const env = {
      ...sandbox.env,
      ...own,
      ...(await environment({ urls: [], pushUrls: [] }, own)),
      PATH: sandbox.env.PATH ?? "",
    };
    const stdin = "protocol=https\nhost=example.com\n\n";
    await expect(sandbox.git(other, ["credential", "fill"], { env, stdin })).rejects.toThrow(
      "terminal prompts disabled",
    );
    expect(existsSync(trace)).toBe(false);
    expect(await sandbox.git(other, ["config", "user.name"], { env })).toBe("Own");
  });
});
