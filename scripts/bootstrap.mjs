// Installs what is missing on a machine that has only Node or only Bun, then starts the product or runs its tests.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runAlone } from "./run-alone.mjs";
import { runQuietly } from "./run-quietly.mjs";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const bun = join(home, "node_modules", ".bin", "bun");
const stamp = join(home, "node_modules", ".tazuna-lock");

const lockHash = () =>
  createHash("sha256")
    .update(readFileSync(join(home, "package-lock.json")))
    .digest("hex");

/** Installs exactly the locked packages, unless the same lock file was installed before. */
async function install() {
  const isDone = () => existsSync(bun) && existsSync(stamp) && readFileSync(stamp, "utf8") === lockHash();
  const act = async () => {
    const shell = process.platform === "win32";
    await runQuietly("installing the packages", installer(), { cwd: home, shell });
    writeFileSync(stamp, lockHash());
  };
  await runAlone(join(home, ".installing"), { what: "installing the packages", isDone, act });
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

const [verb = "start", ...rest] = process.argv.slice(2);
await install();
if (verb === "start" || verb === "test" || verb === "test:deep") {
  const { buildWeb } = await import("./build-web.mjs");
  await buildWeb(home);
}
if (verb === "start")
  process.exit(await run(["--no-env-file", join(home, "src", "main.ts"), "serve", "--open", ...rest]));
if (verb === "test" || verb === "test:deep") {
  process.chdir(home);
  const { runTests } = await import("./run-tests.mjs");
  process.exit(await runTests(verb, rest, run));
}
