/** Tells who is asked for credentials, in which order, and who never gets any, with real git, server and programs. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { createLender } from "../../src/app/engine/lend-credentials.ts";
import type { ForgeTokens } from "../../src/domain/forge/token-hosts.ts";
import { pushLfs } from "../../src/git/index/lfs.ts";
import { answerCredential } from "../../src/git/remote/answer-credential.ts";
import { fetchRemote } from "../../src/git/remote/fetch.ts";
import { remoteHead } from "../../src/git/remote/ls-remote.ts";
import { type Behaviour, type GitHttpServer, gitHttpServer } from "../helpers/git-http-server.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { GIT_LFS } from "../helpers/need.ts";
import { tally } from "../helpers/tally.ts";
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
const TOKEN = "canary-of-the-environment-1";
const GH = "canary-of-gh-2";
const USERS = "canary-of-the-helper-3";
const SELF = [
  process.execPath,
  "--no-env-file",
  "--config=/dev/null",
  join(import.meta.dir, "../../src/main.ts"),
];

interface Scene extends AsyncDisposable {
  readonly sandbox: GitSandbox;
  readonly server: GitHttpServer;
  readonly repo: string;
  readonly bin: string;
  /** Git as an engine has it that was started with these tokens and this environment. */
  git(tokens: ForgeTokens, env?: Readonly<Record<string, string>>): ReturnType<typeof productGit>;
  /** `user:password` of each request that carried one, without repetition. */
  logins(): readonly string[];
}

async function scene(password: string, behaviour: Partial<Behaviour> = {}): Promise<Scene> {
  const sandbox = await gitSandbox();
  await sandbox.origin("origin.git");
  const server = await gitHttpServer(sandbox.root, {
    password: { user: "x-access-token", password },
    ...behaviour,
  });
  const repo = await sandbox.clone(join(sandbox.root, "origin.git"), "repo");
  await sandbox.git(repo, ["remote", "set-url", "origin", server.url("origin.git")]);
  const bin = join(sandbox.root, "bin");
  await mkdir(bin);
  return {
    sandbox,
    server,
    repo,
    bin,
    git: (tokens, more = {}) => {
      const PATH = `${bin}${delimiter}${sandbox.env.PATH}`;
      const env = { ...sandbox.env, PATH, GITHUB_API_URL: server.url("api/v3"), ...more };
      const lend = createLender([{ env, tokens }], {
        selfCommand: SELF,
        forge: () => ({ kind: "auto", api_url: null }),
      });
      return productGit(sandbox, { env, lend });
    },
    logins: () => [...new Set(server.requests.flatMap(({ login }) => login ?? []))],
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

/** A program on the PATH, as the user would have installed it. */
async function program({ bin }: Scene, name: string, script: string): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, name), 0o755);
}

/** A credential helper of the user's own that writes down what it is told, and answers with this password. */
async function usersHelper(world: Scene, password: string | null): Promise<() => Promise<string>> {
  const log = join(world.sandbox.root, "helper.log");
  await writeFile(log, "");
  const says = password === null ? "" : `[ "$1" = get ] && printf 'username=una\\npassword=${password}\\n'`;
  await program(world, "git-credential-users", `{ echo "$1"; cat; } >> '${log}'\n${says}\ntrue`);
  await world.sandbox.git(world.repo, ["config", "--global", "credential.helper", "users"]);
  return () => readFile(log, "utf8");
}

async function pushOf(world: Scene, git: ReturnType<typeof productGit>) {
  const { gitDir } = await discovered(git, world.repo);
  const worktree = await madeWorktree(world.sandbox, git, world.repo);
  const sha = await committedEdit(git, worktree);
  const result = (await pushTip(git, worktree.target, FIRST))._unsafeUnwrap();
  return { sha, result, gitDir };
}

const arrived = (world: Scene) =>
  world.sandbox.git(join(world.sandbox.root, "origin.git"), ["rev-parse", BRANCH]);

