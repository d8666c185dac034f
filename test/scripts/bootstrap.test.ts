import { expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../src/utils/exec.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(150_000);

const ROOT = join(import.meta.dir, "../..");

const SCRIPTS = ["bootstrap.mjs", "build-web.mjs", "run-alone.mjs", "run-quietly.mjs"];

/** A checkout whose only package is a little program called bun, which lies beside it: no network is needed. */
async function checkout(path: string): Promise<void> {
  for (const folder of ["bin", "scripts", "packages/bun"])
    await mkdir(join(path, folder), { recursive: true });
  for (const file of ["bin/tazuna", ...SCRIPTS.map((name) => `scripts/${name}`)])
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
  // Another one died before it wrote its name.
  await writeFile(join(path, ".installing"), "");
  await utimes(join(path, ".installing"), 0, 0);
  const ends = await Promise.all(
    [1, 2].map(() => exec([join(path, "bin/tazuna"), "list"], { cwd: folder.path, env })),
  );
  expect(ends).toMatchObject([{ code: 0 }, { code: 0 }]);
  expect(JSON.stringify(ends).split("tazuna: installing the packages").length).toBe(2);
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

test(deep("of two starts at the same moment in a fresh clone one builds, and both go on"), async () => {
  await using folder = await tempDir();
  const path = join(folder.path, "checkout");
  await checkout(path);
  for (const name of ["node_modules/.bin", "node_modules/vite/bin", "src/contract", "src/domain", "web"])
    await mkdir(join(path, name), { recursive: true });
  await symlink(process.execPath, join(path, "node_modules/.bin/bun"));
  const locked = createHash("sha256").update(await readFile(join(path, "package-lock.json")));
  await writeFile(join(path, "node_modules/.tazuna-lock"), locked.digest("hex"));
  await writeFile(join(path, "src/main.ts"), 'console.log("started");');
  await writeFile(join(path, "node_modules/vite/bin/vite.js"), SLOW_BUILD);
  const env = { PATH: process.env.PATH ?? "", HOME: folder.path };
  const command = ["node", "scripts/bootstrap.mjs", "start"];
  const ends = await Promise.all([1, 2].map(() => exec(command, { cwd: path, env })));
  const started = { code: 0, stdout: "started\n" };
  expect(ends).toMatchObject([started, started]);
  expect(await readFile(join(path, "builds"), "utf8")).toBe("build\n");
  expect((await readdir(path)).filter((name) => name.startsWith(".build"))).toEqual([]);
});

const SLOW_BUILD = `
import { appendFileSync, mkdirSync } from "node:fs";
appendFileSync("builds", "build\\n");
mkdirSync("dist/web", { recursive: true });
await new Promise((resolve) => setTimeout(resolve, 500));
`;
