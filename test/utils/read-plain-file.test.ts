/** Tells that a file which others may have put there is read without following links or waiting. */
import { expect, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readPlainFile } from "../../src/utils/paths/read-plain-file.ts";
import { tempDir } from "../helpers/temp-dir.ts";

test("a short file is read; a long one, a link, a folder, a writerless pipe and nothing are null", async () => {
  await using folder = await tempDir();
  const at = (name: string) => join(folder.path, name);
  await writeFile(at("file"), "text\n");
  await symlink(at("file"), at("link"));
  await mkdir(at("folder"));
  await Bun.spawn(["mkfifo", at("pipe")]).exited;
  const read = ["file", "link", "folder", "pipe", "none"].map((name) => readPlainFile(at(name), 5));
  expect(read).toEqual(["text\n", null, null, null, null]);
  expect(readPlainFile(at("file"), 4)).toBeNull();
});
