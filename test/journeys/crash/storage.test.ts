/** Takes the disk and the database away from under the product: clear errors, nothing half-written, nothing removed. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cp, readdir, readFile, rm, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, ending, PATIENCE_MS, refused } from "../../helpers/journey.ts";
import { IN_TEAM, onSqlite } from "../../helpers/own-schema.ts";
import { isRunning, type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "./data-folder.ts";
import { eventually } from "./eventually.ts";
import { countedAgent, startsFile } from "./scenarios.ts";
import { smallDisk, whyNoSmallDisk } from "./small-disk.ts";
import { countStarts, whatIsWrong } from "./what-is-wrong.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" } as const;
const EDIT = 'echo "$TAZUNA_RUN" > "$TAZUNA_RUN.txt"; echo Done.';
/** The agent begins at once; its keeper takes the room for its closing file a moment later. */
const RESERVED =
  'until [ "$(wc -c < "$(dirname "$TAZUNA_SUMMARY_FILE")/../reserve")" = 65536 ]; do sleep 0.05; done 2>/dev/null';
const DATABASE = ["tazuna.db", "tazuna.db-wal", "tazuna.db-shm"];

const beside = (product: Product, name: string) => join(dirname(product.home), name);

async function wrong(product: Product): Promise<readonly string[]> {
  return whatIsWrong(product, { starts: startsFile(product) });
}

/** Ends the engine as a person would: everything is written back into the database file. */
async function stopEngine(product: Product): Promise<void> {
  const pid = await product.enginePid();
  if (pid === null) return;
  process.kill(pid, "SIGTERM");
  await eventually("the engine to end", () => !isRunning(pid));
}

/** The closing file of the only run's agent; null before it is there. */
function exitOf(product: Product): Promise<Buffer | null> {
  const run = readDataFolder(product.home).runs[0]?.id ?? "none";
  return readFile(join(product.home, "runs", run, "exit.json")).catch(() => null);
}

const noDisk = await whyNoSmallDisk();

