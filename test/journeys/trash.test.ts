/** Tells how a cancelled attempt comes back from the trash whole, and what is deleted from it for good. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { http } from "../helpers/http.ts";
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
import { waitFor } from "../helpers/wait-for.ts";
import { whyNoSmallDisk } from "./crash/small-disk.ts";

setDefaultTimeout(PATIENCE_MS);

const noDisk = await whyNoSmallDisk();

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);
const run = (script: string, ...more: string[]) => ask(product, ["run", script, "--agent", "doer", ...more]);

interface Entry {
  readonly id: string;
  readonly attempt: string;
  readonly path: string;
  readonly snapshot: string | null;
  readonly bytes: number | null;
  readonly deleted_at: string;
}

async function entries(): Promise<readonly Entry[]> {
  return (await product.tazuna(["trash", "list", "--json"])).json<{ entries: readonly Entry[] }>().entries;
}

async function entryOf(end: TaskEnd): Promise<Entry> {
  const found = (await entries()).find(({ attempt }) => attempt === end.attempt.id);
  if (found === undefined) throw new Error("not in the trash");
  return found;
}

/** A cancelled attempt with one commit, uncommitted edits and ignored files. */
async function trashed(edits = ""): Promise<TaskEnd> {
  const end = await run("echo one > one.txt");
  const { worktree } = end.attempt;
  await writeFile(join(worktree, "one.txt"), "edited\n");
  await writeFile(join(worktree, "new.txt"), "new\n");
  await writeFile(join(worktree, ".env.local"), "SECRET=1\n");
  await writeFile(join(worktree, "tool.sh"), "#!/bin/sh\n");
  await chmod(join(worktree, "tool.sh"), 0o750);
  if (edits !== "") await Bun.spawn(["sh", "-c", edits], { cwd: worktree }).exited;
  await ask(product, ["cancel", end.attempt.id]);
  return end;
}

const restore = (id: string) => product.tazuna(["trash", "restore", id, "--json"]);
interface Emptied {
  readonly removed: readonly { id: string; bytes: number }[];
  readonly kept: readonly { id: string; reason: string }[];
}
const empty = async (...more: string[]) =>
  (await product.tazuna(["trash", "empty", "--json", ...more])).json<Emptied>();

async function kept(end: TaskEnd, ...more: string[]): Promise<string | undefined> {
  const entry = await entryOf(end);
  return (await empty(...more)).kept.find(({ id }) => id === entry.id)?.reason;
}

test("a cancelled attempt comes back whole: branch, files, modes, ignored files; and goes on (promise 2.3)", async () => {
  const before = await usersSide(product);
  const end = await trashed();
  const entry = await entryOf(end);
  const listed = {
    ...entry,
    snapshot: entry.snapshot?.replace(/\d+$/, "N"),
    bytes: Number(entry.bytes) > 20,
  };
  expect<unknown>(listed).toEqual({
    id: expect.any(String),
    attempt: end.attempt.id,
    path: join(product.home, "trash", end.attempt.id),
    snapshot: `refs/tazuna/snapshots/${end.attempt.id}/N`,
    bytes: true,
    deleted_at: expect.stringMatching(/^\d{4}-.*Z$/),
    purge_at: expect.stringMatching(/^\d{4}-.*Z$/),
    snapshot_stays: true,
  });
  const { worktree, branch } = end.attempt;
  expect<unknown>((await restore(entry.id.slice(0, 8))).json()).toEqual({ entry: entry.id, path: worktree });
  expect<unknown>({
    files: (await readdir(worktree)).sort(),
    one: await readFile(join(worktree, "one.txt"), "utf8"),
    env: await readFile(join(worktree, ".env.local"), "utf8"),
    mode: (await lstat(join(worktree, "tool.sh"))).mode & 0o777,
    branch: await branchAt(product, product.repository, branch),
    status: await git(worktree, "status", "--porcelain"),
    on: await git(worktree, "symbolic-ref", "HEAD"),
    left: await exists(entry.path),
    again: (await restore(end.attempt.id)).json<unknown>(),
  }).toEqual({
    files: [".env.local", ".git", ".gitignore", "README.md", "new.txt", "one.txt", "tool.sh"],
    one: "edited\n",
    env: "SECRET=1\n",
    mode: 0o750,
    branch: end.run.commit,
    status: " M one.txt\n?? new.txt\n?? tool.sh",
    on: `refs/heads/${branch}`,
    left: false,
    again: { entry: entry.id, path: worktree },
  });
  const next = await ask(product, ["continue", end.attempt.id, "cat .env.local > seen.txt"]);
  expect<unknown>([ending(next.run), next.attempt.state]).toEqual([
    { status: "SUCCEEDED", outcome: "pushed" },
    "pushed",
  ]);
  await ask(product, ["cancel", end.attempt.id]);
  expect((await refused(product, ["trash", "restore", entry.id])).error.code).toBe("not_in_trash");
  expect((await entryOf(end)).id).not.toBe(entry.id);
  expect(await usersSide(product)).toEqual(before);
});

