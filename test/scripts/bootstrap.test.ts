import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, copyFile, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../src/utils/exec.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, "../..");

/** A checkout whose only package is a little program called bun, which lies beside it: no network is needed. */
async function checkout(path: string): Promise<void> {
  for (const folder of ["bin", "scripts", "packages/bun"])
    await mkdir(join(path, folder), { recursive: true });
  for (const file of ["bin/tazuna", "scripts/bootstrap.mjs", "scripts/run-quietly.mjs"])
    await copyFile(join(ROOT, file), join(path, file));
  await writeFile(join(path, "packages/bun/bun.sh"), '#!/bin/sh\necho "bun $@"\n');
  await chmod(join(path, "packages/bun/bun.sh"), 0o755);
  const write = (file: string, value: unknown) => writeFile(join(path, file), JSON.stringify(value));
  const own = { name: "checkout", dependencies: { bun: "file:packages/bun" } };
  const bun = { version: "1.0.0", bin: { bun: "bun.sh" } };
  await write("package.json", own);
  await write("packages/bun/package.json", { name: "bun", ...bun });
  await write("package-lock.json", {
    ...{ name: "checkout", lockfileVersion: 3, requires: true },
    packages: { "": own, "packages/bun": bun, "node_modules/bun": { resolved: "packages/bun", link: true } },
  });
}

test("on a machine that has Bun and no Node, the first command installs the packages and goes on", async () => {
  await using folder = await tempDir();
  const path = join(folder.path, "checkout");
  await checkout(path);
  const programs = join(folder.path, "path");
  await mkdir(programs);
  await symlink(process.execPath, join(programs, "bun"));
  for (const program of ["sh", "dirname", "readlink"])
    await symlink(Bun.which(program) ?? program, join(programs, program));
  const env = { PATH: programs, HOME: folder.path };
  const before = await readdir(path);
  const first = await exec([join(path, "bin/tazuna"), "list"], { cwd: folder.path, env });
  expect(first).toMatchObject({
    code: 0,
    stdout: `bun --no-env-file --config=/dev/null ${path}/src/main.ts list\n`,
  });
  expect((await readdir(path)).filter((name) => !before.includes(name))).toEqual(["node_modules"]);
});

test(deep("of two first commands at the same moment one installs, and both go on"), async () => {
  await using folder = await tempDir();
  const path = join(folder.path, "checkout");
  await checkout(path);
  const env = { PATH: process.env.PATH ?? "", HOME: folder.path };
  const ends = await Promise.all(
    [1, 2].map(() => exec([join(path, "bin/tazuna"), "list"], { cwd: folder.path, env })),
  );
  expect(ends).toMatchObject([{ code: 0 }, { code: 0 }]);
  expect(JSON.stringify(ends).split("installing the packages").length).toBe(2);
  expect((await readdir(path)).filter((name) => name.startsWith(".inst"))).toEqual([]);
});

test("on a machine without both, it says what is needed", async () => {
  await using folder = await tempDir();
  const path = join(folder.path, "checkout");
  await checkout(path);
  const programs = join(folder.path, "path");
  await mkdir(programs);
  for (const program of ["sh", "dirname", "readlink"])
    await symlink(Bun.which(program) ?? program, join(programs, program));
  const end = await exec([join(path, "bin/tazuna"), "list"], { cwd: folder.path, env: { PATH: programs } });
  expect(end).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "tazuna: The packages are not installed yet: install Node 20 or newer, or Bun, then try again.\n",
  });
});
