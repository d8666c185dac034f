import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TicketLock, takeTicket } from "../../src/utils/locks/ticket-lock.ts";
import { identify } from "../../src/utils/programs/process-identity.ts";
import { LINUX, POSIX } from "../helpers/need.ts";
import { tempDir } from "../helpers/temp-dir.ts";

// Real files and many runs, on a busy machine.
setDefaultTimeout(150_000);

const take = async (folder: string, patienceMs = 20_000): Promise<TicketLock> => {
  const lock = await takeTicket(folder, { patienceMs });
  if (typeof lock === "string") throw new Error(lock);
  return lock;
};

/** Writes the file of a holder that we are not. */
async function held(folder: string, number: number, owner: object | string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, String(number)), typeof owner === "string" ? owner : JSON.stringify(owner));
}

describe("takeTicket", () => {
  test("lets one holder in at a time, and leaves one empty number behind", async () => {
    await using dir = await tempDir();
    const folder = join(dir.path, "a", "lock");
    let inside = 0;
    const max: number[] = [];
    const visit = async () => {
      const lock = await take(folder);
      inside += 1;
      max.push(inside);
      for (let turn = 0; turn < 3; turn++) await readdir(folder);
      inside -= 1;
      lock.release();
    };
    await Promise.all(Array.from({ length: 20 }, visit));
    expect(max).toEqual(Array(20).fill(1));
    expect(await readdir(folder)).toEqual(["20.free"]);
  });

  test("waits no longer than it was told for a holder that lives", async () => {
    await using dir = await tempDir();
    const lock = await take(dir.path);
    expect(await takeTicket(dir.path, { patienceMs: 30 })).toBe("busy");
    expect(lock.isHeld()).toBe(true);
    lock.release();
    expect(lock.isHeld()).toBe(false);
    (await take(dir.path, 0)).release();
  });

  test("stops waiting when the caller has changed their mind", async () => {
    await using dir = await tempDir();
    const lock = await take(dir.path);
    const stop = new AbortController();
    const waiting = takeTicket(dir.path, { patienceMs: 20_000, signal: stop.signal });
    stop.abort();
    expect(await waiting).toBe("canceled");
    lock.release();
  });

  test("goes on at once after a holder that has died, and exactly one of many does", async () => {
    await using dir = await tempDir();
    const me = await identify(process.pid);
    const first = await take(dir.path);
    const owner = JSON.parse(await readFile(join(dir.path, "1"), "utf8"));
    expect(owner).toMatchObject({ ...me });
    first.release();
    // This very pid, as it was used by a process that is gone.
    await held(dir.path, 7, { ...owner, startTime: "1" });
    const takers = Array.from({ length: 8 }, () => takeTicket(dir.path, { patienceMs: 100 }));
    const answers = await Promise.all(takers);
    const locks = answers.filter((answer) => typeof answer !== "string");
    expect([locks.length, answers.length - locks.length]).toEqual([1, 7]);
    expect(await readdir(dir.path)).toEqual(["8"]);
    for (const lock of locks) lock.release();
  });

  test("gives a holder that cannot be checked its time: another machine, another container, one without a name", async () => {
    for (const owner of [
      { pid: process.pid, startTime: "1", bootId: "another machine", space: "" },
      "",
      "{",
      "null",
      '{"pid":"x"}',
    ]) {
      await using dir = await tempDir();
      await held(dir.path, 3, owner);
      expect(await takeTicket(dir.path, { patienceMs: 30, strangerMs: 10_000 })).toBe("busy");
      const lock = await takeTicket(dir.path, { patienceMs: 20_000, strangerMs: 30 });
      expect(await readdir(dir.path)).toEqual(["4"]);
      if (typeof lock !== "string") lock.release();
    }
  });

  test.skipIf(POSIX.missing)(
    `waits for no pipe, follows no link and reads no long file where a number should be${POSIX.why}`,
    async () => {
      for (const make of [
        (path: string) => Bun.spawnSync(["mkfifo", path]).exitCode,
        (path: string) => symlink("/dev/zero", path),
        (path: string) => mkdir(path),
        async (path: string) => {
          await writeFile(path, "");
          await truncate(path, 3 * 1024 ** 3);
        },
      ]) {
        await using dir = await tempDir();
        await make(join(dir.path, "3"));
        expect(await takeTicket(dir.path, { patienceMs: 30, strangerMs: 10_000 })).toBe("busy");
        const lock = await takeTicket(dir.path, { patienceMs: 20_000, strangerMs: 30 });
        expect(await readdir(dir.path)).toEqual(["4"]);
        if (typeof lock !== "string") lock.release();
      }
    },
  );

  test("a holder that was taken for dead knows it, and does not give back what is another's", async () => {
    await using dir = await tempDir();
    const slow = await take(dir.path);
    await held(dir.path, 1, "a stranger");
    const other = await takeTicket(dir.path, { patienceMs: 20_000, strangerMs: 10 });
    expect([slow.isHeld(), typeof other === "string" || other.isHeld()]).toEqual([false, true]);
    slow.release();
    expect(await readdir(dir.path)).toEqual(["2"]);
  });

  test("those who gave up on the same stranger at the same moment still come in one by one", async () => {
    await using dir = await tempDir();
    await held(dir.path, 5, "a stranger");
    let inside = 0;
    const visit = async () => {
      const lock = await takeTicket(dir.path, { patienceMs: 20_000, strangerMs: 20 });
      if (typeof lock === "string") return lock;
      inside += 1;
      await readdir(dir.path);
      const alone = inside === 1 && lock.isHeld();
      inside -= 1;
      lock.release();
      return alone;
    };
    expect(await Promise.all(Array.from({ length: 10 }, visit))).toEqual(Array(10).fill(true));
    expect(await readdir(dir.path)).toEqual(["15.free"]);
  });

  test("what was signed by one who was killed before it got a number is removed, once it is old", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, "old.paper"), "");
    await writeFile(join(dir.path, "new.paper"), "");
    await utimes(join(dir.path, "old.paper"), new Date(), new Date(Date.now() - 120_000));
    const lock = await take(dir.path);
    expect((await readdir(dir.path)).sort()).toEqual(["1", "new.paper"]);
    lock.release();
  });

  test("what is no number in the folder does not count", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, "x"), "");
    await writeFile(join(dir.path, "12.old"), "");
    const lock = await take(dir.path);
    expect((await readdir(dir.path)).sort()).toEqual(["1", "12.old", "x"]);
    lock.release();
  });

  test("a folder that is a link is refused, and nothing is made or removed where it leads", async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, "elsewhere"));
    await writeFile(join(dir.path, "elsewhere", "7.free"), "mine");
    await symlink("elsewhere", join(dir.path, "lock"));
    await expect(takeTicket(join(dir.path, "lock"), { patienceMs: 1000 })).rejects.toMatchObject({
      code: "ENOTDIR",
    });
    expect(await readdir(join(dir.path, "elsewhere"))).toEqual(["7.free"]);
  });

  test("throws what the file system says", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, "file"), "");
    await expect(takeTicket(join(dir.path, "file"), { patienceMs: 1000 })).rejects.toMatchObject({
      code: expect.stringMatching(/^(EEXIST|ENOTDIR)$/),
    });
    if (!LINUX.missing)
      await expect(takeTicket("/proc/nowhere/lock", { patienceMs: 1000 })).rejects.toMatchObject({
        code: "ENOENT",
      });
  });
});
