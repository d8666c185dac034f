/** Reads what the safety of a git call depends on: a repository's place and settings, inner ones included. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type FoundRepository,
  findRepository,
  isFlaw,
  type RepositoryFlaw,
  realOrNull,
} from "./find-repository.ts";
import { gitlinksOf, isWhole } from "./index-gitlinks.ts";
import type { KnownFiles } from "./known-files.ts";
import { type ConfigEntry, nameOf } from "./parse-config.ts";
import { type ConfigSearch, readConfig } from "./read-config.ts";

export interface Repository extends FoundRepository {
  /** Settings of the repository itself. */
  readonly config: readonly ConfigEntry[];
  /** The existing repositories that its index holds. Git looks into them while it works in this one. */
  readonly inner: readonly Repository[];
  /** Files that could not be read as git reads them. */
  readonly flaws: readonly RepositoryFlaw[];
}

/** The limit for submodules inside submodules. */
const DEEPEST = 8;

/** Null if git will not find one either. */
export function readRepository(folder: string, search: ConfigSearch): Repository | RepositoryFlaw | null {
  const found = findRepository(folder, search.files);
  return found === null || isFlaw(found) ? found : readFound(found, search, 0);
}

function readFound(found: FoundRepository, search: ConfigSearch, depth: number): Repository {
  const { config, flaws } = configOf(found, search);
  const links = linksOf(found, config, search.files);
  if (links === null) {
    const at = join(found.gitDir, "index");
    return {
      ...found,
      config,
      inner: [],
      flaws: [...flaws, { at, message: `${at} is damaged: git did not write it like that.`, isDamage: true }],
    };
  }
  if (links.length > 0 && depth === DEEPEST) {
    const message = `The repositories below ${found.topLevel} are nested too deeply.`;
    return { ...found, config, inner: [], flaws: [...flaws, { at: found.topLevel, message }] };
  }
  const looked = links.map((path) => innerAt(join(found.topLevel, path), search, depth + 1));
  const inner = looked.flatMap((one) => (one === null || isFlaw(one) ? [] : [one]));
  const innerFlaws = looked.flatMap((one) => (one === null ? [] : isFlaw(one) ? [one] : one.flaws));
  return { ...found, config, inner, flaws: [...flaws, ...innerFlaws] };
}

/** Git does not look for an inner repository behind a link. */
function innerAt(at: string, search: ConfigSearch, depth: number): Repository | RepositoryFlaw | null {
  if (realOrNull(at) !== at) return null;
  const one = findRepository(at, search.files);
  if (one === null || isFlaw(one)) return one;
  return one.topLevel === at ? readFound(one, search, depth) : null;
}

function configOf(
  { gitDir, commonDir }: FoundRepository,
  search: ConfigSearch,
): Pick<Repository, "config" | "flaws"> {
  const shared = readConfig([join(commonDir, "config")], search);
  const own = readConfig([join(gitDir, "config.worktree")], search);
  // In a linked worktree, git ignores the working tree that the shared file names.
  const entries =
    gitDir === commonDir ? shared.entries : shared.entries.filter((entry) => !isWorkTree(entry));
  const unread = [...shared.unread, ...own.unread];
  return {
    config: [...entries, ...own.entries],
    flaws: unread.map((message) => ({ at: "include.path", message })),
  };
}

function isWorkTree(entry: ConfigEntry): boolean {
  return nameOf(entry) === "core.worktree";
}

/** Absolute paths. A split index has most of its entries in files beside it. */
export function indexFiles(gitDir: string): readonly string[] {
  const names = readdirSync(gitDir).filter((name) => name === "index" || name.startsWith("sharedindex."));
  return names.map((name) => join(gitDir, name)).filter((path) => existsSync(path));
}

/** Null if an index exists and cannot be read. */
function linksOf(
  { gitDir }: FoundRepository,
  config: readonly ConfigEntry[],
  files: KnownFiles,
): readonly string[] | null {
  const idBytes = usesSha256(config) ? 32 : 20;
  const links = new Set<string>();
  for (const path of indexFiles(gitDir)) {
    const answer = files.ask(path, (bytes) => (isWhole(bytes, idBytes) ? gitlinksOf(bytes, idBytes) : null));
    if (answer.kind === "odd" || (answer.kind === "file" && answer.value === null)) return null;
    if (answer.kind === "file") for (const link of answer.value ?? []) links.add(link);
  }
  return [...links].filter((path) => path !== "");
}

/** Whether its objects are named by SHA-256. */
export function usesSha256(config: readonly ConfigEntry[]): boolean {
  return config.some((entry) => nameOf(entry) === "extensions.objectformat" && entry.value === "sha256");
}
