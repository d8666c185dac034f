// Installs what is missing on a machine that has only Node or only Bun, then starts the product or runs its tests.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const bun = join(home, "node_modules", ".bin", "bun");
const stamp = join(home, "node_modules", ".tazuna-lock");

const lockHash = () =>
  createHash("sha256")
    .update(readFileSync(join(home, "package-lock.json")))
    .digest("hex");

/** Installs exactly the locked packages, unless the same lock file was installed before. */
function install() {
  if (existsSync(bun) && existsSync(stamp) && readFileSync(stamp, "utf8") === lockHash()) return;
  const [program, ...args] = installer();
  const result = spawnSync(program, args, {
    cwd: home,
    stdio: ["ignore", 2, "inherit"],
    shell: process.platform === "win32",
  });
  if (result.status !== 0) {
    console.error(
      `tazuna: the packages could not be installed (${[program, args[0]].join(" ")} failed, see above).`,
    );
    process.exit(result.status ?? 1);
  }
  writeFileSync(stamp, lockHash());
}

/** npm, or Bun on a machine that has nothing else (it runs this file then): it reads the same lock file. */
function installer() {
  const { error } = spawnSync("npm", ["--version"], { stdio: "ignore", shell: process.platform === "win32" });
  if (error !== undefined && process.versions.bun !== undefined)
    return [process.execPath, "install", "--frozen-lockfile", "--no-progress"];
  return ["npm", "ci", "--no-progress", "--loglevel=error"];
}

function run(args, { onOutput } = {}) {
  return new Promise((resolve) => {
    const stdio = onOutput ? ["inherit", "pipe", "pipe"] : "inherit";
    const child = spawn(bun, args, { cwd: process.cwd(), stdio });
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => child.kill(name));
    child.stdout?.on("data", (chunk) => onOutput(chunk, process.stdout));
    child.stderr?.on("data", (chunk) => onOutput(chunk, process.stderr));
    child.on("error", (error) => {
      console.error(`tazuna: ${error.message}`);
      resolve(1);
    });
    child.on("close", (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

/** The counts of the last summary that the test runner printed, as one line that any reader knows. */
function summaryLine(text) {
  const count = (word) => {
    const found = [...text.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))].at(-1);
    return found ? Number(found[1]) : 0;
  };
  return `${count("pass")} passed, ${count("fail")} failed, ${count("skip")} skipped`;
}

async function test(args) {
  const { collectReasons } = await import("./reasons.mjs");
  const reasons = collectReasons();
  let tail = "";
  const code = await run(["test", "--parallel", "--timeout", "60000", ...args], {
    onOutput: (chunk, to) => {
      to.write(chunk);
      const text = stripVTControlCharacters(chunk.toString());
      reasons.take(text, to);
      tail = (tail + text).slice(-20_000);
    },
  });
  if (code !== 0) for (const reason of reasons.said()) console.log(`${reason}\n`);
  console.log(summaryLine(tail));
  return code;
}

const [verb = "start", ...rest] = process.argv.slice(2);
install();
if (verb === "start")
  process.exit(await run(["--no-env-file", join(home, "src", "main.ts"), "serve", "--open", ...rest]));
if (verb === "test") {
  process.chdir(home);
  process.exit(await test(rest));
}
