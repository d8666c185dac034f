/** Tells what `tazuna clean` takes: what is finished and safe; what may hold work only if it is named. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CleanAnswer } from "../../src/contract/endpoints/trash.ts";
import {
  ask,
  branchAt,
  ending,
  exists,
  PATIENCE_MS,
  refused,
  type TaskEnd,
  usersSide,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);
const run = (script: string, ...more: string[]) => ask(product, ["run", script, "--agent", "doer", ...more]);
const pushed = () => run("echo one > one.txt");
const HOLD = { env: { TAZUNA_PUBLISH: "commit" } };
const committed = () => ask(product, ["run", "echo one > one.txt", "--agent", "doer"], HOLD);

async function clean(...args: string[]): Promise<CleanAnswer & { readonly code: number | null }> {
  const end = await product.tazuna(["clean", "--json", ...args]);
  return { code: end.code, ...end.json<CleanAnswer>() };
}

async function keptFor(end: TaskEnd, ...args: string[]): Promise<string | undefined> {
  return (await clean(...args)).kept.find(({ id }) => id === end.attempt.id)?.reason;
}

async function look(end: TaskEnd) {
  const { id, worktree, branch } = end.attempt;
  return {
    worktree: await exists(worktree),
    trash: await exists(join(product.home, "trash", id)),
    branch: await branchAt(product, product.repository, branch),
    state: (await product.tazuna(["show", id, "--json"])).json<{ state: string }>().state,
  };
}

test(
  deep(
    "what is finished and pushed goes into the trash with --yes, its branch too; without it nothing changes",
  ),
  async () => {
    const before = await usersSide(product);
    const end = await pushed();
    const { id, branch, worktree } = end.attempt;
    const dry = await clean();
    expect(dry.removed[0]?.bytes).toBeGreaterThan(10);
    expect(dry.removed).toMatchObject([{ id, path: worktree }]);
    expect(await look(end)).toEqual({
      worktree: true,
      trash: false,
      branch: end.run.commit,
      state: "pushed",
    });
    const done = await clean("--yes");
    expect(done).toMatchObject({ code: 0, removed: [{ id }], kept: [] });
    expect(await look(end)).toEqual({ worktree: false, trash: true, branch: null, state: "removed" });
    expect(await branchAt(product, product.origin, branch)).toBe(end.run.commit);
    expect((await clean("--yes")).removed).toEqual([]);
    expect((await product.tazuna(["trash", "restore", id])).code).toBe(0);
    expect(await look(end)).toEqual({
      worktree: true,
      trash: false,
      branch: end.run.commit,
      state: "pushed",
    });
    expect(await readFile(join(worktree, "one.txt"), "utf8")).toBe("one\n");
    expect((await clean(id.slice(0, 10), "--yes")).removed).toHaveLength(1);
    expect(await usersSide(product)).toEqual(before);
  },
);

test("what is not pushed stays unless it is named; then its branch stays, since nothing else leads to its commits", async () => {
  const end = await committed();
  expect(await keptFor(end, "--yes")).toContain("neither on a remote nor on another branch");
  expect((await look(end)).worktree).toBe(true);
  expect((await clean(end.attempt.id, "--yes")).removed).toMatchObject([{ id: end.attempt.id }]);
  expect(await look(end)).toEqual({ worktree: false, trash: true, branch: end.run.commit, state: "removed" });
});

test("what was merged into a branch of the user's goes, and its branch with it", async () => {
  const end = await committed();
  await git(product.repository, "branch", "theirs", end.run.commit ?? "");
  expect((await clean("--yes")).removed).toMatchObject([{ id: end.attempt.id }]);
  expect(await look(end)).toEqual({ worktree: false, trash: true, branch: null, state: "removed" });
  await git(product.repository, "branch", "-D", "theirs");
});

test(deep("another attempt's branch is no place that keeps commits: both would be gone"), async () => {
  const end = await committed();
  await git(product.repository, "branch", `${end.attempt.branch}-by-agent-12345678`, end.run.commit ?? "");
  expect(await keptFor(end, "--yes")).toContain("neither on a remote");
  await clean(end.attempt.id, "--yes");
});

const DIRTY: Readonly<Record<string, (worktree: string) => Promise<unknown>>> = {
  "an edit": (dir) => writeFile(join(dir, "one.txt"), "edited\n"),
  "a new file": (dir) => writeFile(join(dir, "new.txt"), "new\n"),
  "a staged file": async (dir) => {
    await writeFile(join(dir, "staged.txt"), "staged\n");
    await git(dir, "add", "staged.txt");
  },
  "a nested repository": async (dir) => {
    await git(dir, "init", "-q", "nested");
    await writeFile(join(dir, "nested", "x.txt"), "x\n");
  },
  "an edit that git was told not to look at": async (dir) => {
    await git(dir, "update-index", "--skip-worktree", "one.txt");
    await writeFile(join(dir, "one.txt"), "hidden\n");
  },
  "an edit that git was told to assume away": async (dir) => {
    await git(dir, "update-index", "--assume-unchanged", "one.txt");
    await writeFile(join(dir, "one.txt"), "hidden\n");
  },
  "a commit on no branch": async (dir) => {
    await git(dir, "checkout", "-q", "--detach");
    await git(dir, "commit", "-q", "--allow-empty", "-m", "aside");
  },
  "a commit that was not pushed": (dir) => git(dir, "commit", "-q", "--allow-empty", "-m", "more"),
  "a rebase that stands still": async (dir) => {
    await git(dir, "commit", "-q", "--allow-empty", "-m", "more");
    await git(dir, "push", "-q", "origin", "HEAD");
    await git(dir, "rebase", "-q", "--exec", "false", "HEAD~1").catch(() => {});
  },
  "a repository in place of its .git": async (dir) => {
    await rename(join(dir, ".git"), join(product.home, "pointer"));
    await git(dir, "init", "-q", ".");
  },
  "a pipe in place of its .git": async (dir) => {
    await rm(join(dir, ".git"));
    await Bun.spawn(["mkfifo", join(dir, ".git")]).exited;
  },
};

/** Those that `npm test` tries. */
const QUICK = new Set(["an edit", "a new file", "an edit that git was told not to look at"]);

