/** Tells a copy from what it was copied from, and leaves nothing half made. */
import { describe, expect, test } from "bun:test";
import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { copyProven, proveSame } from "../../src/utils/files/copy-proven.ts";
import { tempDir } from "../helpers/temp-dir.ts";

async function tree(folder: string): Promise<string> {
  const from = join(folder, "from");
  await mkdir(join(from, "inner"), { recursive: true });
  await writeFile(join(from, "inner", "file.txt"), "text\n");
  await symlink("inner/file.txt", join(from, "link"));
  return from;
}

describe("a proved copy", () => {
  test("is whole, replaces what an earlier try left unfinished, and leaves out what holds nothing", async () => {
    await using folder = await tempDir();
    const from = await tree(folder.path);
    const to = join(folder.path, "to");
    await mkdir(`${to}.part`);
    await writeFile(join(`${to}.part`, "left.txt"), "");
    const server = Bun.listen({ unix: join(from, "socket"), socket: { data() {} } });
    expect(await copyProven(from, to)).toBe(1);
    await proveSame(from, to);
    server.stop();
    expect((await readdir(folder.path)).sort()).toEqual(["from", "to"]);
    expect((await readdir(to)).sort()).toEqual(["inner", "link"]);
  });

  const CHANGES: Readonly<Record<string, (copy: string) => Promise<unknown>>> = {
    "a byte": (copy) => writeFile(join(copy, "inner", "file.txt"), "tExt\n"),
    "a length": (copy) => writeFile(join(copy, "inner", "file.txt"), "text\n\n"),
    "a mode": (copy) => chmod(join(copy, "inner", "file.txt"), 0o755),
    "one file more": (copy) => writeFile(join(copy, "more.txt"), ""),
  };

  test.each(Object.keys(CHANGES))("is none if %s differs", async (what) => {
    await using folder = await tempDir();
    const from = await tree(folder.path);
    const to = join(folder.path, "to");
    await copyProven(from, to);
    await CHANGES[what]?.(to);
    expect(proveSame(from, to)).rejects.toThrow("differs from its copy");
  });
});
