// Builds what the package offers to others: ESM and types of each door in its `exports`, from src/ into dist/.
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(home, "dist");
const { exports: offered } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const doors = Object.values(offered).map(({ default: built }) =>
  join(home, built.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")),
);

/** Emits into a folder; TypeScript takes the files from a configuration only. */
function compile(folder) {
  const config = join(folder, "tsconfig.json");
  const compilerOptions = { outDir: join(folder, "out") };
  writeFileSync(
    config,
    JSON.stringify({ extends: join(home, "tsconfig.library.json"), compilerOptions, files: doors }),
  );
  const tsc = join(home, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", config], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  return compilerOptions.outDir;
}

/** TypeScript rewrites `./x.ts` in what runs, and leaves it in types, where older ones do not find it. */
function nameBuiltFiles(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".d.ts"))) {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/(\bfrom |\bimport\()"(\.[^"]*)\.ts"/g, '$1"$2.js"'));
  }
}

mkdirSync(dist, { recursive: true });
const folder = mkdtempSync(join(dist, ".building-"));
try {
  const out = compile(folder);
  nameBuiltFiles(out);
  // The web UI is built by another script.
  const isOurs = (name) => !name.startsWith(".building-") && name !== "web";
  for (const name of readdirSync(dist).filter(isOurs)) rmSync(join(dist, name), { recursive: true });
  for (const name of readdirSync(out)) renameSync(join(out, name), join(dist, name));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
