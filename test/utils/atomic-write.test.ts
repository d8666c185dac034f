import { describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeTemporaries, writeFileAtomic } from "../../src/utils/files/atomic-write.ts";
import { tempDir } from "../helpers/temp-dir.ts";

describe("writeFileAtomic", () => {
  test("writes a file that only its owner can read, and replaces it whole", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "state.json");
    await writeFileAtomic(path, "a long first version");
    await writeFileAtomic(path, "second");
    expect(await readFile(path, "utf8")).toBe("second");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(dir.path)).toEqual(["state.json"]);
  });

  test("gives the file the mode that is asked for, whatever the umask", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "program");
    await writeFileAtomic(path, new Uint8Array([1, 2]), { mode: 0o777 });
    expect((await stat(path)).mode & 0o777).toBe(0o777);
  });

  test("never shows a reader half a file", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "state.json");
    const versions = ["a", "b"].map((letter) => letter.repeat(300_000));
    await writeFileAtomic(path, versions[0] ?? "");
    let writing = true;
    const writer = (async () => {
      for (let n = 0; n < 30; n++) await writeFileAtomic(path, versions[n % 2] ?? "");
      writing = false;
    })();
    while (writing) expect(versions).toContain(await readFile(path, "utf8"));
    await writer;
  });

  test("refuses to replace if that is asked, and lets exactly one of many writers win", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "claim");
    const tries = await Promise.allSettled(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) =>
        writeFileAtomic(path, `${n}`, { existing: "refuse" }).then(() => n),
      ),
    );
    const won = tries.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const codes = tries.flatMap((one) => (one.status === "rejected" ? one.reason.code : []));
    expect([won.length, codes]).toEqual([1, Array(7).fill("EEXIST")]);
    expect(await readFile(path, "utf8")).toBe(`${won[0]}`);
    expect(await readdir(dir.path)).toEqual(["claim"]);
  });

  test("leaves nothing behind if it fails", async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, "folder"));
    await writeFile(join(dir.path, "folder", "file"), "");
    await expect(writeFileAtomic(join(dir.path, "folder"), "x")).rejects.toThrow();
    await expect(writeFileAtomic(join(dir.path, "no", "file"), "x")).rejects.toMatchObject({
      code: "ENOENT",
    });
    expect(await readdir(dir.path)).toEqual(["folder"]);
  });

  test("replaces a link instead of writing through it", async () => {
    await using dir = await tempDir();
    const [target, link] = [join(dir.path, "target"), join(dir.path, "link")];
    await writeFile(target, "untouched");
    await symlink(target, link);
    await writeFileAtomic(link, "new");
    expect([await readFile(target, "utf8"), await readFile(link, "utf8")]).toEqual(["untouched", "new"]);
  });

  test("takes the longest name that a file system does", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "n".repeat(255));
    await writeFileAtomic(path, "x");
    expect(await readFile(path, "utf8")).toBe("x");
  });
});

describe("removeTemporaries", () => {
  test("takes away what a killed writer left, and nothing else", async () => {
    await using dir = await tempDir();
    const kept = ["notes.tmp", ".notes.tmp", "state.json", ".state.json.abc.tmp"];
    for (const name of [...kept, ".state.json.0a1b2c3d-4e5f.tmp"])
      await writeFile(join(dir.path, name), name);
    await removeTemporaries(dir.path);
    await removeTemporaries(join(dir.path, "missing"));
    expect((await readdir(dir.path)).sort()).toEqual(kept.sort());
  });
});
