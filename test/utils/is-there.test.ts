/** Tells that only what is gone is called gone. */
import { expect, test } from "bun:test";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isThere } from "../../src/utils/files/is-there.ts";
import { tempDir } from "../helpers/temp-dir.ts";

test("a file, a folder and a link into nothing are there; what cannot be there is not", async () => {
  await using folder = await tempDir();
  const at = (...names: string[]) => join(folder.path, ...names);
  await writeFile(at("file"), "");
  await symlink("nowhere", at("link"));
  const looks = [at(), at("file"), at("link"), at("gone"), at("file", "below"), at("n".repeat(300))];
  expect(await Promise.all(looks.map(isThere))).toEqual([true, true, true, false, false, false]);
});

test("what cannot be looked at is an error, never `gone`", async () => {
  await using folder = await tempDir();
  await symlink("loop", join(folder.path, "loop"));
  expect(isThere(join(folder.path, "loop", "below"))).rejects.toMatchObject({ code: "ELOOP" });
});
