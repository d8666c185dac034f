// Installs exact versions of the agent command lines into a cache folder, for the tests that drive real ones.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const windows = process.platform === "win32";
const pinned = JSON.parse(readFileSync(new URL("./agents.json", import.meta.url), "utf8"));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "tazuna-agents");

const folderOf = (agent) => join(cache, `${agent.package.split("/").at(-1)}-${agent.version}`);
const binaryIn = (folder, agent) =>
  join(folder, "node_modules", ".bin", windows ? `${agent.program}.cmd` : agent.program);

/** Null where the program answers with the pinned version, else why it does not. */
function faultOf(folder, agent) {
  const binary = binaryIn(folder, agent);
  if (!existsSync(binary)) return `${binary} is missing`;
  const asked = spawnSync(binary, ["--version"], {
    encoding: "utf8",
    timeout: 120_000,
    shell: windows,
    env: { ...process.env, DISABLE_AUTOUPDATER: "1", GEMINI_CLI_NO_RELAUNCH: "true" },
  });
  if (asked.error) return `${agent.program} --version: ${asked.error.message}`;
  if (asked.status === 0 && asked.stdout.includes(agent.version)) return null;
  const said = `${asked.stdout} ${asked.stderr}`.trim().slice(0, 300);
  return `${agent.program} --version answered with exit code ${asked.status}: ${said}`;
}

/** Installs into a folder beside the final one; throws with the reason. */
function installInto(folder, agent) {
  // npm 11 runs the install scripts of named packages only.
  const manifest = { private: true, allowScripts: { [agent.package]: true } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const flags = ["--foreground-scripts", "--save-exact", "--no-audit", "--no-fund", "--no-progress"];
  const installed = spawnSync(
    "npm",
    ["install", ...flags, "--loglevel=error", `${agent.package}@${agent.version}`],
    { cwd: folder, stdio: ["ignore", 2, "inherit"], shell: windows },
  );
  if (installed.error) throw new Error(`npm could not be started: ${installed.error.message}`);
  if (installed.status !== 0) throw new Error(`npm install failed with exit code ${installed.status}`);
  const fault = faultOf(folder, agent);
  if (fault !== null) throw new Error(fault);
}

/** Puts a finished folder in its place; another process may have been faster, which is as good. */
function place(folder, agent) {
  const final = folderOf(agent);
  rmSync(final, { recursive: true, force: true });
  try {
    renameSync(folder, final);
  } catch (error) {
    if (faultOf(final, agent) !== null) throw error;
  }
}

function provide(agent) {
  if (faultOf(folderOf(agent), agent) === null) return;
  console.error(`Installing ${agent.package} ${agent.version}`);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, ".installing-"));
  try {
    installInto(folder, agent);
    place(folder, agent);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let failed = 0;
for (const agent of pinned) {
  try {
    provide(agent);
    console.log(`${agent.program} ${agent.version} ${binaryIn(folderOf(agent), agent)}`);
  } catch (error) {
    failed += 1;
    console.error(
      `${agent.program} ${agent.version} could not be installed into ${cache}: ${error instanceof Error ? error.message : error}`,
    );
  }
}
process.exit(failed === 0 ? 0 : 1);