for (const [what, make] of Object.entries(DIRTY)) {
  const title = `${what} keeps an attempt that is not named; named, all of it lies in the trash and comes back`;
  test(QUICK.has(what) ? title : deep(title), async () => {
    const end = await pushed();
    const { id, worktree } = end.attempt;
    await make(worktree);
    expect(await keptFor(end, "--yes")).toBeString();
    expect(await exists(worktree)).toBe(true);
    const files = await listing(worktree);
    const named = await clean(id, "--yes");
    expect(named).toMatchObject({ code: 0, removed: [{ id }] });
    expect(await listing(join(product.home, "trash", id))).toEqual(files);
    expect((await product.tazuna(["trash", "empty", "--json"])).code).toBe(0);
  });
}

async function listing(folder: string): Promise<readonly string[]> {
  const files = [...new Bun.Glob("**/*").scanSync({ cwd: folder, dot: true })].filter(
    (name) => name !== ".git",
  );
  const texts = await Promise.all(files.sort().map((name) => readFile(join(folder, name), "base64")));
  return files.map((name, index) => `${name} ${texts[index]}`);
}

test(
  deep(
    "a working run, a process there, or a link in place of the worktree keeps even a named attempt (promise 2.5)",
  ),
  async () => {
    const end = await pushed();
    const { id, worktree } = end.attempt;
    const sleeper = Bun.spawn(["sleep", "600"], { cwd: worktree });
    expect(await keptFor(end, id, "--yes")).toContain(`process (${sleeper.pid})`);
    expect((await clean(id, "--yes")).code).toBe(1);
    sleeper.kill("SIGKILL");
    await sleeper.exited;
    const away = `${worktree}.away`;
    await rename(worktree, away);
    await symlink(away, worktree);
    expect(await keptFor(end, id, "--yes")).toContain("Something else lies");
    expect(await exists(join(away, "one.txt"))).toBe(true);
    await rm(worktree);
    await rename(away, worktree);
    const going = await ask(product, ["run", "sleep 600", "--agent", "doer", "--detach"]);
    expect(await keptFor(going, going.attempt.id, "--yes")).toContain("A run goes on");
    await ask(product, ["cancel", going.attempt.id]);
    await clean(id, "--yes");
  },
);

test(
  deep("a failed run keeps its attempt unless it is named, and so does a worktree that is gone"),
  async () => {
    const failed = await run("exit 3");
    expect(await keptFor(failed, "--yes")).toContain("last run failed");
    const lost = await pushed();
    await rm(lost.attempt.worktree, { recursive: true });
    expect(await keptFor(lost, "--yes")).toContain("worktree is gone");
    expect((await clean(failed.attempt.id, "--yes")).removed).toHaveLength(1);
    expect((await clean(lost.document.task.id, "--yes")).removed).toMatchObject([
      { id: lost.attempt.id, bytes: 0 },
    ]);
    expect((await look(lost)).state).toBe("removed");
  },
);

test("what no attempt owns is named, kept, and untouched by --yes", async () => {
  const foreign = join(product.home, "worktrees", "foreign");
  await mkdir(foreign, { recursive: true });
  await writeFile(join(foreign, "mine.txt"), "mine\n");
  const kept = (await clean("--yes")).kept.find(({ path }) => path === foreign);
  expect(kept).toMatchObject({ id: "worktrees:foreign", whose: null, bytes: 5 });
  expect(kept?.remedy).toContain("yourself");
  expect(await readFile(join(foreign, "mine.txt"), "utf8")).toBe("mine\n");
  await rm(foreign, { recursive: true });
});