test("restores at once make one worktree, and each is answered", async () => {
  const end = await trashed();
  const entry = await entryOf(end);
  const answers = await Promise.all([1, 2, 3].map(() => restore(entry.id)));
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(await readFile(join(end.attempt.worktree, ".env.local"), "utf8")).toBe("SECRET=1\n");
});

test("a restore is refused if something lies at the old place, a link too, and touches nothing", async () => {
  const end = await trashed();
  const { worktree } = end.attempt;
  const entry = await entryOf(end);
  const elsewhere = join(product.home, "elsewhere");
  await mkdir(elsewhere, { recursive: true });
  await symlink(elsewhere, worktree);
  const asLink = await refused(product, ["trash", "restore", entry.id]);
  await rm(worktree);
  await mkdir(worktree);
  await writeFile(join(worktree, "mine.txt"), "mine\n");
  const asFolder = await refused(product, ["trash", "restore", entry.id]);
  expect([asLink.error.code, asFolder.error.code]).toEqual(["path_taken", "path_taken"]);
  expect([await readdir(elsewhere), await readdir(worktree)]).toEqual([[], ["mine.txt"]]);
  expect(await branchAt(product, product.repository, end.attempt.branch)).toBeNull();
  await rm(worktree, { recursive: true });
  expect((await restore(entry.id)).code).toBe(0);
});

test("a link in place of what was trashed is never followed: not restored, not deleted (promise 2.4)", async () => {
  const end = await trashed();
  const entry = await entryOf(end);
  const away = `${entry.path}.away`;
  await rename(entry.path, away);
  await symlink(away, entry.path);
  expect((await refused(product, ["trash", "restore", entry.id])).error.code).toBe("entry_replaced");
  expect(await kept(end, "--yes")).toContain("not the folder that was put there");
  expect(await exists(join(away, ".env.local"))).toBe(true);
  await rm(entry.path);
  await rename(away, entry.path);
  expect((await restore(entry.id)).code).toBe(0);
});

test("a branch that a person made again meanwhile is used; one that is checked out elsewhere is refused", async () => {
  const end = await trashed();
  const entry = await entryOf(end);
  const { branch, worktree } = end.attempt;
  const other = join(product.home, "other");
  await git(product.repository, "worktree", "add", "--quiet", "-b", branch, other, "main");
  const elsewhere = await refused(product, ["trash", "restore", entry.id]);
  await git(product.repository, "worktree", "remove", "--force", other);
  expect([elsewhere.error.code, elsewhere.error.message]).toEqual([
    "branch_checked_out",
    expect.stringContaining(other),
  ]);
  expect((await restore(entry.id)).code).toBe(0);
  expect(await git(worktree, "rev-parse", "HEAD")).toBe(await git(product.repository, "rev-parse", "main"));
  expect(await readFile(join(worktree, "one.txt"), "utf8")).toBe("edited\n");
});

test("trash empty says what would go; with --yes it goes, with the snapshots that are not needed", async () => {
  const end = await trashed("echo more > more.txt; git add -A");
  const entry = await entryOf(end);
  const dry = await empty();
  expect(dry.removed.find(({ id }) => id === entry.id)?.bytes).toBe(entry.bytes ?? -1);
  expect(await exists(entry.path)).toBe(true);
  // Of two requests at once one deletes it, and neither says that it stays.
  const asked = [1, 2].map(() => http<Emptied>(product, "POST /trash/empty", { yes: true }));
  const done = (await Promise.all(asked)).map(({ body }) => body);
  expect(done.flatMap(({ removed }) => removed)).toMatchObject([{ id: entry.id }]);
  expect(done.flatMap(({ kept: stays }) => stays)).toEqual([]);
  expect<unknown>({
    path: await exists(entry.path),
    left: (await readdir(join(product.home, "trash"))).filter((name) => name.startsWith("purge-")),
    listed: (await entries()).map(({ id }) => id).includes(entry.id),
    snapshot: await git(product.repository, "cat-file", "-p", `${entry.snapshot}:one.txt`),
    restore: (await refused(product, ["trash", "restore", entry.id])).error.code,
  }).toEqual({ path: false, left: [], listed: false, snapshot: "edited", restore: "not_in_trash" });
});

