import { expect, test } from "bun:test";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findRealGit } from "../../src/guard/find-git.ts";
import { tempDir } from "../helpers/temp-dir.ts";

async function folders(...names: readonly string[]) {
  const dir = await tempDir();
  const at = (name: string) => join(dir.path, name);
  for (const name of names) {
    await mkdir(at(name));
    await writeFile(join(at(name), "git"), "#!/bin/sh\n");
    await chmod(join(at(name), "git"), 0o755);
  }
  return { at, [Symbol.asyncDispose]: dir[Symbol.asyncDispose] };
}

test("the first git behind the guard's last place on the PATH, whatever the guard's name and the earlier entries", async () => {
  await using made = await folders("guard", "before", "first", "second");
  const { at } = made;
  await symlink(at("guard"), at("alias"));
  const find = (turns: number, ...path: string[]) =>
    findRealGit({ path: path.join(":"), folder: at("guard"), turns });
  expect(find(1, at("guard"), at("first"), at("second"))).toBe(join(at("first"), "git"));
  expect(find(1, at("before"), at("guard"), at("first"))).toBe(join(at("first"), "git"));
  expect(find(1, at("guard"), at("before"), `${at("alias")}/`, at("first"))).toBe(join(at("first"), "git"));
  expect(find(1, at("first"))).toBe(join(at("first"), "git"));
  expect(find(1, at("first"), at("guard"))).toBeNull();
  expect(find(1, "", ".", "relative", at("guard"), "", ".", at("first"))).toBe(join(at("first"), "git"));
});

test("no program and no file is no git", async () => {
  await using made = await folders("guard", "plain", "last");
  const { at } = made;
  await chmod(join(at("plain"), "git"), 0o644);
  await mkdir(join(at("folder"), "git"), { recursive: true });
  const path = [at("guard"), at("plain"), at("folder"), at("missing"), at("last")].join(":");
  expect(findRealGit({ path, folder: at("guard"), turns: 1 })).toBe(join(at("last"), "git"));
});

test("a call that goes round comes to the last git, and to none if that goes round as well", async () => {
  await using made = await folders("guard", "wrapper", "last");
  const { at } = made;
  const path = [at("guard"), at("wrapper"), at("last")].join(":");
  const find = (turns: number) => findRealGit({ path, folder: at("guard"), turns });
  expect([find(8), find(9), find(17)]).toEqual([join(at("wrapper"), "git"), join(at("last"), "git"), null]);
});
