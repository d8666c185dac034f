/** Examines the data folder: its permissions, its place, its free space, its database and the copies of that. */
import { existsSync } from "node:fs";
import { access, constants, readdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type DataFolderFacts, dataFolderFindings } from "../../domain/doctor/data-folder.ts";
import { databaseFindings } from "../../domain/doctor/database.ts";
import type { Finding } from "../../domain/doctor/finding.ts";
import { freeSpace } from "../../utils/files/disk-space.ts";
import type { DoctorContext } from "./doctor-context.ts";

export async function examineDataFolder({
  paths,
  database,
}: Pick<DoctorContext, "paths" | "database">): Promise<readonly Finding[]> {
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
    trashAcross: (await isAcross(paths)) ? paths.trash : null,
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

/** Windows protects the folder by other means. */
async function modeOf(root: string): Promise<number | null> {
  if (process.platform === "win32") return null;
  const found = await stat(root).catch(() => null);
  return found === null ? null : found.mode & 0o777;
}

/** Files that reveal more than file names. */
const SECRET_FILES = ["config.json", "server.json", "tazuna.db", "worker.json"];

async function openFiles(root: string): Promise<readonly string[]> {
  const modes = await Promise.all(SECRET_FILES.map((name) => stat(join(root, name)).catch(() => null)));
  return SECRET_FILES.filter((_, index) => ((modes[index]?.mode ?? 0) & 0o044) !== 0);
}

/** The folder itself, or the nearest existing one above it. */
async function nearestFolder(path: string): Promise<string> {
  const above = dirname(path);
  return existsSync(path) || above === path ? path : nearestFolder(above);
}

/** The magic numbers of `statfs` on Linux (`man 2 statfs`). */
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

/** Whether the trash is on another file system than the worktrees. False if one of them does not exist yet. */
async function isAcross({ worktrees, trash }: DoctorContext["paths"]): Promise<boolean> {
  const [from, to] = await Promise.all([worktrees, trash].map((path) => stat(path).catch(() => null)));
  return from?.dev !== undefined && to?.dev !== undefined && from.dev !== to.dev;
}

/** The folder itself or the nearest one above it, if that is a checkout. */
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