test(
  deep(
    "a branch of the user's that an attempt worked on stays, and so does one that is checked out elsewhere",
  ),
  async () => {
    await git(product.repository, "branch", "existing", "main");
    const theirs = await run("echo two > two.txt", "--branch", "existing");
    expect((await clean(theirs.attempt.id, "--yes")).removed).toHaveLength(1);
    expect((await look(theirs)).branch).toBe(theirs.run.commit);
    const end = await pushed();
    await git(end.attempt.worktree, "checkout", "-q", "--detach");
    const other = join(product.home, "other");
    await git(product.repository, "worktree", "add", "-q", other, end.attempt.branch);
    expect((await clean(end.attempt.id, "--yes")).removed).toHaveLength(1);
    expect(await look(end)).toMatchObject({ branch: end.run.commit, state: "removed" });
    await git(product.repository, "worktree", "remove", other);
  },
);

test("an unknown id exits with 1, an empty one with 2; the text says what, whose, why and how much", async () => {
  expect(await refused(product, ["clean", "zzzz"])).toMatchObject({ code: 1, error: { code: "not_found" } });
  expect((await refused(product, ["clean", " "])).code).toBe(2);
  const end = await pushed();
  const short = end.attempt.id.slice(0, 8);
  const { stdout } = await product.tazuna(["clean", short]);
  expect(stdout).toContain("Would be put away\n");
  expect(stdout).toContain(`The worktree on ${end.attempt.branch} (attempt ${short} of doer, `);
  expect(stdout).toContain(`Nothing was changed: \`tazuna clean ${short} --yes\` does it.`);
  expect((await look(end)).state).toBe("pushed");
});

