// Builds the web UI into `dist/web`, unless what it is made of is the same as at the last build.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runAlone } from "./run-alone.mjs";
import { runQuietly } from "./run-quietly.mjs";

const SOURCES = ["web", "src/contract", "src/domain", "package.json", "package-lock.json"];

/** Exits with the builder's words if it fails. */
export async function buildWeb(home) {
  const stamp = join(home, "dist", "web", ".built");
  const hash = hashOf(home);
  const isDone = () => existsSync(stamp) && readFileSync(stamp, "utf8") === hash;
  const act = async () => {
    const bun = join(home, "node_modules", ".bin", "bun");
    const vite = join(home, "node_modules", "vite", "bin", "vite.js");
    await runQuietly("building the web UI", [bun, "--bun", vite, "build", "web"], { cwd: home });
    writeFileSync(stamp, hash);
  };
  await runAlone(join(home, ".building"), { what: "building the web UI", isDone, act });
}

function hashOf(home) {
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap((source) => filesOf(home, source)))
    hash.update(`${path}\0`).update(readFileSync(join(home, path)));
  return hash.digest("hex");
}

function filesOf(home, path) {
  if (/\.(json|ts)$/.test(path)) return [path];
  return readdirSync(join(home, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildWeb(fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, ""));
