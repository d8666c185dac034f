import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { redactUrl } from "../../src/git/process/redact-url.ts";
import { chooseRemotes, listRemotes } from "../../src/git/remote/remote.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import {
  committedEdit,
  discovered,
  madeWorktree,
  productGit,
  pushTip,
  TEST_TIMEOUT_MS,
  targetOf,
} from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

type Pairs = readonly (readonly [key: string, value: string])[];

/** A repository, and a way to give it the whole of a user's configuration at once. */
async function configurable() {
  const stack = new AsyncDisposableStack();
  const sandbox = stack.use(await gitSandbox());
  const repo = await sandbox.repository("repo");
  const git = productGit(sandbox);
  const target = targetOf(await discovered(git, repo));
  const write = async (settings: Pairs) => {
    await writeFile(join(repo, ".git/remotes"), settings.map(sectionOf).join(""));
    await sandbox.git(repo, ["config", "include.path", "remotes"]);
  };
  const listed = async () =>
    (await listRemotes(git, target))
      ._unsafeUnwrap()
      .map(({ name, fetchUrl, pushUrl }) => ({ name, fetchUrl, pushUrl }));
  return { sandbox, repo, git, target, write, listed, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** `remote.NAME.url` and its value as a file of git's has them. */
function sectionOf([key, value]: Pairs[number]): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
  const name = first === last ? "" : ` ${quoted(key.slice(first + 1, last))}`;
  return `[${key.slice(0, first)}${name}]\n\t${key.slice(last + 1)} = ${quoted(value)}\n`;
}

/** Every remote with the addresses that git itself would take. */
async function gitsAnswer(sandbox: GitSandbox, repo: string) {
  const names = (await sandbox.git(repo, ["remote"])).split("\n").filter((name) => name !== "");
  const url = async (...args: readonly string[]) =>
    redactUrl(await sandbox.git(repo, ["remote", "get-url", ...args]));
  return Promise.all(
    names
      .sort()
      .map(async (name) => ({ name, fetchUrl: await url(name), pushUrl: await url("--push", name) })),
  );
}

describe("the addresses of a remote are git's own answer", () => {
  test("if several rules fit, the longest match counts, for pushes theirs before the others", async () => {
    await using at = await configurable();
    await at.write([
      ["remote.origin.url", "https://example.com/a/b"],
      ["url.short:.insteadOf", "https://"],
      ["url.long:.insteadOf", "https://example.com/a/"],
      ["url.middle:.insteadOf", "https://example.com/"],
      ["url.push-short:.pushInsteadOf", "https://"],
      ["url.push-long:.pushInsteadOf", "https://example.com/"],
      ["remote.explicit.url", "https://example.com/c"],
      ["remote.explicit.pushurl", "https://example.com/d"],
    ]);
    const listed = await at.listed();
    expect(listed).toEqual(await gitsAnswer(at.sandbox, at.repo));
    expect(listed).toEqual([
      // An address of its own for pushes is rewritten by insteadOf only.
      { name: "explicit", fetchUrl: "middle:c", pushUrl: "middle:d" },
      { name: "origin", fetchUrl: "long:b", pushUrl: "push-long:a/b" },
    ]);
  });

  test("with several addresses for each way, only one for pushes, or words of git's own in one", async () => {
    await using at = await configurable();
    const plain: Pairs = [
      ["remote.many.url", "https://example.com/1"],
      ["remote.many.url", "https://example.com/2"],
      ["remote.many.pushurl", "https://example.com/3"],
      ["remote.many.pushurl", "https://example.com/4"],
      ["remote.pushonly.pushurl", "ssh://example.com/5"],
      ["remote.words.url", "/srv/x (push)/y"],
      ["remote.words.pushurl", "/srv/z (fetch)"],
      ["remote.words [it].url", "/srv/x [blob:none]"],
      ["remote.words.promisor", "true"],
      ["remote.words.partialclonefilter", "blob:none"],
      ["remote.fetchonly.fetch", "+refs/heads/*:refs/remotes/x/*"],
    ];
    for (const rewriting of [[], [["url.ssh://z/.insteadOf", "zz:"]]] as const) {
      await at.write([...plain, ...rewriting]);
      const known = (await gitsAnswer(at.sandbox, at.repo)).filter(({ name }) => name !== "fetchonly");
      expect(await at.listed()).toEqual(known);
    }
  });

  test("for any names, addresses and rules", async () => {
    await using at = await configurable();
    await fc.assert(
      fc.asyncProperty(REMOTES, RULES, async (remotes, rules) => {
        await at.write([...remotes, ...rules]);
        expect(await at.listed()).toEqual(await gitsAnswer(at.sandbox, at.repo));
      }),
      { numRuns: 40 },
    );
  });
});

describe("a push of the user's configuration", () => {
  test("remote.pushDefault and branch.B.pushRemote choose nothing: the remote of a run is named", async () => {
    await using sandbox = await gitSandbox();
    const [origin, fork] = [await sandbox.origin("origin.git"), await sandbox.origin("fork.git")];
    const repo = await sandbox.clone(origin, "repo");
    await sandbox.git(repo, ["remote", "add", "fork", fork]);
    await sandbox.git(repo, ["config", "remote.pushDefault", "fork"]);
    const git = productGit(sandbox);
    const remotes = (await listRemotes(git, targetOf(await discovered(git, repo))))._unsafeUnwrap();
    expect(remotes.map(({ name }) => name)).toEqual(["fork", "origin"]);
    const chosen = chooseRemotes(remotes, { remote: null, pushRemote: null })._unsafeUnwrap();
    expect([chosen?.fetch.name, chosen?.push.name]).toEqual(["origin", "origin"]);
    const worktree = await madeWorktree(sandbox, git, repo);
    await sandbox.git(repo, ["config", `branch.${worktree.branchName}.pushRemote`, "fork"]);
    const sha = await committedEdit(git, worktree);
    const request = { remote: "origin", branch: worktree.branchName, upstream: "set" } as const;
    expect((await pushTip(git, worktree.target, request))._unsafeUnwrap().success).toBe(true);
    expect(await sandbox.git(origin, ["rev-parse", worktree.branchName])).toBe(sha);
    expect(await sandbox.git(fork, ["branch", "--list", worktree.branchName])).toBe("");
  });

  test("goes to every address of a remote, and to the one that pushInsteadOf makes of it", async () => {
    await using sandbox = await gitSandbox();
    const names = ["one", "two", "three"];
    const [one = "", two = "", three = ""] = await Promise.all(
      names.map((name) => sandbox.origin(`${name}.git`)),
    );
    const repo = await sandbox.clone(one, "repo");
    for (const url of [two, join(sandbox.root, "alias", "three.git")])
      await sandbox.git(repo, ["remote", "set-url", "--add", "origin", url]);
    await sandbox.git(repo, [
      "config",
      `url.${sandbox.root}/.pushInsteadOf`,
      `${join(sandbox.root, "alias")}/`,
    ]);
    const git = productGit(sandbox);
    const worktree = await madeWorktree(sandbox, git, repo);
    const sha = await committedEdit(git, worktree);
    const request = { remote: "origin", branch: worktree.branchName, upstream: "set" } as const;
    const pushed = (await pushTip(git, worktree.target, request))._unsafeUnwrap();
    expect(pushed).toMatchObject({ success: true, upToDate: false });
    const there = (at: string) =>
      sandbox.git(at, ["branch", "--list", "--format=%(objectname)", worktree.branchName]);
    // If one address is rewritten for pushes, git pushes to such addresses only.
    expect(await Promise.all([one, two, three].map(there))).toEqual(["", "", sha]);
    await sandbox.git(repo, ["config", "--unset", `url.${sandbox.root}/.pushInsteadOf`]);
    await sandbox.git(repo, ["config", `url.${sandbox.root}/.insteadOf`, `${join(sandbox.root, "alias")}/`]);
    const again = (await pushTip(git, worktree.target, request))._unsafeUnwrap();
    expect(again).toMatchObject({ success: true, upToDate: false });
    expect(await Promise.all([one, two, three].map(there))).toEqual([sha, sha, sha]);
  });
});

const PREFIXES = [
  "https://",
  "https://example.com/",
  "https://example.com/a/",
  "gh:",
  "g",
  "/srv/",
  "ssh://una@h/",
];
const PREFIX = fc.constantFrom(...PREFIXES);
const URL = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(PREFIX, fc.constantFrom("a/b.git", "b", "x (push)", "y [z]", "", "手綱", 'q"\\'))
      .map((both) => both.join("")),
  },
  { weight: 1, arbitrary: fc.constantFrom("https://una:pw@example.com/a", "https://token@example.com/a/b") },
);
const NAME = fc.constantFrom("origin", "fork", "a.b", "a/b", "Origin", "ü", "url", "x y");

const REMOTES: fc.Arbitrary<Pairs> = fc
  .uniqueArray(NAME, { maxLength: 3 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc
          .tuple(fc.array(URL, { minLength: 1, maxLength: 3 }), fc.array(URL, { maxLength: 2 }))
          .map(
            ([urls, pushUrls]): Pairs => [
              ...urls.map((url) => [`remote.${name}.url`, url] as const),
              ...pushUrls.map((url) => [`remote.${name}.pushurl`, url] as const),
            ],
          ),
      ),
    ),
  )
  .map((all) => all.flat());

const RULES: fc.Arbitrary<Pairs> = fc.array(
  fc
    .tuple(PREFIX, fc.constantFrom("insteadOf", "pushInsteadOf"), PREFIX)
    .map(([base, key, from]) => [`url.${base}.${key}`, from] as const),
  { maxLength: 4 },
);
