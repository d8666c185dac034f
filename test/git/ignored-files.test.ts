import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { listHidden, rulesIn } from "../../src/git/index/hidden-files.ts";
import { listWantedIgnoredFiles } from "../../src/git/index/ignored-files.ts";
import { fingerprint } from "../helpers/checkout-fingerprint.ts";
import { type GitSandbox, gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { discovered, productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

async function ready(sandbox: GitSandbox) {
  const repo = await sandbox.repository("repo");
  await sandbox.commit(repo, { ".gitignore": ".env*\nconfig/local.json\nnode_modules/\n*.key\n" });
  await writeFiles(repo, {
    ".env": "A=1",
    ".env.local": "B=2",
    "config/local.json": "{}",
    "packages/a/.env": "C=3",
    "手綱\nodd.key": "k",
    "node_modules/x/.env": "no",
    "untracked.txt": "not ignored",
  });
  const git = productGit(sandbox);
  const checkout = { gitDir: `${repo}/.git`, workTree: repo };
  const list = async (patterns: readonly string[]) =>
    [...(await listWantedIgnoredFiles(git, checkout, patterns))._unsafeUnwrap()].sort();
  return { repo, git, list };
}

test("only ignored files that match a pattern are listed, as in .gitignore", async () => {
  await using sandbox = await gitSandbox();
  const { repo, git, list } = await ready(sandbox);
  const before = await fingerprint(await discovered(git, repo));
  expect(await list([])).toEqual([]);
  expect(await list(["config/local.json"])).toEqual(["config/local.json"]);
  expect(await list([".env*", "!.env.local", "/node_modules"])).toEqual([
    ".env",
    "node_modules/x/.env",
    "packages/a/.env",
  ]);
  expect(await list(["/.env*", "*.key", "untracked.txt", "README.md", "--help", "nothing"])).toEqual([
    ".env",
    ".env.local",
    "手綱\nodd.key",
  ]);
  expect(await fingerprint(await discovered(git, repo))).toEqual(before);
});

test("the patterns of .worktreeinclude count too", async () => {
  await using sandbox = await gitSandbox();
  const { repo, list } = await ready(sandbox);
  await writeFiles(repo, { ".worktreeinclude": "# what agents need\n/.env\n" });
  expect(await list([])).toEqual([".env"]);
  expect(await list(["config/"])).toEqual([".env", "config/local.json"]);
});

test("an old rule that ends in a blank hides nothing anew", async () => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  await sandbox.commit(repo, { ".gitignore": "blank\\ \ntab\t\nplain  \nend\\\\  \n" });
  const git = productGit(sandbox);
  const target = { gitDir: join(repo, ".git"), workTree: repo };
  await writeFiles(repo, { "blank ": "", "tab\t": "", plain: "", "end\\": "" });
  const before = (path: string) => rulesIn(git, target, { path, commits: ["HEAD"] });
  expect((await listHidden(git, target, before))._unsafeUnwrap()).toEqual([]);
  await writeFiles(repo, { ".gitignore": "blank\\ \ntab\t\nplain\nend\\\\\nnew\\ \n", "new ": "" });
  expect((await listHidden(git, target, before))._unsafeUnwrap()).toEqual(["new "]);
});