describe("a remote that wants credentials", () => {
  test("gets the token of the environment, if the user's git has none", async () => {
    await using world = await scene(TOKEN);
    const git = world.git({ TAZUNA_GITHUB_TOKEN: TOKEN });
    const { sha, result, gitDir } = await pushOf(world, git);
    expect<unknown>(result).toMatchObject({ success: true });
    expect(await arrived(world)).toBe(sha);
    expect(world.logins()).toEqual([`x-access-token:${TOKEN}`]);
    expect(await readFile(join(gitDir, "config"), "utf8")).not.toContain("canary");
    const target = targetOf({ gitDir });
    expect((await remoteHead(git, target, { remote: "origin", branch: BRANCH }))._unsafeUnwrap()).toBe(sha);
  });

  test("gets the token although the user's git is newer and says in other words that it has none", async () => {
    await using world = await scene(TOKEN);
    const says = "s/^fatal: could not read .*/fatal: unable to get password from user/";
    const real = `'${Bun.which("git")}' "$@" 2> "$0.$$"; code=$?`;
    await program(world, "git", `${real}; sed '${says}' "$0.$$" >&2; rm "$0.$$"; exit $code`);
    const { gitDir } = await discovered(world.git({}), world.repo);
    const ask = (tokens: Readonly<Record<string, string>>) =>
      remoteHead(world.git(tokens), targetOf({ gitDir }), { remote: "origin", branch: "main" });
    expect((await ask({}))._unsafeUnwrapErr()).toMatchObject({
      kind: "remote_auth",
      message: "fatal: unable to get password from user",
    });
    expect((await ask({ TAZUNA_GITHUB_TOKEN: TOKEN })).isOk()).toBe(true);
  });

  test("gets what the user's own helper says, and nothing else is asked", async () => {
    await using world = await scene(USERS);
    world.server.behave({ password: { user: "una", password: USERS } });
    await usersHelper(world, USERS);
    await program(world, "gh", `echo asked >> '${join(world.sandbox.root, "gh.log")}'`);
    const { result } = await pushOf(world, world.git({ TAZUNA_GITHUB_TOKEN: TOKEN }));
    expect<unknown>(result).toMatchObject({ success: true });
    expect(world.logins()).toEqual([`una:${USERS}`]);
    expect(await Bun.file(join(world.sandbox.root, "gh.log")).exists()).toBe(false);
  });

  test("gets what gh says before the token of the environment", async () => {
    await using world = await scene(GH);
    const log = join(world.sandbox.root, "gh.log");
    await program(
      world,
      "gh",
      `{ echo "$@"; cat; env; } >> '${log}'; printf 'username=x-access-token\\npassword=${GH}\\n'`,
    );
    const { result } = await pushOf(world, world.git({ TAZUNA_GITHUB_TOKEN: TOKEN }));
    expect<unknown>(result).toMatchObject({ success: true });
    expect(world.logins()).toEqual([`x-access-token:${GH}`]);
    const said = await readFile(log, "utf8");
    expect(said).toContain("auth git-credential get\nprotocol=http\nhost=127.0.0.1:");
    expect(said).not.toContain(TOKEN);
  });

  test("gets the token if gh knows nothing or fails", async () => {
    for (const script of [
      "exit 0",
      "echo not logged in >&2; exit 1",
      "printf 'quit=1\\n'",
      "printf 'username=x\\n'",
    ]) {
      await using world = await scene(TOKEN);
      await program(world, "gh", script);
      const git = world.git({ TAZUNA_GITHUB_TOKEN: TOKEN });
      const { gitDir } = await discovered(git, world.repo);
      const remote = await remoteOf(git, await discovered(git, world.repo));
      if (remote === null) throw new Error("the clone has a remote");
      expect((await fetchRemote(git, targetOf({ gitDir }), remote)).isOk()).toBe(true);
    }
  });

  test("gets the token if the user's helper has an expired password, which git takes out of it as ever", async () => {
    await using world = await scene(TOKEN);
    const told = await usersHelper(world, "expired");
    const { result } = await pushOf(world, world.git({ TAZUNA_GITHUB_TOKEN: TOKEN }));
    expect<unknown>(result).toMatchObject({ success: true });
    expect(world.logins()).toEqual(["una:expired", `x-access-token:${TOKEN}`]);
    expect(await told()).toContain("erase\n");
  });

  test("refuses a wrong token: push_auth, and says so", async () => {
    await using world = await scene("another-one");
    world.server.behave({ password: null });
    const git = world.git({ TAZUNA_GITHUB_TOKEN: TOKEN });
    const worktree = await madeWorktree(world.sandbox, git, world.repo);
    await committedEdit(git, worktree);
    world.server.behave({ password: { user: "x-access-token", password: "another-one" } });
    const result = (await pushTip(git, worktree.target, FIRST))._unsafeUnwrap();
    expect<unknown>(result.error).toMatchObject({ kind: "remote_auth" });
    expect(JSON.stringify(result)).toContain("Authentication failed");
    expect(JSON.stringify(result)).not.toContain("canary");
  });
});