test(
  deep("a cleaned attempt goes on at its old place: from the branch of the remote, or from the local one"),
  async () => {
    const end = await pushed();
    const { id, branch, worktree } = end.attempt;
    expect((await clean(id, "--yes")).removed).toHaveLength(1);
    expect(await branchAt(product, product.repository, branch)).toBeNull();
    await product.sandbox.commitTo(product.origin, branch, { "theirs.txt": "theirs\n" });
    const edits = await refused(product, ["continue", id]);
    expect(edits.error.code).toBe("nothing_to_commit");
    const later = await ask(product, ["continue", id, "ls > seen.txt; pwd > where.txt"]);
    expect<unknown>(ending(later.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect((await readFile(join(worktree, "where.txt"), "utf8")).trim()).toBe(worktree);
    expect((await readFile(join(worktree, "seen.txt"), "utf8")).split("\n")).toContain("theirs.txt");
    expect(await branchAt(product, product.origin, branch)).toBe(later.run.commit);

    const local = await committed();
    await clean(local.attempt.id, "--yes");
    expect(await branchAt(product, product.repository, local.attempt.branch)).toBe(local.run.commit);
    const again = await ask(product, ["continue", local.attempt.id, "cat one.txt > two.txt"], HOLD);
    expect<unknown>(ending(again.run)).toEqual({ status: "SUCCEEDED", outcome: "committed" });
  },
);

test(
  deep(
    "if its branch is neither here nor on the remote, `attempt_removed` names the way back, and that works",
  ),
  async () => {
    const end = await pushed();
    const { id, branch } = end.attempt;
    await clean(id, "--yes");
    await git(product.origin, "update-ref", "-d", `refs/heads/${branch}`);
    const gone = await refused(product, ["continue", id, "echo two > two.txt"]);
    expect(gone).toMatchObject({ code: 1, error: { code: "attempt_removed" } });
    const command = /`tazuna (trash restore \S+)`/.exec(gone.error.remedy)?.[1]?.split(" ") ?? [];
    expect((await product.tazuna(command)).code).toBe(0);
    const later = await ask(product, ["continue", id, "echo two > two.txt"]);
    expect<unknown>(ending(later.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });

    await ask(product, ["cancel", id]);
    const canceled = await refused(product, ["continue", id, "echo two > two.txt"]);
    expect(canceled.error).toMatchObject({
      code: "attempt_canceled",
      remedy: expect.stringContaining(`trash restore ${id.slice(0, 8)}`),
    });
  },
);

test(deep("a worktree that a person locked stays, whatever is asked, until it is unlocked"), async () => {
  const end = await pushed();
  const { id, worktree } = end.attempt;
  await git(product.repository, "worktree", "lock", "--reason", "on a stick", worktree);
  expect(await keptFor(end)).toBe("A person locked it (on a stick).");
  expect(await keptFor(end, id, "--yes")).toBe("A person locked it (on a stick).");
  const canceled = await refused(product, ["cancel", id]);
  expect(canceled.error.message).toContain("a person locked the worktree (on a stick)");
  expect(await exists(worktree)).toBe(true);
  for (const asked of ["retry", "publish", "restore"]) {
    const { remedy } = (await refused(product, [asked, asked === "restore" ? end.run.id : id])).error;
    expect(remedy).toContain("a person locked the worktree (on a stick); `git -C ");
    expect(remedy).toContain(`\`tazuna cancel ${id.slice(0, 8)}\` tries again.`);
  }
  const [, command = ""] = /`git -C (?:'[^']*'|\S+) (worktree unlock \.)`/.exec(canceled.error.message) ?? [];
  await git(worktree, ...command.split(" "));
  const again = await product.tazuna(["cancel", id]);
  expect(again.stdout).toContain(`\`tazuna trash restore ${id.slice(0, 8)}\` brings it back`);
  expect((await look(end)).state).toBe("removed");
});

test(
  deep("a dry run that names an attempt says which files are uncommitted; unknown branches are one finding"),
  async () => {
    const end = await pushed();
    await writeFile(join(end.attempt.worktree, "mine.txt"), "mine\n");
    const dry = await clean(end.attempt.id);
    expect(dry.removed[0]?.why).toBe(
      "It was named. It holds what is not committed: mine.txt. A snapshot is taken first.",
    );
    for (const name of ["one", "two"])
      await git(product.repository, "branch", `tazuna/unknown-${name}`, "main");
    const kept = (await clean()).kept.filter(({ id }) => id.endsWith(":refs/heads/tazuna"));
    expect(kept).toHaveLength(1);
    expect(kept[0]?.what).toContain("2 branches in ");
    const [, remove = ""] = /`git --git-dir=\S+ (branch -D [^`]*)`/.exec(kept[0]?.remedy ?? "") ?? [];
    await git(product.repository, ...remove.split(" "));
    expect((await clean()).kept.filter(({ id }) => id.includes("refs/heads/tazuna"))).toEqual([]);
  },
);

test(
  deep(
    "what is merged goes with its branch, also after a squash of a person; the remote's goes only if that is asked for",
  ),
  async () => {
    const { repository } = product;
    await clean("--yes");
    const others = async (end: TaskEnd) => {
      await git(repository, "merge", "--quiet", "--squash", end.attempt.branch);
      await git(repository, "commit", "--quiet", "-m", "Squashed");
    };
    const end = await committed();
    expect(await keptFor(end)).toContain("neither on a remote");
    await others(end);
    expect((await clean()).removed).toMatchObject([
      { id: end.attempt.id, why: expect.stringContaining("main") },
    ]);
    expect((await look(end)).state).toBe("committed");
    await writeFile(join(end.attempt.worktree, "note.txt"), "mine\n");
    expect(await keptFor(end, "--yes")).toContain("note.txt");
    await rm(join(end.attempt.worktree, "note.txt"));
    expect((await clean("--yes")).removed).toMatchObject([{ id: end.attempt.id }]);
    expect(await look(end)).toEqual({ worktree: false, trash: true, branch: null, state: "removed" });
    expect((await product.tazuna(["trash", "restore", end.attempt.id])).code).toBe(0);
    expect(await look(end)).toMatchObject({ worktree: true, branch: end.run.commit, state: "merged" });
    await clean("--yes");

    await product.configure({ forge: { delete_remote_branch: true } });
    const remote = (of: TaskEnd) => branchAt(product, product.origin, of.attempt.branch);
    const [mine, theirs, alone] = [
      await run("echo 2 > 2.txt"),
      await run("echo 3 > 3.txt"),
      await run("echo 4 > 4.txt"),
    ];
    for (const each of [mine, theirs])
      expect((await product.tazuna(["merge", each.attempt.id, "--here"])).code).toBe(0);
    const moved = await product.sandbox.commitTo(product.origin, theirs.attempt.branch, {
      "x.txt": "colleague\n",
    });
    const known = await git(repository, "rev-parse", "refs/remotes/origin/main");
    await git(repository, "push", "--quiet", "origin", "main");
    // As if somebody had pushed it from another machine: nobody here has fetched since.
    await git(repository, "update-ref", "refs/remotes/origin/main", known);
    expect((await product.tazuna(["merge", alone.attempt.id, "--here"])).code).toBe(0);
    expect((await clean("--yes")).removed).toHaveLength(3);
    expect([await remote(mine), await remote(theirs), await remote(alone)]).toEqual([
      null,
      moved,
      alone.run.commit,
    ]);
    await product.configure({ forge: {} });
  },
);
