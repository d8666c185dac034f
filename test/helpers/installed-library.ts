/** Packs the project as for publishing, and installs the package into a folder without other files of the project. */
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { which } from "bun";
import { exec } from "../../src/utils/exec.ts";
import { type TempDir, tempDir } from "./temp-dir.ts";

const ROOT = resolve(import.meta.dir, "../..");

/** All that the library may need, and all that is there beside it. */
export const LIBRARY_PACKAGES = ["neverthrow", "zod"] as const;

export interface InstalledLibrary extends AsyncDisposable {
  /** A program in this folder imports the installed package by its name; there is nothing else but `LIBRARY_PACKAGES`. */
  readonly folder: string;
  /** The same with all that the package depends on installed too, and the types of Node. */
  readonly fullFolder: string;
  /** The installed package. */
  readonly home: string;
  readonly tarball: string;
  /** What lies in the package, below its folder. */
  readonly files: readonly string[];
}

const npm = which("npm");

/** Why the tests that pack are skipped, or null. */
export const NO_NPM = npm === null ? "needs npm" : null;

/** `npm pack` runs what a publication would run, so that what is tested is what is published. */
export async function installedLibrary(): Promise<InstalledLibrary> {
  const dir = await tempDir();
  const stage = join(dir.path, "stage");
  await copyCheckout(stage);
  const packed = await run(
    [npm ?? "npm", "pack", "--offline", "--no-update-notifier", "--json", `--pack-destination=${dir.path}`],
    stage,
  );
  const [, name = ""] = /"filename":\s*"([^"]+)"/.exec(packed) ?? [];
  const tarball = join(dir.path, name);
  await rm(stage, { recursive: true });
  const [folder, fullFolder] = [join(dir.path, "alone"), join(dir.path, "full")];
  const home = await install(tarball, folder, LIBRARY_PACKAGES);
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as PackageFile;
  await install(tarball, fullFolder, [...Object.keys(dependencies), "@types/node", "undici-types"]);
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .sort();
  return { folder, fullFolder, home, tarball, files, [Symbol.asyncDispose]: () => discard(dir) };
}

interface PackageFile {
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Unpacks the package for the programs of a folder, beside packages of the checkout; says where it lies. */
async function install(tarball: string, folder: string, packages: readonly string[]): Promise<string> {
  const home = join(folder, "node_modules", "tazuna");
  await mkdir(home, { recursive: true });
  await run(["tar", "-xzf", tarball, "-C", home, "--strip-components=1"], folder);
  for (const name of packages) await link(join("node_modules", name), folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  return home;
}

const discard = (dir: TempDir) => dir[Symbol.asyncDispose]();

/** What a fresh checkout has of that which is packed and built; the packages are those that are installed here. */
async function copyCheckout(stage: string): Promise<void> {
  const { files } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as PackageFile;
  const built = [
    "package.json",
    "package-lock.json",
    "scripts",
    "tsconfig.json",
    "tsconfig.library.json",
    "web",
  ];
  const needed = [...files, ...built];
  for (const name of needed.filter((name) => name !== "dist"))
    await cp(join(ROOT, name), join(stage, name), { recursive: true });
  await link("node_modules", stage);
}

/** Makes a package of the checkout visible in another folder. */
async function link(path: string, into: string): Promise<void> {
  await mkdir(dirname(join(into, path)), { recursive: true });
  await symlink(join(ROOT, path), join(into, path));
}

/** Its stdout; throws with all that it said if it fails. */
export async function run(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const whole = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: cwd, ...env };
  const result = await exec(argv, { cwd, env: whole, timeoutMs: 120_000 });
  if (result.started && result.code === 0) return result.stdout;
  throw new Error(`${argv.join(" ")}: ${JSON.stringify(result, null, 2).replaceAll("\\n", "\n")}`);
}
