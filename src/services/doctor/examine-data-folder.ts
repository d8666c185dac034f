/** Looks at the data folder: its permissions, its place, its room, its database and the copies of that. */
import { existsSync } from "node:fs";
import { access, constants, readdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type DataFolderFacts, dataFolderFindings } from "../../domain/doctor/data-folder.ts";
import { databaseFindings } from "../../domain/doctor/database.ts";
import type { Finding } from "../../domain/doctor/finding.ts";
import { freeSpace } from "../../utils/disk-space.ts";
import type { Patient } from "./patient.ts";

export async function examineDataFolder({
  paths,
  database,
}: Pick<Patient, "paths" | "database">): Promise<readonly Finding[]> {
  const { root } = paths;
  const state = await stateOf(root);
  const place = await nearestFolder(root);
  const facts: DataFolderFacts = {
    path: root,
    state,
    mode: await modeOf(root),
    openFiles: await openFiles(root),
    disk: await freeSpace(place).catch(() => null),
    network: await networkOf(place),
    insideRepository: repositoryAround(root),
  };
  const backups = await copiesIn(paths.backups);
  return [...dataFolderFindings(facts), ...databaseFindings({ file: paths.database, database, backups })];
}

async function stateOf(root: string): Promise<DataFolderFacts["state"]> {
  const found = await stat(root).catch((error: NodeJS.ErrnoException) => error.code ?? "");
  if (found === "ENOTDIR") return "not_a_folder";
  if (typeof found === "string") return found === "ENOENT" ? "absent" : "closed";
  if (!found.isDirectory()) return "not_a_folder";
  return access(root, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => "usable",
    () => "closed",
  );
}

/** Windows keeps others out by other means. */
async function modeOf(root: string): Promise<number | null> {
  if (process.platform === "win32") return null;
  const found = await stat(root).catch(() => null);
  return found === null ? null : found.mode & 0o777;
}

/** What gives away more than the names of files. */
const SECRET_FILES = ["config.json", "server.json", "session.key", "tazuna.db"];

async function openFiles(root: string): Promise<readonly string[]> {
  const modes = await Promise.all(SECRET_FILES.map((name) => stat(join(root, name)).catch(() => null)));
  return SECRET_FILES.filter((_, index) => ((modes[index]?.mode ?? 0) & 0o044) !== 0);
}

/** The folder itself, or the one that it would be made in. */
async function nearestFolder(path: string): Promise<string> {
  const above = dirname(path);
  return existsSync(path) || above === path ? path : nearestFolder(above);
}

/** By the magic numbers of `statfs` on Linux (`man 2 statfs`). */
const NETWORKS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x517b, "SMB"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x01021997, "9P"],
]);

async function networkOf(path: string): Promise<string | null> {
  if (process.platform !== "linux") return null;
  const type = await statfs(path).then(
    (found) => found.type >>> 0,
    () => 0,
  );
  return NETWORKS.get(type) ?? null;
}

/** The folder itself, or the nearest one above it, that is a checkout. */
function repositoryAround(path: string): string | null {
  if (existsSync(join(path, ".git"))) return path;
  const above = dirname(path);
  return above === path ? null : repositoryAround(above);
}

async function copiesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => name.endsWith(".db"));
  const copies = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), at: (await stat(join(folder, name))).mtimeMs })),
  );
  return copies.sort((one, other) => other.at - one.at).map(({ path }) => path);
}