describe.skipIf(noDisk !== null)(`a small disk${noDisk === null ? "" : ` (skipped: ${noDisk})`}`, () => {
  test(
    deep(
      "an agent that fills it fails the run with `disk_full`, once that can be stored; a retry goes through",
    ),
    async () => {
      await using product = await startProduct();
      await using _disk = await smallDisk(product.home, "4m");
      const once = beside(product, "filled");
      await countedAgent(
        product,
        "agent",
        `${RESERVED}
echo kept > kept.txt
if [ -e '${once}' ]; then echo Done.; exit 0; fi
touch '${once}'; head -c 50000000 /dev/zero > big.local; echo "No room left."`,
      );
      const running = product.start(["run", "Change it", "--agent", "agent", "--json"]);
      await eventually("the agent to begin", () => readFile(once).catch(() => null));
      const [worktree = ""] = readDataFolder(product.home).attempts.map((attempt) => attempt.worktree);
      await eventually("the agent's end", () => exitOf(product));
      await rm(join(worktree, "big.local"));
      const first = (await running.end).json().attempts[0];
      expect(first?.runs[0]?.failure?.code).toBe("disk_full");
      const second = await ask(product, ["retry", first?.runs[0]?.id ?? ""]);
      expect(ending(second.run)).toEqual(PUSHED);
      expect(await wrong(product)).toEqual([]);
      tally(
        "fault",
        "an agent that fills it fails the run with 'disk_full', once that can be stored; a retry goes through",
        { under: "guard" },
      );
    },
  );

  test(
    deep("one that is full while an agent works silently, and no engine, costs nothing once there is room"),
    async () => {
      await using product = await startProduct();
      await using disk = await smallDisk(product.home, "4m");
      const gate = beside(product, "gate");
      await countedAgent(
        product,
        "agent",
        `${RESERVED}; echo new > new.txt; touch '${gate}.near'; until [ -e '${gate}' ]; do sleep 0.1; done`,
      );
      const { run } = await ask(product, ["run", "Change it", "--agent", "agent", "--detach"]);
      await eventually("the agent to work", () => readFile(`${gate}.near`).catch(() => null));
      await product.killEngine();
      await disk.fill();
      await writeFile(gate, "");
      await eventually("the agent's end", () => exitOf(product));
      await disk.free();
      expect(ending((await ask(product, ["wait", run.id])).run)).toEqual(PUSHED);
      expect(await wrong(product)).toEqual([]);
      tally(
        "fault",
        "one that is full while an agent works silently, and no engine, costs nothing once there is room",
        { under: "guard" },
      );
    },
  );

  test(
    deep("below the floor nothing begins: a run waits for room, says so, and begins once there is some"),
    async () => {
      await using product = await startProduct();
      await using _disk = await smallDisk(product.home, "64m");
      await countedAgent(product, "agent", EDIT);
      const { bavail, bsize } = await statfs(product.home);
      const ballast = join(product.home, "ballast");
      // The floor of such a disk is at 3.2 MiB; two are enough for the database.
      await writeFile(ballast, Buffer.alloc(bavail * bsize - 2 * 1024 ** 2));
      const { document, run } = await ask(product, ["run", "Change it", "--agent", "agent", "--detach"]);
      const now = async () => (await ask(product, ["show", document.task.id])).run;
      const waiting = await eventually("its reason", async () => (await now()).waits_for);
      expect(waiting).toEqual({ reason: "disk", limit: null, until: null });
      expect((await product.tazuna(["list"])).stdout).toContain("Waits for room on the disk");
      await rm(ballast);
      expect(ending((await ask(product, ["wait", run.id])).run)).toEqual(PUSHED);
      expect(await wrong(product)).toEqual([]);
      tally("fault", "below the floor nothing begins", { under: "guard" });
    },
  );

  test("an engine that is to be started on a full one says so, and leaves nothing", async () => {
    await using product = await startProduct();
    await using disk = await smallDisk(product.home, "4m");
    await countedAgent(product, "agent", EDIT);
    await ask(product, ["run", "Change it", "--agent", "agent"]);
    await stopEngine(product);
    await disk.fill();
    const before = (await readdir(product.home)).sort();
    const { code, error } = await refused(product, ["list"]);
    expect({ code, error: error.code }).toEqual({ code: 1, error: "disk_full" });
    expect(error.remedy).toContain("Free some disk space");
    expect((await readdir(product.home)).sort()).toEqual(before);
    await disk.free();
    expect(await wrong(product)).toEqual([]);
    tally("fault", "an engine that is to be started on a full one says so, and leaves nothing", {
      under: "guard",
    });
  });

  test(deep("an engine that is to be started on a read-only one says so, and changes nothing"), async () => {
    await using product = await startProduct();
    await using disk = await smallDisk(product.home, "16m");
    await countedAgent(product, "agent", EDIT);
    const first = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await stopEngine(product);
    disk.remount("ro");
    const { code, error } = await refused(product, ["continue", first.attempt.id, "Once more"]);
    expect({ code, error: error.code }).toEqual({ code: 1, error: "data_folder_unusable" });
    disk.remount("rw");
    const second = await ask(product, ["continue", first.attempt.id, "Once more"]);
    expect(ending(second.run)).toEqual(PUSHED);
    expect(await wrong(product)).toEqual([]);
    tally("fault", "an engine that is to be started on a read-only one says so, and changes nothing", {
      under: "guard",
    });
  });
});

test("a data folder that cannot be made is an error that names it", async () => {
  await using product = await startProduct();
  await writeFile(beside(product, "file"), "");
  const env = { TAZUNA_HOME: join(beside(product, "file"), "home") };
  const { code, error } = await refused(product, ["list"], { env });
  expect({ code, error: error.code }).toEqual({ code: 1, error: "data_folder_unusable" });
  expect(error.message).toContain(env.TAZUNA_HOME);
  tally("fault", "a data folder that cannot be made is an error that names it", { under: "guard" });
});

test.skipIf(IN_TEAM)(
  onSqlite(
    deep("if the database was deleted while Tazuna was stopped, a new one begins, and nothing else is lost"),
  ),
  async () => {
    await using product = await startProduct();
    await countedAgent(product, "agent", EDIT);
    const lost = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await writeFile(join(lost.attempt.worktree, "mine.txt"), "not committed\n");
    await stopEngine(product);
    for (const name of DATABASE) await rm(join(product.home, name), { force: true });

    const list = await product.tazuna(["list", "--all", "--json"]);
    expect(list.json<{ readonly tasks: readonly unknown[] }>().tasks).toEqual([]);
    const next = await ask(product, ["run", "Change it again", "--agent", "agent"]);
    expect(ending(next.run)).toEqual(PUSHED);
    await product.tazuna(["cancel", next.attempt.id]);

    expect(await readFile(join(lost.attempt.worktree, "mine.txt"), "utf8")).toBe("not committed\n");
    const { git } = product.sandbox;
    expect(await git(product.repository, ["rev-parse", lost.attempt.branch])).toBe(lost.run.commit ?? "");
    expect(await git(product.repository, ["worktree", "list"])).toContain(lost.attempt.worktree);
    expect(await readdir(join(product.home, "runs"))).toContain(lost.run.id);
    tally("fault", "a database that was deleted while Tazuna was stopped", { under: "guard" });
  },
);

