import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chooseRemotes,
  fetchesAllBranches,
  fetchesBranch,
  fetchesOverLocalRefs,
  listRemotes,
  type Remote,
} from "../../src/git/remote/remote.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { discovered, productGit, TEST_TIMEOUT_MS, targetOf } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const remote = (name: string, fetchRefspecs = [`+refs/heads/*:refs/remotes/${name}/*`]): Remote => ({
  name,
  fetchUrl: `https://example.com/${name}.git`,
  pushUrl: `https://example.com/${name}.git`,
  pushUrls: [`https://example.com/${name}.git`],
  pushesElsewhere: false,
  credentialsInUrl: false,
  fetchRefspecs,
});

describe("the remotes of a repository", () => {
  test("are listed as git uses them, without credentials", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await sandbox.git(repo, ["remote", "add", "origin", "https://una:ghp_secret@example.com/a/b.git"]);
    await sandbox.git(repo, ["remote", "add", "fork", "gh:una/b"]);
    await sandbox.git(repo, ["config", "url.https://github.com/.insteadOf", "gh:"]);
    await sandbox.git(repo, ["remote", "set-url", "--push", "fork", "git@github.com:una/b.git"]);
    const git = productGit(sandbox);
    const listed = (await listRemotes(git, targetOf(await discovered(git, repo))))._unsafeUnwrap();
    expect(listed).toEqual([
      {
        name: "fork",
        fetchUrl: "https://github.com/una/b",
        pushUrl: "git@github.com:una/b.git",
        pushUrls: ["git@github.com:una/b.git"],
        pushesElsewhere: true,
        credentialsInUrl: false,
        fetchRefspecs: ["+refs/heads/*:refs/remotes/fork/*"],
      },
      {
        name: "origin",
        fetchUrl: "https://example.com/a/b.git",
        pushUrl: "https://example.com/a/b.git",
        pushUrls: ["https://example.com/a/b.git"],
        pushesElsewhere: false,
        credentialsInUrl: true,
        fetchRefspecs: ["+refs/heads/*:refs/remotes/origin/*"],
      },
    ]);
    expect(JSON.stringify(listed)).not.toContain("ghp_secret");
  });

  test("have an address of their own for pushes, the first of each kind", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await sandbox.git(repo, ["remote", "add", "origin", "https://example.com/a.git"]);
    await sandbox.git(repo, ["remote", "set-url", "--add", "origin", "https://example.com/b.git"]);
    await sandbox.git(repo, ["remote", "add", "fork", "https://example.com/c.git"]);
    await sandbox.git(repo, ["remote", "set-url", "--push", "fork", "https://una:pw@example.com/d.git"]);
    const git = productGit(sandbox);
    const urls = async () =>
      (await listRemotes(git, targetOf(await discovered(git, repo))))
        ._unsafeUnwrap()
        .map(({ name, fetchUrl, pushUrl, credentialsInUrl }) => [name, fetchUrl, pushUrl, credentialsInUrl]);
    const plain = [
      ["fork", "https://example.com/c.git", "https://example.com/d.git", true],
      ["origin", "https://example.com/a.git", "https://example.com/a.git", false],
    ];
    expect(await urls()).toEqual(plain);
    await sandbox.git(repo, ["config", "--global", "url.ssh://elsewhere/.insteadOf", "nothing:"]);
    expect(await urls()).toEqual(plain);
    await sandbox.git(repo, [
      "config",
      "--global",
      "url.ssh://git@example.com/.pushInsteadOf",
      "https://example.com/",
    ]);
    expect(await urls()).toEqual([
      plain[0] ?? [],
      ["origin", "https://example.com/a.git", "ssh://git@example.com/a.git", false],
    ]);
  });

  test("are none in a repository of its own", async () => {
    await using sandbox = await gitSandbox();
    const git = productGit(sandbox);
    const repo = await discovered(git, await sandbox.repository("repo"));
    expect((await listRemotes(git, targetOf(repo)))._unsafeUnwrap()).toEqual([]);
  });
});

describe("the remote that is chosen", () => {
  const chosen = (remotes: readonly Remote[], wanted: { remote?: string; pushRemote?: string } = {}) =>
    chooseRemotes(remotes, { remote: wanted.remote ?? null, pushRemote: wanted.pushRemote ?? null }).map(
      (both) => both && { fetch: both.fetch.name, push: both.push.name },
    );

  test("is the configured one, else origin, else the only one, else none", () => {
    const [origin, fork] = [remote("origin"), remote("fork")];
    expect(chosen([origin, fork])._unsafeUnwrap()).toEqual({ fetch: "origin", push: "origin" });
    expect(chosen([origin, fork], { remote: "fork" })._unsafeUnwrap()).toEqual({
      fetch: "fork",
      push: "fork",
    });
    expect(chosen([origin, fork], { pushRemote: "fork" })._unsafeUnwrap()).toEqual({
      fetch: "origin",
      push: "fork",
    });
    expect(chosen([fork])._unsafeUnwrap()).toEqual({ fetch: "fork", push: "fork" });
    expect(chosen([])._unsafeUnwrap()).toBeNull();
  });

  test("is an error if it cannot be told or does not exist", () => {
    expect(chosen([remote("a"), remote("b")])._unsafeUnwrapErr()).toMatchObject({
      kind: "remote_missing",
      names: ["a", "b"],
    });
    expect(chosen([remote("a")], { remote: "orign" })._unsafeUnwrapErr()).toMatchObject({
      name: "orign",
      names: ["a"],
    });
    expect(chosen([], { remote: "origin" })._unsafeUnwrapErr()).toMatchObject({ name: "origin", names: [] });
  });
});

describe("a fetch refspec", () => {
  test("says which branches a plain fetch brings", () => {
    expect(fetchesBranch(remote("origin"), "feature/x")).toBe(true);
    const single = remote("origin", ["+refs/heads/main:refs/remotes/origin/main"]);
    expect(fetchesBranch(single, "main")).toBe(true);
    expect(fetchesBranch(single, "feature")).toBe(false);
    expect(fetchesBranch(remote("origin", []), "main")).toBe(false);
    expect(fetchesBranch(remote("origin", ["+refs/heads/rel-*:refs/remotes/origin/rel-*"]), "rel-1")).toBe(
      true,
    );
    expect(fetchesBranch(remote("origin", ["+refs/heads/rel-*:refs/remotes/origin/rel-*"]), "main")).toBe(
      false,
    );
  });

  test("of a mirror would overwrite local references", () => {
    expect(fetchesOverLocalRefs(remote("origin", ["+refs/*:refs/*"]))).toBe(true);
    expect(fetchesOverLocalRefs(remote("origin", ["+refs/heads/*:refs/heads/*"]))).toBe(true);
    expect(fetchesOverLocalRefs(remote("origin"))).toBe(false);
    expect(fetchesOverLocalRefs(remote("origin", ["refs/heads/main"]))).toBe(false);
  });
});

test("whether a fetch brings every branch is read off the refspecs", () => {
  const all = (...refspecs: string[]) => fetchesAllBranches(remote("o", refspecs));
  expect([
    all("+refs/heads/*:refs/remotes/o/*"),
    all("+refs/*:refs/*"),
    all("refs/heads/*:refs/remotes/o/*", "^refs/heads/private"),
    all("+refs/heads/main:refs/remotes/o/main"),
    all("+refs/heads/*:refs/remotes/other/*"),
    all(),
  ]).toEqual([true, true, false, false, false, false]);
});
