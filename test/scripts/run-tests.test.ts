/** Holds that each test is run by exactly one of the two commands, and that whatever went wrong is told. */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../src/utils/exec.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

const ROOT = join(import.meta.dir, "../..");

/** A checkout that holds the scripts and these tests alone; its packages count as installed. */
async function checkout(path: string, tests: Readonly<Record<string, string>>): Promise<void> {
  const folders = [
    "bin",
    "scripts",
    "src/contract",
    "src/domain",
    "test",
    "web",
    "dist/web",
    "node_modules/.bin",
  ];
  for (const folder of folders) await mkdir(join(path, folder), { recursive: true });
  for (const file of SCRIPTS) await copyFile(join(ROOT, "scripts", file), join(path, "scripts", file));
  await symlink(process.execPath, join(path, "node_modules/.bin/bun"));
  for (const file of ["package.json", "package-lock.json"]) await writeFile(join(path, file), "{}");
  await writeFile(join(path, "src/main.ts"), 'console.log("made of", import.meta.file);');
  await writeFile(join(path, "node_modules/.tazuna-lock"), createHash("sha256").update("{}").digest("hex"));
  await writeFile(join(path, "dist/web/.built"), builtOf(["package.json", "package-lock.json"]));
  await writeFile(join(path, "test/timings.json"), '{ "version": 1, "files": {} }');
  for (const [file, text] of Object.entries(tests))
    await writeFile(join(path, "test", file), `import { expect, test } from "bun:test";\n${text}`);
}

const SCRIPTS = [
  "bootstrap.mjs",
  "build-test-product.mjs",
  "build-web.mjs",
  "reasons.mjs",
  "run-alone.mjs",
  "run-quietly.mjs",
  "run-tests.mjs",
];

/** The mark of a web UI that was built of these files, each of which holds `{}`. */
function builtOf(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update("{}");
  return hash.digest("hex");
}

async function run(path: string, ...args: string[]) {
  return runIn(path, {}, ...args);
}

async function runIn(path: string, more: Readonly<Record<string, string>>, ...args: string[]) {
  const env = { PATH: process.env.PATH ?? "", HOME: path, TAZUNA_TEST_WORKERS: "2", ...more };
  const end = await exec([process.execPath, "scripts/bootstrap.mjs", ...args], { cwd: path, env });
  if (!end.started) throw new Error("the runner did not start");
  const ran = [...(end.stdout + end.stderr).matchAll(/^\((?:pass|fail)\) (.*?)(?: \[[\d.]+ms\])?$/gm)];
  return {
    code: end.code,
    ran: ran.map(([, title = ""]) => title).sort(),
    last: end.stdout.trimEnd().split("\n").at(-1),
    stdout: end.stdout,
  };
}

const TWO_FILES = {
  "one.test.ts": `test("quick", () => {});\ntest("${deep("slow")}", () => {});\ntest.skip("missing", () => {});`,
  "two.test.ts": `test("${deep("slower")}", () => {});`,
};

test("each test is run by one of the two commands; a file that is named is run whole", async () => {
  await using folder = await tempDir();
  await checkout(folder.path, TWO_FILES);
  const [fast, slow, named] = [
    await run(folder.path, "test"),
    await run(folder.path, "test:deep"),
    await run(folder.path, "test", "one.test.ts"),
  ];
  expect(fast).toMatchObject({ code: 0, ran: ["quick"], last: "1 passed, 0 failed, 1 skipped" });
  expect(slow).toMatchObject({
    ran: ["slow [deep]", "slower [deep]"],
    last: "2 passed, 0 failed, 0 skipped",
  });
  expect(named).toMatchObject({ ran: ["quick", "slow [deep]"], last: "2 passed, 0 failed, 1 skipped" });
});