test.skipIf(IN_TEAM)(
  onSqlite(
    deep("a database that was deleted without its log, after a kill, is an error until the log goes too"),
  ),
  async () => {
    await using product = await startProduct();
    await countedAgent(product, "agent", EDIT);
    await ask(product, ["run", "Change it", "--agent", "agent"]);
    await product.killEngine();
    await rm(join(product.home, "tazuna.db"));
    const files = async () =>
      (await readdir(product.home)).filter((name) => !/^engine\.lock/.test(name)).sort();
    const before = await files();
    const { code, error } = await refused(product, ["list"]);
    expect({ code, error: error.code }).toEqual({ code: 1, error: "database_corrupt" });
    expect(error.message).toContain("tazuna.db-wal");
    expect(await files()).toEqual(before);
    for (const name of DATABASE) await rm(join(product.home, name), { force: true });
    expect((await product.tazuna(["list"])).code).toBe(0);
    tally(
      "fault",
      "a database that was deleted without its log, after a kill, is an error until the log goes too",
      { under: "guard" },
    );
  },
);

test.skipIf(IN_TEAM)(
  onSqlite(deep("an older copy of the database: what came after it is not known any more, and stays")),
  async () => {
    await using product = await startProduct();
    await countedAgent(product, "agent", EDIT);
    const first = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await stopEngine(product);
    await cp(join(product.home, "tazuna.db"), beside(product, "copy.db"));
    const second = await ask(product, ["continue", first.attempt.id, "Once more"]);
    const other = await ask(product, ["run", "Something else", "--agent", "agent"]);
    await stopEngine(product);
    for (const name of DATABASE) await rm(join(product.home, name), { force: true });
    await cp(beside(product, "copy.db"), join(product.home, "tazuna.db"));

    const third = await ask(product, ["continue", first.attempt.id, "And again"]);
    expect(ending(third.run)).toEqual(PUSHED);
    const { git } = product.sandbox;
    const log = await git(product.origin, ["log", "--format=%H", first.attempt.branch]);
    for (const run of [first.run, second.run, third.run]) expect(log).toContain(run.commit ?? "none");
    expect(await git(product.repository, ["rev-parse", other.attempt.branch])).toBe(other.run.commit ?? "");
    expect(await readdir(other.attempt.worktree)).toContain(`${other.run.id}.txt`);
    tally("fault", "an older copy of the database", { under: "guard" });
  },
);

test.skipIf(IN_TEAM)(
  onSqlite(
    deep("with an older copy of the database, a working agent's end is read again, and nothing is lost"),
  ),
  async () => {
    await using product = await startProduct();
    const gate = beside(product, "gate");
    await countedAgent(product, "agent", `until [ -e '${gate}' ]; do sleep 0.1; done; ${EDIT}`);
    const running = product.start(["run", "Change it", "--agent", "agent", "--json"]);
    await eventually("the agent to work", () => readFile(startsFile(product)).catch(() => null));
    await product.killEngine();
    await Promise.all(DATABASE.map((name) => cp(join(product.home, name), beside(product, name))));
    await writeFile(gate, "");
    const first = (await running.end).json().attempts[0];
    await stopEngine(product);
    for (const name of DATABASE) await rm(join(product.home, name), { force: true });
    await Promise.all(DATABASE.map((name) => cp(beside(product, name), join(product.home, name))));

    const end = await ask(product, ["wait", first?.id ?? ""]);
    expect(ending(end.run)).toEqual(PUSHED);
    const content = await product.sandbox.git(product.origin, [
      "cat-file",
      "blob",
      `${end.attempt.branch}:${end.run.id}.txt`,
    ]);
    expect(content).toBe(end.run.id);
    expect((await countStarts(startsFile(product))).get(end.run.id)).toBe(1);
    tally("fault", "an older copy of the database in which an agent still works", { under: "guard" });
  },
);