test.skipIf(GIT_LFS.missing)(
  `Git LFS gets the token for what it pushes, and for what a checkout needs${GIT_LFS.why}`,
  async () => {
    await using world = await scene(TOKEN);
    world.server.behave({ password: null });
    await world.sandbox.git(world.repo, ["lfs", "install"]);
    await world.sandbox.commit(world.repo, { ".gitattributes": "*.bin filter=lfs -text\n" });
    await world.sandbox.git(world.repo, ["push", "-q", "origin", "main"]);
    world.server.behave({ password: { user: "x-access-token", password: TOKEN } });
    const git = world.git({ TAZUNA_GITHUB_TOKEN: TOKEN });
    const worktree = await madeWorktree(world.sandbox, git, world.repo);
    const sha = await committedEdit(git, worktree, { "big.bin": "large content" });
    const request = { remote: "origin", branch: BRANCH, sha };
    const refused = await pushLfs(world.git({}), worktree.target, request);
    expect<unknown>(refused._unsafeUnwrapErr()).toMatchObject({ kind: "remote_auth" });
    expect(world.server.lfs.size).toBe(0);
    (await pushLfs(git, worktree.target, request))._unsafeUnwrap();
    expect([...world.server.lfs.values()].map(String)).toEqual(["large content"]);
    expect<unknown>((await pushTip(git, worktree.target, FIRST))._unsafeUnwrap()).toMatchObject({
      success: true,
    });
    await rm(join(world.repo, ".git", "lfs", "objects"), { recursive: true });
    const again = await madeWorktree(world.sandbox, git, world.repo, {
      branch: "tazuna/again",
      base: BRANCH,
    });
    expect(await readFile(join(again.path, "big.bin"), "utf8")).toBe("large content");
    expect(world.logins()).toEqual([`x-access-token:${TOKEN}`]);
  },
);

describe("the user's own helpers", () => {
  test("are never told to store what was lent", async () => {
    await using world = await scene(TOKEN);
    const told = await usersHelper(world, null);
    await world.sandbox.git(world.repo, ["config", "--global", "--add", "credential.helper", "store"]);
    await world.sandbox.git(world.repo, ["config", `credential.${world.server.url("")}.helper`, "users"]);
    const { result } = await pushOf(world, world.git({ TAZUNA_GITHUB_TOKEN: TOKEN }));
    expect<unknown>(result).toMatchObject({ success: true });
    expect(await told()).toContain("get\n");
    expect(await told()).not.toContain("canary");
    expect(await Bun.file(join(world.sandbox.home, ".git-credentials")).exists()).toBe(false);
    tally("attack", "a helper of the user's is told to store the token of the environment");
  });
});

describe("a host that was not named gets nothing", () => {
  test("if a remote's address leads there", async () => {
    await using world = await scene("x");
    const git = world.git(
      { TAZUNA_GITHUB_TOKEN: TOKEN, TAZUNA_GITLAB_TOKEN: TOKEN },
      { GITHUB_API_URL: "http://127.0.0.1:1/api" },
    );
    const { gitDir } = await discovered(git, world.repo);
    const asked = await remoteHead(git, targetOf({ gitDir }), { remote: "origin", branch: "main" });
    expect<unknown>(asked._unsafeUnwrapErr()).toMatchObject({ kind: "remote_auth" });
    expect(world.logins()).toEqual([]);
    expect(world.server.requests.map(({ headers }) => headers).join()).not.toContain("canary");
    tally("attack", "a remote's address leads to a host that the token is not for");
  });

  test("if gh would take a token of the environment for it", async () => {
    await using world = await scene("x");
    const log = join(world.sandbox.root, "gh.log");
    const script = `env >> '${log}'; [ -n "$GH_ENTERPRISE_TOKEN$GITLAB_TOKEN" ] && printf "username=x\\npassword=$GH_ENTERPRISE_TOKEN$GITLAB_TOKEN\\n"`;
    for (const name of ["gh", "glab"]) await program(world, name, script);
    const git = world.git(
      {},
      { GH_ENTERPRISE_TOKEN: TOKEN, GITLAB_TOKEN: TOKEN, GH_TOKEN: TOKEN, OAUTH_TOKEN: TOKEN },
    );
    const { gitDir } = await discovered(git, world.repo);
    const asked = await remoteHead(git, targetOf({ gitDir }), { remote: "origin", branch: "main" });
    expect(asked.isErr()).toBe(true);
    expect(world.logins()).toEqual([]);
    expect(await readFile(log, "utf8")).not.toContain("canary");
    tally("attack", "gh and glab are asked for a foreign host with tokens in the environment");
  });

  test("if the named host redirects to it", async () => {
    await using world = await scene(TOKEN);
    await using thief = await gitHttpServer(world.sandbox.root, { password: { user: "x", password: "y" } });
    world.server.behave({ redirectTo: thief.url("").replace(/\/$/, "") });
    const git = world.git({ TAZUNA_GITHUB_TOKEN: TOKEN });
    const { gitDir } = await discovered(git, world.repo);
    const asked = await remoteHead(git, targetOf({ gitDir }), { remote: "origin", branch: "main" });
    expect(asked.isErr()).toBe(true);
    expect(thief.requests.length).toBeGreaterThan(0);
    expect(thief.requests.map(({ headers, path }) => headers + path).join()).not.toContain("canary");
    expect(thief.requests.flatMap(({ login }) => login ?? [])).toEqual([]);
    tally("attack", "the named host redirects to a thief");
  });

  test("if the configuration of the repository sends every redirect on after the login", async () => {
    await using world = await scene(TOKEN);
    await using thief = await gitHttpServer(world.sandbox.root, { password: { user: "x", password: "y" } });
    await world.sandbox.git(world.repo, ["config", "http.followRedirects", "true"]);
    const git = world.git({ TAZUNA_GITHUB_TOKEN: TOKEN });
    world.server.behave({ redirectAfterLogin: thief.url("").replace(/\/$/, "") });
    const { gitDir } = await discovered(git, world.repo);
    const asked = await remoteHead(git, targetOf({ gitDir }), { remote: "origin", branch: "main" });
    expect(asked.isErr()).toBe(true);
    expect(world.logins()).toEqual([`x-access-token:${TOKEN}`]);
    expect(thief.requests.map(({ headers, path }) => headers + path).join()).not.toContain(TOKEN);
    expect(thief.requests.flatMap(({ login }) => login ?? [])).toEqual([]);
    tally("attack", "the named host redirects to a thief once it has the login");
  });
});

