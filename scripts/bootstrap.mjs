// Installs what is missing on a machine that has only Node or only Bun, then starts the product or runs its tests.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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

const [verb = "start", ...rest] = process.argv.slice(2);
install();
if (verb === "start")
  process.exit(await run(["--no-env-file", join(home, "src", "main.ts"), "serve", "--open", ...rest]));
if (verb === "test" || verb === "test:deep") {
  process.chdir(home);
  const { runTests } = await import("./run-tests.mjs");
  process.exit(await runTests(verb, rest, run));
}