test("once the time of the deep tests is over, what is left is counted as skipped; without an end all are run", async () => {
  await using folder = await tempDir();
  const late = 'import { deep } from "./helpers/tier.ts";\ntest(deep("late"), () => {});';
  await checkout(folder.path, { "one.test.ts": `test("${deep("early")}", () => {});`, "two.test.ts": late });
  await mkdir(join(folder.path, "test/helpers"));
  await copyFile(join(ROOT, "test/helpers/tier.ts"), join(folder.path, "test/helpers/tier.ts"));
  const over = await runIn(folder.path, { TAZUNA_DEEP_MINUTES: "0.00001" }, "test:deep");
  expect(over).toMatchObject({ code: 0, ran: ["early [deep]"], last: "1 passed, 0 failed, 1 skipped" });
  expect(over.stdout).toContain("1 deep tests are skipped, since their time is over");
  const all = await runIn(folder.path, { TAZUNA_DEEP_MINUTES: "0" }, "test:deep");
  expect(all).toMatchObject({ ran: ["early [deep]", "late [deep]"], last: "2 passed, 0 failed, 0 skipped" });
});

test("one commit draws the same deep tests each time, the next commit draws others", async () => {
  await using folder = await tempDir();
  await checkout(folder.path, { "one.test.ts": `test("${deep("slow")}", () => {});` });
  const env = { PATH: process.env.PATH ?? "", HOME: folder.path };
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  const commit = async (message: string) => {
    await exec(["git", ...who, "commit", "--quiet", "--allow-empty", "-m", message], {
      cwd: folder.path,
      env,
    });
    return seedOf(await run(folder.path, "test:deep"));
  };
  await exec(["git", "init", "--quiet"], { cwd: folder.path, env });
  const seeds = [await commit("one"), seedOf(await run(folder.path, "test:deep")), await commit("two")];
  expect(seeds[0]).toMatch(/^\d+$/);
  expect(seeds[1]).toBe(seeds[0]);
  expect(seeds[2]).not.toBe(seeds[0]);
});

function seedOf({ stdout }: { readonly stdout: string }): string | undefined {
  return /TAZUNA_CRASH_SEED=(\d+)/.exec(stdout)?.[1];
}

test("the product that the tests start is made of the checkout before they begin, and is gone after them", async () => {
  await using folder = await tempDir();
  const main = "const { stdout } = Bun.spawnSync([process.execPath, product + '/src/main.ts']);";
  const look = `const product = process.env.TAZUNA_TEST_PRODUCT; ${main} console.log(product + " says " + stdout);`;
  await checkout(folder.path, { "looks.test.ts": `test("looks", () => { ${look} });` });
  const { code, stdout } = await run(folder.path, "test");
  const [, product = "", said] = /^(\S+) says (.*)$/m.exec(stdout) ?? [];
  expect({ code, said, left: existsSync(product) }).toEqual({
    code: 0,
    said: "made of parts.js",
    left: false,
  });
});

test("tests have a temporary folder in memory that is gone after them, unless TMPDIR names one", async () => {
  await using folder = await tempDir();
  await checkout(folder.path, {
    "place.test.ts": `test("place", () => { console.log("in", process.env.TMPDIR ?? "the system's", "there"); });`,
  });
  const place = ({ stdout }: { readonly stdout: string }) => /^in (.*) there$/m.exec(stdout)?.[1] ?? "";
  const own = place(await run(folder.path, "test"));
  expect(own === "the system's" || own.startsWith("/dev/shm/tazuna-tests-")).toBe(true);
  expect(existsSync(own)).toBe(false);
  expect(place(await runIn(folder.path, { TMPDIR: folder.path }, "test"))).toBe(folder.path);
  expect(existsSync(folder.path)).toBe(true);
});

test("a failing test or a dead worker ends the command with a failure, which is repeated at the end", async () => {
  await using folder = await tempDir();
  await checkout(folder.path, { "odd.test.ts": 'test("odd", () => { expect("a stray").toBe("none"); });' });
  const failed = await run(folder.path, "test");
  expect(failed).toMatchObject({ code: 1, last: "0 passed, 1 failed, 0 skipped" });
  expect(failed.stdout.slice(-600)).toContain('Received: "a stray"');

  await using other = await tempDir();
  await checkout(other.path, {
    ...TWO_FILES,
    "dies.test.ts": 'test("dies", () => { process.kill(process.pid, "SIGKILL"); });',
  });
  const died = await run(other.path, "test");
  expect(died.code).not.toBe(0);
  expect(died.last).not.toContain(" 0 failed");
});