describe("the helper", () => {
  const tokens = [
    { protocol: "https", host: "github.com", username: "x-access-token", password: TOKEN },
    { protocol: "http", host: "127.0.0.1:80", username: "x-access-token", password: TOKEN },
  ] as const;
  const asked = (request: string) => answerCredential({ request, env: { PATH: "/nonexistent" }, tokens });

  test("keeps the user name of the address", async () => {
    expect(await asked("protocol=https\nhost=github.com\nusername=una\n\n")).toBe(
      `username=una\npassword=${TOKEN}\n`,
    );
    expect(await asked("protocol=https\nhost=github.com\npath=a/b.git\nwwwauth[]=Basic\n\n")).toBe(
      `username=x-access-token\npassword=${TOKEN}\n`,
    );
  });

  test("answers nothing for any other place", async () => {
    const others = [
      ...[
        "protocol=http\nhost=github.com",
        "protocol=https\nhost=github.com:8443",
        "protocol=https\nhost=github.com.evil.example",
      ],
      ...[
        "protocol=https\nhost=api.github.com",
        "protocol=https\nhost=GITHUB.COM@evil.example",
        "protocol=http\nhost=127.0.0.1.evil.example:80",
      ],
      ...[
        "protocol=https\nhost=127.0.0.1:80",
        "protocol=ftp\nhost=github.com",
        "host=github.com",
        "protocol=https",
        "",
        "\n\nprotocol=https\nhost=github.com",
      ],
    ];
    for (const request of others) {
      expect(await asked(`${request}\n\n`)).toBe("");
      tally("attack", `git is made to ask for ${JSON.stringify(request)}`);
    }
  });

  test("does nothing when it is told to store or to erase", async () => {
    for (const action of ["store", "erase", "capability", ""]) {
      const env = { PATH: "/nonexistent", TAZUNA_LENT_TOKENS: JSON.stringify(tokens) };
      const told = Bun.spawnSync([...SELF, "__credential", action], {
        env,
        stdin: Buffer.from("protocol=https\nhost=github.com\n\n"),
      });
      expect([told.exitCode, told.stdout.toString(), told.stderr.toString()]).toEqual([0, "", ""]);
    }
  });
});

describe("git calls that talk to no remote", () => {
  test("have no token in their environment, and network calls only the user's own", async () => {
    await using world = await scene(TOKEN);
    const log = join(world.sandbox.root, "git.log");
    const real = Bun.which("git") ?? "git";
    await program(world, "git", `{ echo "$@"; env; echo; } >> '${log}'; exec '${real}' "$@"`);
    const { result } = await pushOf(
      world,
      world.git({ TAZUNA_GITHUB_TOKEN: TOKEN }, { GH_TOKEN: USERS, GITLAB_TOKEN: USERS }),
    );
    expect<unknown>(result).toMatchObject({ success: true });
    const calls = (await readFile(log, "utf8")).split("\n\n").map((call) => call.trim());
    const withCanary = calls.filter((call) => call.includes("canary"));
    const verbs = withCanary.map(
      (call) => /(?:^| )([a-z-]+) /.exec(call.replace(/--(git-dir|work-tree)=\S+ /g, ""))?.[1],
    );
    expect([...new Set(verbs)].sort()).toEqual(["fetch", "push", "reset"]);
    const lent = calls.filter((call) => call.includes(TOKEN));
    expect(lent.map((call) => call.split("\n", 1)[0]).join()).toMatch(/^[^\n]*push [^\n]*$/);
  });
});
