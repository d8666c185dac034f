/** Deletes whole folders, and measures and moves what is in them, whatever their names and modes are. */
import { expect, test } from "bun:test";
import { chmod, lstat, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folderSize } from "../../src/utils/files/folder-size.ts";
import { moveEntries } from "../../src/utils/files/move-entries.ts";
import { removeTree } from "../../src/utils/files/remove-tree.ts";
import { PERL } from "../helpers/need.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const NO_TEXT = Buffer.from([0x66, 0xff, 0xfe]);

/** Files of five and three bytes, one with a name outside UTF-8, a closed folder, a link to `outside`. */
async function fill(folder: string, outside: string): Promise<void> {
  await mkdir(join(folder, "closed", "deep"), { recursive: true });
  await writeFile(join(folder, "closed", "deep", "five.txt"), "12345");
  await writeFile(Buffer.concat([Buffer.from(`${folder}/`), NO_TEXT]), "123");
  await symlink(outside, join(folder, "link"));
  await chmod(join(folder, "closed"), 0o555);
}

test("a folder goes with everything in it; what a link leads to stays", async () => {
  await using place = await tempDir();
  const [folder, outside] = [join(place.path, "folder"), join(place.path, "outside")];
  await mkdir(folder);
  await mkdir(outside);
  await writeFile(join(outside, "kept.txt"), "kept");
  await fill(folder, outside);
  const size = await folderSize(folder, { left: 100 });
  expect(size?.bytes).toBe(5 + 3 + outside.length);
  expect(await folderSize(folder, { left: 2 })).toBeNull();
  await removeTree(folder);
  await removeTree(folder);
  expect([await readdir(place.path), await readdir(outside)]).toEqual([["outside"], ["kept.txt"]]);
});

test("a path that the system does not follow is not taken for a missing one", async () => {
  await using place = await tempDir();
  await symlink("circle", join(place.path, "circle"));
  await expect(removeTree(join(place.path, "circle", "folder"))).rejects.toThrow("ELOOP");
});

test.skipIf(PERL.missing)(
  `a folder goes that is deeper than a path may be long, closed ones in it too${PERL.why}`,
  async () => {
    await using place = await tempDir();
    const dig = 'for (1..40) { mkdir $ARGV[0]; chdir $ARGV[0] or die } mkdir "closed"; chmod 0, "closed"';
    const dug = Bun.spawnSync(["perl", "-e", dig, "d".repeat(200)], { cwd: place.path });
    expect(dug.exitCode).toBe(0);
    await removeTree(join(place.path, "d".repeat(200)));
    expect(await readdir(place.path)).toEqual([]);
  },
);

test("entries move with their names and modes, never over one that is there, and a second time changes nothing", async () => {
  await using place = await tempDir();
  const [from, to] = [join(place.path, "from"), join(place.path, "to")];
  await mkdir(from);
  await mkdir(to);
  await fill(from, place.path);
  await writeFile(join(from, ".git"), "left");
  await writeFile(join(to, "link"), "in the way");
  expect(await moveEntries(from, to, { except: [".git"] })).toBe(join(to, "link"));
  await removeTree(join(to, "link"));
  for (let times = 0; times < 2; times++)
    expect(await moveEntries(from, to, { except: [".git"] })).toBeNull();
  expect([await readdir(from), (await lstat(join(to, "closed"))).mode & 0o777]).toEqual([[".git"], 0o555]);
  expect((await readdir(to, { encoding: "buffer" })).some((name) => name.equals(NO_TEXT))).toBe(true);
  expect(await moveEntries(join(place.path, "none"), to, { except: [] })).toBeNull();
});
