import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { stageAll } from "../../src/git/index/stage.ts";
import { deleteBranch } from "../../src/git/refs/branch.ts";
import { commit } from "../../src/git/refs/commit.ts";
import { fetchRemote } from "../../src/git/remote/fetch.ts";
import { resolveBase } from "../../src/git/remote/resolve-base.ts";
import { readIdentity } from "../../src/git/repository/identity.ts";
import { createRepositoryLock } from "../../src/git/runner/repository-lock.ts";
import { addWorktree, checkoutWorktree } from "../../src/git/worktree/worktree-add.ts";
import { listWorktrees } from "../../src/git/worktree/worktree-list.ts";
import { fingerprint } from "../helpers/checkout-fingerprint.ts";
import { gitHttpServer } from "../helpers/git-http-server.ts";
import { gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { discovered, productGit, pushTip, remoteOf, TEST_TIMEOUT_MS, targetOf } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

describe("one fetch", () => {
  test("serves every caller who asked before it began, and none who asked after", async () => {
    const lock = createRepositoryLock();
    const began: number[] = [];
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const fetch = async () => {
      began.push(began.length + 1);
      const number = began.length;
      await gates[number - 1]?.promise;
      return number;
    };
    const ask = () => lock.fetchOnce("/repo", { key: "origin", fetch });
    const busy = Promise.withResolvers<void>();
    const held = lock.shared("/repo", () => busy.promise);
    const early = [ask(), ask(), ask()];
    busy.resolve();
    await held;
    await until(() => began.length === 1);
    const late = [ask(), ask()];
    gates[0]?.resolve();
    expect(await Promise.all(early)).toEqual([1, 1, 1]);
    await until(() => began.length === 2);
    gates[1]?.resolve();
    expect(await Promise.all(late)).toEqual([2, 2]);
    expect(began).toEqual([1, 2]);
  });

  test("that fails fails for those it served, and the next one is tried anew", async () => {
    const lock = createRepositoryLock();
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      if (calls === 1) throw new Error("no network");
      return "fetched";
    };
    const ask = () => lock.fetchOnce("/repo", { key: "origin", fetch });
    expect((await Promise.allSettled([ask(), ask()])).map(({ status }) => status)).toEqual([
      "rejected",
      "rejected",
    ]);
    expect(await ask()).toBe("fetched");
    expect(calls).toBe(2);
  });

  test("that its only caller left before it began is not joined by a later one", async () => {
    const lock = createRepositoryLock();
    const busy = Promise.withResolvers<void>();
    const held = lock.shared("/repo", () => busy.promise);
    const ask = (signal?: AbortSignal) =>
      lock.fetchOnce("/repo", {
        key: "origin",
        fetch: async (gone) => (gone.aborted ? "canceled" : "fetched"),
        ...(signal && { signal }),
      });
    const first = new AbortController();
    const left = ask(first.signal);
    first.abort();
    const later = [ask(), ask()];
    busy.resolve();
    await held;
    expect([await left, ...(await Promise.all(later))]).toEqual(["canceled", "fetched", "fetched"]);
  });

  test("of one repository or remote does not stand for another", async () => {
    const lock = createRepositoryLock();
    const ask = (repo: string, key: string) =>
      lock.fetchOnce(repo, { key, fetch: async () => `${repo} ${key}` });
    expect(await Promise.all([ask("/a", "origin"), ask("/b", "origin"), ask("/a", "fork")])).toEqual([
      "/a origin",
      "/b origin",
      "/a fork",
    ]);
  });

  test("over the network is one request for many runs", async () => {
    await using sandbox = await gitSandbox();
    await sandbox.origin("origin.git");
    await using server = await gitHttpServer(sandbox.root);
    const repo = await sandbox.clone(server.url("origin.git"), "repo");
    const git = productGit(sandbox);
    const repository = await discovered(git, repo);
    const remote = await remoteOf(git, repository);
    if (remote === null) throw new Error("the clone has a remote");
    const lock = createRepositoryLock();
    const before = server.requests.length;
    const fetched = await Promise.all(
      Array.from({ length: 32 }, () =>
        lock.fetchOnce(repository.commonDir, {
          key: remote.name,
          fetch: () => fetchRemote(git, targetOf(repository), remote),
        }),
      ),
    );
    expect(fetched.every((one) => one.isOk())).toBe(true);
    const advertisements = server.requests.slice(before).filter(({ path }) => path.includes("info/refs"));
    expect(advertisements).toHaveLength(1);
  });
});

