/** Holds locks of git and database during a run: it waits or names the holder, and removes only free ones. */
import { Database } from "bun:sqlite";
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { doomedGit } from "../../helpers/doomed-git.ts";
import { ask, ending, exists, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { IN_TEAM, onSqlite } from "../../helpers/own-schema.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep, drawn } from "../../helpers/tier.ts";
import { readDataFolder } from "../crash/data-folder.ts";
import { eventually } from "../crash/eventually.ts";
import { whatIsWrong } from "../crash/what-is-wrong.ts";
import { type Held, holdable, type Phase, whileAt } from "./phases.ts";

setDefaultTimeout(PATIENCE_MS);

const product = await startProduct();
await holdable(product);
const { repository, sandbox } = product;

afterAll(async () => {
  try {
    expect(await whatIsWrong(product, { starts: null })).toEqual([]);
  } finally {
    await product[Symbol.asyncDispose]();
  }
});

const inGit = (...path: string[]) => join(repository, ".git", ...path);
const gitDirOf = (id: string) =>
  readDataFolder(product.home).attempts.find((attempt) => attempt.id === id)?.gitDir ?? "";

/** Lock files, by what they lock. */
const LOCKS = {
  "the worktree's index": ({ attempt }: Held) => join(gitDirOf(attempt.id), "index.lock"),
  "the worktree's HEAD": ({ attempt }: Held) => join(gitDirOf(attempt.id), "HEAD.lock"),
  "the attempt's branch": ({ attempt }: Held) => inGit("refs", "heads", `${attempt.branch}.lock`),
  "the index of the user's checkout": () => inGit("index.lock"),
  "the user's HEAD": () => inGit("HEAD.lock"),
  "the configuration": () => inGit("config.lock"),
  "the packed references": () => inGit("packed-refs.lock"),
  "the list of shallow commits": () => inGit("shallow.lock"),
  "the maintenance": () => inGit("objects", "maintenance.lock"),
  "the remote-tracking branch": ({ attempt }: Held) =>
    inGit("refs", "remotes", "origin", `${attempt.branch}.lock`),
} as const;

type Lock = keyof typeof LOCKS;

async function lock(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, "");
  return file;
}

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const failed = (failure: string) => ({ status: "FAILED", outcome: null, failure });

async function made(end: TaskEnd): Promise<readonly string[]> {
  const file = `${end.attempt.branch}:made.txt`;
  return (await sandbox.git(product.origin, ["cat-file", "-p", file])).split("\n");
}