test("ignored files that no tool made stay when their entry is deleted for good; others go, and are named", async () => {
  const end = await trashed(
    `mkdir -p node_modules/x notes.local deep/er; echo plan > notes.local/plan.txt; echo log > deep/er/a.local
     i=0; while [ $i -lt 300 ]; do echo $i > node_modules/x/$i.js; i=$((i+1)); done; head -c 11000000 /dev/zero > huge.local
     echo hidden > "$(printf 'odd\nname.local')"`,
  );
  const entry = await entryOf(end);
  expect((await empty("--yes")).removed.map(({ id }) => id)).toContain(entry.id);
  const folder = join(product.home, "ignored", entry.id);
  expect((await readdir(folder, { recursive: true })).toSorted()).toEqual([
    ".env.local",
    "deep",
    "deep/er",
    "deep/er/a.local",
    "notes.local",
    "notes.local/plan.txt",
    "odd\nname.local",
  ]);
  expect((await lstat(join(product.home, "ignored"))).mode & 0o077).toBe(0);
  const listed = await product.tazuna(["activity", end.attempt.id, "--json"]);
  const purge = listed
    .json<{ operations: { kind: string; before: Record<string, unknown> }[] }>()
    .operations.find(({ kind }) => kind === "trash_purge");
  expect(purge?.before.ignored).toMatchObject({ kept_in: folder, left: ["huge.local", "node_modules/"] });
  expect(await git(product.repository, "ls-tree", "-r", "--name-only", entry.snapshot ?? "")).not.toContain(
    "local",
  );
});

test("what a killed git left locked keeps no attempt from coming back", async () => {
  const end = await trashed();
  const lock = join(product.repository, ".git", "refs", "heads", `${end.attempt.branch}.lock`);
  await mkdir(join(lock, ".."), { recursive: true });
  await writeFile(lock, "");
  expect((await restore(end.attempt.id)).code).toBe(0);
  expect(await exists(lock)).toBe(false);
});

test("if the ignored files cannot be kept, the entry is whole in its place again, and comes back", async () => {
  const end = await trashed();
  const entry = await entryOf(end);
  const inTheWay = join(product.home, "ignored", entry.id);
  await mkdir(join(inTheWay, ".."), { recursive: true });
  await writeFile(inTheWay, "a file where a folder is to go\n");
  expect((await empty("--yes")).removed.map(({ id }) => id)).not.toContain(entry.id);
  await rm(inTheWay);
  expect((await entries()).map(({ id }) => id)).toContain(entry.id);
  expect((await restore(entry.id)).code).toBe(0);
  expect(await readFile(join(end.attempt.worktree, ".env.local"), "utf8")).toBe("SECRET=1\n");
});

test("trash empty keeps, and names, what its snapshot does not contain: a nested repository (promise 2.5)", async () => {
  const nested = await trashed("git init -q nested && echo x > nested/x.txt");
  expect(await kept(nested, "--yes")).toContain("does not contain nested");
  expect((await restore(nested.attempt.id)).code).toBe(0);
  expect(await readFile(join(nested.attempt.worktree, "nested/x.txt"), "utf8")).toBe("x\n");
});

test("trash empty keeps a repository that replaced git's .git file, and a restore leaves it there (promise 2.4)", async () => {
  const end = await trashed();
  const entry = await entryOf(end);
  await rm(join(entry.path, ".git"));
  await mkdir(join(entry.path, ".git"));
  await writeFile(join(entry.path, ".git", "HEAD"), "ref: refs/heads/mine\n");
  expect(await kept(end, "--yes")).toContain(".git");
  expect((await restore(entry.id)).code).toBe(0);
  expect(await readdir(entry.path)).toEqual([".git"]);
  expect((await lstat(join(end.attempt.worktree, ".git"))).isFile()).toBe(true);
  expect(await kept(end, "--yes")).toBeDefined();
});

test("trash empty keeps what a process uses, what was written later, and what has no snapshot (promise 2.2)", async () => {
  const end = await trashed();
  const entry = await entryOf(end);
  const sleeper = Bun.spawn(["sleep", "600"], { cwd: entry.path });
  expect(await kept(end, "--yes")).toContain(`process (${sleeper.pid})`);
  sleeper.kill("SIGKILL");
  await sleeper.exited;
  const snapshot = entry.snapshot ?? "";
  const sha = await git(product.repository, "rev-parse", snapshot);
  await git(product.repository, "update-ref", "-d", snapshot);
  expect(await kept(end, "--yes")).toContain("cannot be read back");
  await git(product.repository, "update-ref", snapshot, sha);
  await writeFile(join(entry.path, "later.txt"), "later\n");
  expect(await kept(end, "--yes")).toContain("written in it after");
  expect(await exists(join(entry.path, ".env.local"))).toBe(true);
});

