/** Makes repositories in which there is something to lose: uncommitted, untracked, ignored, stashed, amended away. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tempDir } from "../../../helpers/temp-dir.ts";

/** What the repository is in the middle of. */
export const MOODS = ["dirty", "clean", "merging", "rebasing", "bisecting"] as const;
export type Mood = (typeof MOODS)[number];

export interface Worlds extends AsyncDisposable {
  /** A fresh copy of the world, at a path of its own. */
  copy(mood: Mood): Promise<World>;
}

/** `root` holds the workspace `ws`, and around it what no call may touch. */
export interface World extends AsyncDisposable {
  readonly root: string;
  readonly workspace: string;
  readonly mood: Mood;
}

export const SECRET = "the-secret-outside-4711";
/** Every planted program leaves a line here. */
export const CANARY_LOG = "canary.log";

const CANARY = `#!/bin/sh\necho "$0 $*" >> "$(dirname "$0")/../${CANARY_LOG}"\n`;

const HOOKS = ["pre-commit", "post-checkout", "post-merge", "pre-rebase", "pre-push", "post-rewrite"];
/** Hooks start in the top folder of the repository. */
const HOOK = `#!/bin/sh\necho "$0" >> ../${CANARY_LOG}\n`;

/** A copy of a file is as good as the file: git ignores its inode number and creation time. */
const CONFIGURATION =
  "[user]\n\tname = Una\n\temail = una@example.com\n[init]\n\tdefaultBranch = main\n[core]\n\tcheckStat = minimal\n\ttrustctime = false\n";

export async function makeWorlds(): Promise<Worlds> {
  const dir = await tempDir();
  const templates = new Map<Mood, Promise<string>>();
  let copies = 0;
  const templateOf = (mood: Mood): Promise<string> => {
    const root = join(dir.path, mood);
    const made = templates.get(mood) ?? build(root, mood).then(() => root);
    templates.set(mood, made);
    return made;
  };
  return {
    async copy(mood) {
      copies += 1;
      const root = join(dir.path, `copy-${copies}`);
      await run(dir.path, ["cp", "-a", await templateOf(mood), root]);
      await moveWorktree(join(root, "ws"));
      return {
        root,
        workspace: join(root, "ws"),
        mood,
        [Symbol.asyncDispose]: () => run(dir.path, ["rm", "-rf", root]),
      };
    },
    [Symbol.asyncDispose]: dir[Symbol.asyncDispose],
  };
}

/** A linked worktree knows its repository by an absolute path, and the other way round. */
async function moveWorktree(ws: string): Promise<void> {
  await writeFile(join(ws, "wt/.git"), `gitdir: ${ws}/.git/worktrees/wt\n`);
  await writeFile(join(ws, ".git/worktrees/wt/gitdir"), `${ws}/wt/.git\n`);
}

export function worldEnvironment(root: string): Record<string, string> {
  return {
    PATH: `${process.env.PATH ?? "/usr/bin:/bin"}:${join(root, "bin")}`,
    HOME: join(root, "home"),
    GIT_CONFIG_NOSYSTEM: "1",
    LC_ALL: "C",
    TMPDIR: join(root, "tmp"),
  };
}

async function build(root: string, mood: Mood): Promise<void> {
  const ws = join(root, "ws");
  const git = (cwd: string, ...args: readonly string[]) =>
    run(cwd, ["git", "-c", "protocol.file.allow=always", ...args], worldEnvironment(root));
  await around(root);
  await git(root, "init", "-q", "--bare", "origin.git");
  await git(root, "init", "-q", "--bare", "libs.git");
  await git(root, "init", "-q", "libs");
  await put(join(root, "libs"), { "lib.txt": "lib\n", ".gitignore": "*.o\n" });
  await git(join(root, "libs"), "add", "-A");
  await git(join(root, "libs"), "commit", "-qm", "lib");
  await git(join(root, "libs"), "push", "-q", "../libs.git", "main");
  await git(root, "init", "-q", ws);
  await history(ws, (...args) => git(ws, ...args));
  await uncommitted(ws, mood, (...args) => git(ws, ...args));
}

/** What lies around the workspace: a home, a secret, programs on PATH that must never run. */
async function around(root: string): Promise<void> {
  await put(root, {
    "home/.gitconfig": CONFIGURATION,
    "outside/secret.txt": `${SECRET}\n`,
    "tmp/keep": "keep\n",
  });
  for (const name of ["canary", "git-canary", "git-remote-canary", "git-merge-canary"]) {
    await put(root, { [`bin/${name}`]: CANARY });
    await chmod(join(root, "bin", name), 0o755);
  }
}

type Git = (...args: readonly string[]) => Promise<void>;