/** Types the command that the remedy names last. */
function remedy(end: TaskEnd): Promise<TaskEnd> {
  const named = /`tazuna ((?:retry|continue) [^`]+)`/.exec(end.run.failure?.remedy ?? "")?.[1];
  if (named === undefined) throw new Error(`nothing is named: ${end.run.failure?.remedy}`);
  return ask(product, named.split(" "));
}

describe("a lock file that a killed git left", () => {
  const OWN: readonly (readonly [Phase, Lock])[] = [
    ["agent", "the worktree's index"],
    ["agent", "the worktree's HEAD"],
    ["agent", "the attempt's branch"],
    ["checking", "the attempt's branch"],
  ];

  test.each(drawn(OWN))(deep("at `%s`, of %s: no process holds it, so it goes"), async (phase, what) => {
    const end = await whileAt(product, phase, (held) => lock(LOCKS[what](held)));
    expect<unknown>([ending(end.run), await made(end)]).toEqual([PUSHED, [end.run.id]]);
    tally("fault", `stale lock at ${phase}: ${what}`);
  });

  const AFTERWARDS = [
    [["restore"], "the worktree's index", "open"],
    [["cancel"], "the attempt's branch", "removed"],
    [["cancel"], "the worktree's index", "removed"],
  ] as const;

  test.each(drawn(AFTERWARDS))(
    deep("before `%j`, of %s: no process holds it, so it goes"),
    async (command, what, then) => {
      const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
      await lock(LOCKS[what](end));
      const did = await product.tazuna([...command, command[0] === "restore" ? end.run.id : end.attempt.id]);
      const state = readDataFolder(product.home).attempts.find(({ id }) => id === end.attempt.id)?.state;
      expect<unknown>([did.code, state, await exists(LOCKS[what](end))]).toEqual([0, then, false]);
      tally("fault", `stale lock before ${command}: ${what}`);
    },
  );

  const HARMLESS: readonly (readonly [Phase, Lock])[] = [
    ["preparing", "the index of the user's checkout"],
    ["preparing", "the user's HEAD"],
    ["agent", "the list of shallow commits"],
    ["agent", "the maintenance"],
    ["agent", "the configuration"],
    ["pushing", "the remote-tracking branch"],
  ];

  test.each(drawn(HARMLESS))(
    deep("at `%s`, of %s: it is not ours to take, and nothing of ours needs it"),
    async (phase, what) => {
      const files: string[] = [];
      const end = await whileAt(product, phase, async (held) => files.push(await lock(LOCKS[what](held))));
      const still = await exists(files[0] ?? "");
      for (const file of files) await rm(file);
      expect<unknown>([ending(end.run), await made(end), still]).toEqual([PUSHED, [end.run.id], true]);
      tally("fault", `stale lock at ${phase}: ${what}`);
    },
  );
});

describe("a git that is killed while it holds the worktree's index, over files that are put back", () => {
  const LOCK = ': > "$git_dir/index.lock"';

  /** Two runs, and the command that puts the files back to what the first one left, or takes that back. */
  async function putBack(other: Product, verb: "restore" | "undo"): Promise<readonly string[]> {
    await other.agent("agent", 'echo "$TAZUNA_RUN" > made.txt');
    const { run, attempt } = await ask(other, ["run", "Change it", "--agent", "agent"]);
    await ask(other, ["continue", attempt.id, "Once more"]);
    if (verb === "restore") return ["restore", run.id];
    const end = await other.tazuna(["restore", run.id, "--json"]);
    return ["undo", end.json<{ readonly operation: { readonly id: string } }>().operation.id];
  }
  const lockOf = (other: Product) => join(readDataFolder(other.home).attempts[0]?.gitDir ?? "", "index.lock");

  test.each(["restore", "undo"] as const)(
    deep("`tazuna %s` says so, leaves no lock, and goes through when it is asked again"),
    async (verb) => {
      await using git = await doomedGit();
      await using other = await startProduct({ env: { PATH: git.path } });
      const command = await putBack(other, verb);
      await git.doom(" read-tree -u ", 1, LOCK);
      const said = await other.tazuna([...command, "--json"]);
      expect(said.json()).toMatchObject({
        error: { code: "restore_failed", message: expect.stringContaining("SIGKILL") },
      });
      expect(await exists(lockOf(other))).toBe(false);
      expect((await other.tazuna(command)).code).toBe(0);
      expect(await whatIsWrong(other, { starts: null })).toEqual([]);
      tally("fault", `git killed with the index locked over ${verb}`);
    },
  );

  test.each(["restore", "undo"] as const)(
    deep("and its engine and `tazuna %s` with it: the next engine leaves no lock"),
    async (verb) => {
      await using git = await doomedGit();
      await using other = await startProduct({ env: { PATH: git.path } });
      const command = await putBack(other, verb);
      const pid = join(dirname(other.home), "pid");
      await git.doom(" read-tree -u ", 1, `${LOCK}; echo $$ > '${pid}'; exec sleep 1000`);
      const asked = other.start(command);
      const doomed = await eventually("git to hold the lock", async () => {
        const text = await readFile(pid, "utf8").catch(() => "");
        return text.endsWith("\n") ? Number(text) : null;
      });
      asked.kill("SIGKILL");
      await other.killEngine();
      process.kill(doomed, "SIGKILL");
      const lock = lockOf(other);
      expect(await exists(lock)).toBe(true);
      await other.tazuna(["list"]);
      await eventually("the lock to go", async () => !(await exists(lock)));
      expect((await other.tazuna(command)).code).toBe(0);
      expect(await whatIsWrong(other, { starts: null })).toEqual([]);
      tally("fault", `git and engine killed with the index locked over ${verb}`);
    },
  );
});

describe("a lock that someone holds", () => {
  test.each(["the worktree's index", "the attempt's branch"] as const)(
    "for a moment, of %s: the commit waits for it",
    async (what) => {
      const end = await whileAt(product, "checking", async (held) => {
        const file = await lock(LOCKS[what](held));
        setTimeout(() => rm(file, { force: true }), 700);
      });
      expect<unknown>([ending(end.run), await made(end)]).toEqual([PUSHED, [end.run.id]]);
      tally("fault", `lock held for a moment at checking: ${what}`);
    },
  );

  test(
    deep("a commit that is open in my editor is not disturbed; the run says so, and its remedy goes on"),
    async () => {
      const mark = join(dirname(product.home), "editor");
      const editor = `${mark}.sh`;
      await writeFile(
        editor,
        `#!/bin/sh\ntouch '${mark}'\nwhile [ -e '${mark}' ]; do sleep 0.05; done\nexit 1\n`,
      );
      await chmod(editor, 0o755);
      let mine: Promise<unknown> = Promise.resolve();
      let file = "";
      const end = await whileAt(product, "agent", async (held) => {
        file = LOCKS["the worktree's index"](held);
        const env = { GIT_EDITOR: editor };
        mine = sandbox
          .git(held.attempt.worktree, ["commit", "--all", "--allow-empty"], { env })
          .catch(() => {});
        await eventually("the editor", () => exists(mark));
      });
      const still = await exists(file);
      await rm(mark);
      await mine;
      expect<unknown>([ending(end.run), still]).toEqual([failed("commit_failed"), true]);
      expect(end.run.failure?.remedy).toContain("index.lock");
      const again = await remedy(end);
      expect<unknown>([ending(again.run), await made(end)]).toEqual([PUSHED, [end.run.id]]);
      tally("fault", "lock held by a living git at agent: the worktree's index");
    },
  );

  test(
    deep("for long, of a fetched reference: the run names it before its agent begins, and a retry goes on"),
    async () => {
      await sandbox.commitTo(product.origin, "main", { [`${crypto.randomUUID()}.txt`]: "newer\n" });
      const file = await lock(inGit("refs", "remotes", "origin", "main.lock"));
      const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
      await rm(file);
      expect<unknown>(ending(end.run)).toEqual(failed("fetch_failed"));
      expect(end.run.failure?.remedy).toContain("main.lock");
      const again = await remedy(end);
      expect<unknown>([ending(again.run), await made(end)]).toEqual([PUSHED, [again.run.id]]);
      tally("fault", "lock held for long at preparing: a remote-tracking branch");
    },
  );

  test("of the packed references, while an attempt is canceled: all is kept until it is free, then cleaned up", async () => {
    const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await sandbox.git(repository, ["pack-refs", "--all"]);
    const file = await lock(inGit("packed-refs.lock"));
    const asked = product.start(["cancel", end.attempt.id, "--json"]);
    const state = () => readDataFolder(product.home).attempts.find(({ id }) => id === end.attempt.id)?.state;
    await eventually("the worktree to be in the trash", () =>
      exists(join(product.home, "trash", end.attempt.id, "made.txt")),
    );
    const before = state();
    await rm(file);
    expect([before, (await asked.end).code, state()]).toEqual(["canceled", 0, "removed"]);
    tally("fault", "lock held at cancel: the packed references");
  });
});

describe("the database", () => {
  test.skipIf(IN_TEAM).each([
    ["for a moment", 1_000],
    ["for longer than a write waits", 12_000],
  ] as const)(
    onSqlite(deep("locked by another program %s while an agent works: the run goes on and ends well")),
    async (_, ms) => {
      const end = await whileAt(product, "agent", () => {
        const db = new Database(join(product.home, "tazuna.db"));
        db.run("pragma busy_timeout = 10000");
        db.run("begin exclusive");
        setTimeout(() => {
          db.run("rollback");
          db.close();
        }, ms);
      });
      expect<unknown>([ending(end.run), await made(end)]).toEqual([PUSHED, [end.run.id]]);
      tally("fault", `database locked for ${ms} ms at agent`);
    },
  );
});