test(
  deep("an entry of the trash goes by itself after its time; files that its snapshot lacks stay"),
  async () => {
    await using other = await startProduct({ timing: { trashKeepMs: 1_000 } });
    await other.agent("doer", "echo one > one.txt; echo Done.");
    const end = await ask(other, ["run", "Do it", "--agent", "doer", "--agent", "doer"]);
    const [whole, nested] = end.attempts;
    await Bun.spawn(["git", "init", "-q", "nested"], {
      cwd: nested?.worktree ?? other.home,
      env: other.sandbox.env,
    }).exited;
    await writeFile(join(nested?.worktree ?? "", "nested", "x.txt"), "x");
    await ask(other, ["cancel", nested?.id ?? ""]);
    await ask(other, ["cancel", whole?.id ?? ""]);
    const left = () => readdir(join(other.home, "trash"));
    await waitFor("the old entry to go", async () => (await left()).length === 1);
    expect(await left()).toEqual([nested?.id ?? ""]);
  },
);

test(deep("a sparse worktree comes back sparse, with nothing missing"), async () => {
  await using other = await startProduct();
  await other.agent("doer", "echo one > in/one.txt; echo Done.");
  await other.sandbox.commit(other.repository, { "in/a.txt": "a\n", "out/b.txt": "b\n" }, "Second");
  await other.sandbox.git(other.repository, ["push", "--quiet", "origin", "main"]);
  await other.sandbox.git(other.repository, ["sparse-checkout", "set", "in"]);
  const { attempt } = await ask(other, ["run", "Do it", "--agent", "doer"]);
  await ask(other, ["cancel", attempt.id]);
  expect((await other.tazuna(["trash", "restore", attempt.id])).code).toBe(0);
  expect((await readdir(attempt.worktree)).sort()).toEqual([".git", ".gitignore", "README.md", "in"]);
  expect(await other.sandbox.git(attempt.worktree, ["status", "--porcelain"])).toBe("");
});

test("an id that means nothing, and an attempt that was never cancelled, are refused", async () => {
  const end = await run("echo one > one.txt");
  const codes = [end.attempt.id, "zzzz"].map(
    async (id) => (await refused(product, ["trash", "restore", id])).error.code,
  );
  expect(await Promise.all(codes)).toEqual(["not_found", "not_found"]);
});

test.skipIf(noDisk !== null)(
  deep("an entry that was deleted only in part is not restorable; what is left is named, and goes later"),
  async () => {
    const end = await trashed("mkdir -p node_modules/x; cd node_modules; touch $(seq 300)");
    const entry = await entryOf(end);
    // A disk that is mounted in it cannot be deleted, whoever asks.
    const busy = join(entry.path, "node_modules/x");
    const long = new Date(Date.parse(entry.deleted_at) - 60_000);
    const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", busy]);
    expect(mounted.success).toBe(true);
    await utimes(busy, long, long);
    const kept = (await empty("--yes")).kept.find(({ id }) => id === entry.id);
    const told = kept?.reason.split("What is left lies in ")[1] ?? "";
    const aside = told.slice(0, told.indexOf(", and cannot be restored"));
    try {
      expect(kept?.reason).toMatch(/EBUSY.*left lies in /);
      expect(await exists(join(aside, "node_modules/x"))).toBe(true);
      expect(await exists(entry.path)).toBe(false);
      expect((await entries()).map(({ id }) => id)).not.toContain(entry.id);
      expect((await refused(product, ["trash", "restore", entry.id])).error.code).toBe("not_in_trash");
      expect((await product.tazuna(["doctor"])).stdout).toContain("Its deletion failed half-way");
      expect((await empty("--yes")).kept.map(({ id }) => id)).toContain(entry.id);
    } finally {
      for (const folder of [aside, entry.path])
        Bun.spawnSync(["umount", "--lazy", join(folder, "node_modules/x")]);
    }
    expect((await empty("--yes")).removed.map(({ id }) => id)).toContain(entry.id);
    expect(await exists(aside)).toBe(false);
    expect((await empty("--yes")).removed.map(({ id }) => id)).not.toContain(entry.id);
    expect(await readFile(join(product.home, "ignored", entry.id, ".env.local"), "utf8")).toBe("SECRET=1\n");
  },
);
