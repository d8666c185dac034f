/** Puts a folder on a small disk of its own, which can be filled and made read-only. */
import { cp, mkdir, rename, rm, stat, statfs, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../../helpers/temp-dir.ts";

export interface SmallDisk extends AsyncDisposable {
  /** Takes all the room that is left, but for so many bytes. */
  fill(left?: number): Promise<void>;
  /** Leaves room for so many files and folders more, of any content. */
  fillInodes(left: number): Promise<void>;
  /** Gives it all back. */
  free(): Promise<void>;
  /** Makes it a disk of `size`. */
  grow(size: string): void;
  /** Makes all of it read-only, for root too; no process may hold a file of it open for writing. */
  remount(access: "ro" | "rw"): void;
}

const MANY = 100_000;

/** A disk of `size` (as mount(8) reads it) at `path`, which is made if it is missing. Its content is kept. */
export async function smallDisk(path: string, size: string): Promise<SmallDisk> {
  const before = `${path}.before`;
  await mkdir(path, { recursive: true });
  await rename(path, before);
  await mkdir(path);
  run("mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path);
  await cp(before, path, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  await rm(before, { recursive: true });
  const filler = join(path, ".filler");
  return {
    fill: async (left = 0) => {
      await writeFile(filler, Buffer.alloc(64 * 1024 * 1024)).catch(() => {});
      const { size: taken } = await stat(filler);
      await truncate(filler, Math.max(0, taken - left));
    },
    fillInodes: async (left) => {
      const { files, ffree } = await statfs(path);
      run("mount", "-o", `remount,nr_inodes=${files - ffree + left}`, path);
    },
    free: () => {
      run("mount", "-o", `remount,nr_inodes=${MANY}`, path);
      return rm(filler, { force: true });
    },
    grow: (size) => run("mount", "-o", `remount,size=${size}`, path),
    remount: (access) => run("mount", "-o", `remount,${access}`, path),
    [Symbol.asyncDispose]: async () => run("umount", "--lazy", path),
  };
}

/** Why no such disk can be made here; null if it can. */
export async function whyNoSmallDisk(): Promise<string | null> {
  await using folder = await tempDir();
  const ended = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.path]);
  if (!ended.success) return "no right to mount a small disk; run the tests as root, or with `unshare -rm`";
  run("umount", folder.path);
  return null;
}

function run(...argv: readonly string[]): void {
  const ended = Bun.spawnSync([...argv]);
  if (!ended.success) throw new Error(`${argv.join(" ")}: ${ended.stderr.toString()}`);
}