async function history(ws: string, git: Git): Promise<void> {
  const commit = async (message: string, files: Readonly<Record<string, string>>) => {
    await put(ws, files);
    await git("add", "-A");
    await git("commit", "-qm", message);
  };
  await commit("first", {
    ".gitignore": ".env\nbuild/\n*.o\n/wt/\n/nested/\n",
    "src/app.txt": "one\ntwo\nthree\n",
    "src/other.txt": "other\n",
    "patchme.txt": "a\nb\nc\n",
    "old.txt": "old\n",
    "run-canary": CANARY,
    "msg.txt": "a message\n",
    "list.txt": "src/app.txt\n",
    "fix.patch": "--- a/patchme.txt\n+++ b/patchme.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
  });
  await chmod(join(ws, "run-canary"), 0o755);
  await git("branch", "merged");
  await commit("second", { "src/app.txt": "1\ntwo\nthree\nfour\n" });
  await git("tag", "-a", "v1", "-m", "one");
  await git("checkout", "-qb", "feature", "HEAD~1");
  await commit("on feature", { "src/app.txt": "ONE\ntwo\nthree\n", "feature.txt": "feature\n" });
  await git("checkout", "-qb", "topic", "main");
  await commit("on topic", { "topic.txt": "topic\n" });
  await git("format-patch", "-q", "-1", "-o", "patches", "HEAD");
  await tracksIgnored(ws, git);
  await git("checkout", "-q", "main");
  await quietBranch(git);
  await git("remote", "add", "origin", "../origin.git");
  await git("push", "-q", "origin", "main", "feature", "tracks", "main:gone");
  await git("fetch", "-q", "origin");
  await git("push", "-q", "origin", ":gone", "topic:newer");
  await git("update-ref", "refs/remotes/origin/gone", "refs/heads/main");
  await git("branch", "-q", "-u", "origin/main");
  await commit("to be amended", { "src/other.txt": "amended away\n" });
  await git("commit", "-q", "--amend", "-m", "amended");
  await git("notes", "add", "-m", "a note");
  await git("submodule", "--quiet", "add", "../libs.git", "lib");
  await git("commit", "-qm", "with a submodule");
  await git("tag", "v2");
  for (const stash of ["first", "second"]) {
    await put(ws, { "src/other.txt": `${stash} stash\n` });
    await git("stash", "push", "-q", "-m", stash);
  }
  await git("worktree", "add", "-q", "-b", "wtb", "wt");
}

/** Branches on which is tracked what is ignored elsewhere: `untracks` takes it out again, and a stash changes it. */
async function tracksIgnored(ws: string, git: Git): Promise<void> {
  await git("checkout", "-qb", "tracks", "main");
  await put(ws, { ".env": "TOKEN=theirs\n", build: "a file\n", "kept.o/x": "a folder\n" });
  await git("add", "-f", ".env", "build", "kept.o");
  await git("commit", "-qm", "tracks what is ignored");
  await put(ws, { ".env": "TOKEN=stashed\n" });
  await git("stash", "push", "-q", "-m", "of what is ignored");
  await git("checkout", "-qb", "untracks");
  await git("rm", "-q", ".env", "build", "kept.o/x");
  await git("commit", "-qm", "takes it out");
  await put(ws, { "untracks.txt": "later\n" });
  await git("add", "-A");
  await git("commit", "-qm", "later");
}

/** A branch whose commit no log of HEAD knows. */
async function quietBranch(git: Git): Promise<void> {
  await git("worktree", "add", "-q", "-b", "quiet", "quiet-tree");
  await git("-C", "quiet-tree", "commit", "-q", "--allow-empty", "-m", "quiet");
  await git("worktree", "remove", "quiet-tree");
}

/** What is only in files, in the linked worktree and in a nested repository too. */
async function uncommitted(ws: string, mood: Mood, git: Git): Promise<void> {
  await put(ws, {
    "wt/src/app.txt": "changed in the worktree\n",
    "wt/new.txt": "untracked in the worktree\n",
    "wt/.env": "ignored in the worktree\n",
    "lib/x.o": "ignored in the submodule\n",
    ".env": "TOKEN=1\n",
    "build/out.bin": "built\n",
    "kept.o": "compiled\n",
    "notes.txt": "untracked\n",
    "-f": "named like an option\n",
    "scratch/deep/file.txt": "untracked and deep\n",
    "nested/file.txt": "in a nested repository\n",
  });
  await git("init", "-q", "nested");
  await git("-C", "nested", "add", "-A");
  await git("-C", "nested", "commit", "-qm", "nested");
  await put(ws, { "nested/file.txt": "changed in a nested repository\n" });
  await run(ws, ["ln", "-s", "../outside", "link"]);
  if (mood === "dirty") {
    await put(ws, { "staged.txt": "staged\n", "src/other.txt": "staged version\n" });
    await git("add", "staged.txt", "src/other.txt");
    await put(ws, { "src/other.txt": "later version\n", "src/app.txt": "1\ntwo\nthree\nfour\nmine\n" });
  }
  const failing = (...args: readonly string[]) => git(...args).catch(() => undefined);
  if (mood === "merging") await failing("merge", "feature");
  if (mood === "rebasing") await failing("rebase", "feature");
  if (mood === "merging" || mood === "rebasing")
    await put(ws, { "src/app.txt": `resolved by hand in ${mood}\n` });
  if (mood === "bisecting") await git("bisect", "start", "HEAD", "merged");
  await put(ws, Object.fromEntries(HOOKS.map((name) => [`.git/hooks/${name}`, HOOK])));
  for (const name of HOOKS) await chmod(join(ws, ".git/hooks", name), 0o755);
}

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

async function run(
  cwd: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = { PATH: process.env.PATH ?? "" },
): Promise<void> {
  const child = Bun.spawn([...argv], {
    cwd,
    env: { ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [stderr, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`${argv.join(" ")} in ${cwd} ended with ${code}: ${stderr}`);
}

/** Text of a file, or empty if there is none. */
export async function textOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
