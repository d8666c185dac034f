// Installs exact versions of the programs that tests drive into a cache folder: the agent command lines, the oldest
// Node that the library promises to run on, and a server of object storage.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const windows = process.platform === "win32";
const pinned = JSON.parse(readFileSync(new URL("./agents.json", import.meta.url), "utf8"));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "tazuna-agents");

const ANSWER_MS = 120_000;
/** One that takes longer hangs, and the others are not to wait for it. */
const INSTALL_MS = 300_000;

const folderOf = (agent) => join(cache, `${agent.package.split("/").at(-1)}-${agent.version}`);
const binaryIn = (folder, agent) =>
  join(folder, "node_modules", ".bin", windows ? `${agent.program}.cmd` : agent.program);

/** Runs a program to its end: its exit code and all that it printed, or why it could not be started. */
async function run(program, args, options) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], shell: windows, ...options });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"])
    child[stream].setEncoding("utf8").on("data", (text) => {
      said[stream] += text;
    });
  try {
    const [code, signal] = await once(child, "close");
    return { code: code ?? signal, error: null, ...said };
  } catch (error) {
    return { code: null, error: error.message, ...said };
  }
}

/** Null where the program answers with the pinned version, else why it does not. */
async function faultOf(folder, agent) {
  const binary = binaryIn(folder, agent);
  if (!existsSync(binary)) return `${binary} is missing`;
  const env = { ...process.env, DISABLE_AUTOUPDATER: "1", GEMINI_CLI_NO_RELAUNCH: "true" };
  const asked = await run(binary, ["--version"], { timeout: ANSWER_MS, env });
  if (asked.error !== null) return `${agent.program} --version: ${asked.error}`;
  if (asked.code === 0 && asked.stdout.includes(agent.version)) return null;
  const said = `${asked.stdout} ${asked.stderr}`.trim().slice(0, 300);
  return `${agent.program} --version answered with exit code ${asked.code}: ${said}`;
}

/** Installs into a folder beside the final one; throws with the reason. */
async function installInto(folder, agent) {
  // npm 11 runs the install scripts of named packages only.
  const manifest = { private: true, allowScripts: { [agent.package]: true } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const flags = ["--foreground-scripts", "--save-exact", "--no-audit", "--no-fund", "--no-progress"];
  const installed = await run(
    "npm",
    ["install", ...flags, "--loglevel=error", `${agent.package}@${agent.version}`],
    { cwd: folder, timeout: INSTALL_MS },
  );
  if (installed.error !== null) throw new Error(`npm could not be started: ${installed.error}`);
  if (installed.code !== 0)
    throw new Error(`npm install failed with exit code ${installed.code}: ${installed.stderr.trim()}`);
  const fault = await faultOf(folder, agent);
  if (fault !== null) throw new Error(fault);
}

/** Puts a finished folder in its place; another process may have been faster, which is as good. */
async function place(folder, agent) {
  const final = folderOf(agent);
  rmSync(final, { recursive: true, force: true });
  try {
    renameSync(folder, final);
  } catch (error) {
    if ((await faultOf(final, agent)) !== null) throw error;
  }
}

async function provide(agent) {
  if ((await faultOf(folderOf(agent), agent)) === null) return;
  console.error(`Installing ${agent.package} ${agent.version}`);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, ".installing-"));
  try {
    await installInto(folder, agent);
    await place(folder, agent);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ends = await Promise.allSettled(pinned.map(provide));
for (const [at, agent] of pinned.entries()) {
  const { status, reason } = ends[at];
  if (status === "fulfilled")
    console.log(`${agent.program} ${agent.version} ${binaryIn(folderOf(agent), agent)}`);
  else
    console.error(
      `${agent.program} ${agent.version} could not be installed into ${cache}: ${reason instanceof Error ? reason.message : reason}`,
    );
}
process.exitCode = ends.every(({ status }) => status === "fulfilled") ? 0 : 1;