describe("the locks", () => {
  test("keep shared acts of one repository apart, pushes beside them, and the configuration from both", async () => {
    const lock = createRepositoryLock();
    const seen: string[] = [];
    const act = (name: string, gate: Promise<void>) => async () => {
      seen.push(`${name} begins`);
      await gate;
      seen.push(`${name} ends`);
    };
    const [first, second, pushing] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    const all = [
      lock.shared("/repo", act("add", first.promise)),
      lock.pushing("/repo", act("push", pushing.promise)),
      lock.shared("/repo", act("prune", second.promise)),
      lock.config("/repo", act("config", Promise.resolve())),
    ];
    await until(() => seen.length === 2);
    expect(seen).toEqual(["add begins", "push begins"]);
    first.resolve();
    await until(() => seen.includes("prune begins"));
    second.resolve();
    await until(() => seen.includes("prune ends"));
    expect(seen).not.toContain("config begins");
    pushing.resolve();
    await Promise.all(all);
    expect(seen.slice(-2)).toEqual(["config begins", "config ends"]);
  });
});

test(
  deep("32 runs at once on one clone: every worktree is made, every commit is pushed, nothing is lost"),
  async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`dir${n % 8}/file${n}.txt`, `content ${n}\n`]),
    );
    await sandbox.commitTo(origin, "main", files);
    const repo = await sandbox.clone(origin, "repo");
    const git = productGit(sandbox);
    const repository = await discovered(git, repo);
    const target = targetOf(repository);
    const lock = createRepositoryLock();
    const before = await fingerprint(repository);
    const { commonDir } = repository;
    let fetches = 0;

    const run = async (number: number): Promise<readonly [string, string]> => {
      const remote = await remoteOf(git, repository);
      if (remote === null) throw new Error("the clone has a remote");
      const fetch = () => {
        fetches += 1;
        return fetchRemote(git, target, remote);
      };
      (await lock.fetchOnce(commonDir, { key: remote.name, fetch }))._unsafeUnwrap();
      const question = { remote, branch: null, online: true, isOurs: () => false };
      const base = (await resolveBase(git, target, question))._unsafeUnwrap();
      const branch = `tazuna/run${String(number).padStart(2, "0")}`;
      const wanted = {
        path: join(sandbox.root, "worktrees", `run_${number}`),
        branch,
        baseBranch: base.branch ?? "",
        baseSha: base.sha,
      };
      const made = (await lock.shared(commonDir, () => addWorktree(git, target, wanted)))._unsafeUnwrap();
      const own = { gitDir: made.gitDir, workTree: made.path };
      (await checkoutWorktree(git, own))._unsafeUnwrap();
      await writeFiles(made.path, {
        "shared.txt": `run ${number}\n`,
        "dir0/file0.txt": `changed by ${number}\n`,
      });
      (await stageAll(git, own, { gitlinks: [] }))._unsafeUnwrap();
      const identity = (await readIdentity(git, own))._unsafeUnwrap();
      const committed = await commit(git, own, {
        branch,
        message: `Run ${number}`,
        identity,
        sign: "inherit",
        hooks: { mode: "off" },
      });
      const { sha } = committed._unsafeUnwrap();
      const pushed = await lock.pushing(commonDir, () =>
        pushTip(git, own, { remote: "origin", branch, upstream: "set" }),
      );
      expect(pushed._unsafeUnwrap()).toMatchObject({ success: true, upstreamWritten: true });
      return [branch, sha];
    };

    const results = await Promise.all(Array.from({ length: 32 }, (_, index) => run(index + 1)));
    const arrived = (
      await sandbox.git(origin, [
        "for-each-ref",
        "--format=%(refname:short) %(objectname)",
        "refs/heads/tazuna",
      ])
    ).split("\n");
    expect(arrived).toEqual(results.map(([branch, sha]) => `${branch} ${sha}`));
    const branches = results.map(([branch]) => branch);
    expect((await listWorktrees(git, target))._unsafeUnwrap()).toHaveLength(33);
    expect(await fingerprint(repository, { branches })).toEqual(before);
    expect(fetches).toBeLessThan(32);
    const gone = branches.slice(0, 4);
    await sandbox.git(repo, ["worktree", "remove", "--force", join(sandbox.root, "worktrees", "run_1")]);
    (await lock.config(commonDir, () => deleteBranch(git, target, gone[0] ?? "")))._unsafeUnwrap();
    expect(await sandbox.git(repo, ["branch", "--list", gone[0] ?? ""])).toBe("");
  },
);

/** Lets other work go on until something holds. */
function until(holds: () => boolean): Promise<true> {
  return waitFor("other work to go on", holds);
}
