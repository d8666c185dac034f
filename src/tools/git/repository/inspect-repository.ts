/** Inspects the repository of a folder before git runs, and refuses what no environment makes harmless. */
import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { isPlainText, placeFrom } from "../../../utils/paths/pointer-files.ts";
import { realLocation } from "../../../utils/paths/real-location.ts";
import type { ToolContext } from "../../core/context.ts";
import { deniedBySandbox, failure, type ToolRefusal } from "../../core/result.ts";
import { type FoundRepository, isFlaw, type RepositoryFlaw } from "./find-repository.ts";
import { KNOWN_FILES } from "./known-files.ts";
import { shownFlaw } from "./outward-links.ts";
import { type ConfigEntry, nameOf } from "./parse-config.ts";
import { alternatesFlaw, placeFlaw } from "./place-flaw.ts";
import type { ConfigSearch } from "./read-config.ts";
import { type Repository, readRepository } from "./read-repository.ts";

export interface Inspected {
  readonly topLevel: string;
  readonly gitDir: string;
  /** The part that all worktrees share. */
  readonly commonDir: string;
  /** Settings of the repository and of inner ones that git looks into, without harmless names of files. */
  readonly entries: readonly ConfigEntry[];
  /** Settings of the repository alone. */
  readonly config: readonly ConfigEntry[];
}

/**
 * Starts no process. It reads a few files, and reads them again only if they changed. Null if there is no
 * repository; git reports that itself. `alternates` says whether borrowed objects are checked. They matter only to
 * calls that show contents.
 */
export function inspectRepository(
  folder: string,
  { context, alternates }: { readonly context: ToolContext; readonly alternates: "refused" | "ignored" },
): Result<Inspected | null, ToolRefusal> {
  const { workspaceRoot, localRepositories } = context;
  const search = configSearch(context);
  const { files } = search;
  const own = alternates === "ignored" ? null : ownFolderFlaw(folder);
  if (own !== null) return err(unsafeRepository(own));
  const repository = readRepository(folder, search);
  if (repository === null) return ok(null);
  if (isFlaw(repository)) return err(unsafeRepository(repository));
  const all = withInner(repository);
  const entries = all.flatMap((one) =>
    one.config.filter((entry) => !isShownFile(entry) || namesForeignFile(entry, one, workspaceRoot)),
  );
  const flaw =
    repository.flaws[0] ??
    firstFlaw(all, (one) => placeFlaw(one, workspaceRoot)) ??
    nameFlaw(entries) ??
    linkFlaw(all, workspaceRoot) ??
    (alternates === "ignored"
      ? null
      : firstFlaw(all, (one) => alternatesFlaw(one, { workspaceRoot, files, localRepositories })));
  return flaw === null
    ? ok({
        topLevel: repository.topLevel,
        gitDir: repository.gitDir,
        commonDir: repository.commonDir,
        entries,
        config: repository.config,
      })
    : err(flaw.isDamage === true ? damagedRepository(flaw) : unsafeRepository(flaw));
}

/** How this context reads configuration: the known files, and the home folder. */
export function configSearch({ host, shared }: ToolContext): ConfigSearch {
  const { HOME, USERPROFILE } = host.environment();
  return { files: shared.get(KNOWN_FILES), home: HOME ?? USERPROFILE ?? null };
}

/** The answer to a repository that would make git do harm. `at` is the setting or the file to look at. */
export function unsafeRepository({ at, message }: RepositoryFlaw): ToolRefusal {
  return deniedBySandbox("UNSAFE_REPOSITORY", message, { details: { at } });
}

function damagedRepository({ at, message }: RepositoryFlaw): ToolRefusal {
  return failure("INTERNAL", message, { details: { at } });
}

function withInner(repository: Repository): readonly Repository[] {
  return [repository, ...repository.inner.flatMap(withInner)];
}

function firstFlaw(
  all: readonly Repository[],
  flawOf: (one: Repository) => RepositoryFlaw | null,
): RepositoryFlaw | null {
  for (const one of all) {
    const flaw = flawOf(one);
    if (flaw !== null) return flaw;
  }
  return null;
}

/** Newer versions of git work in such a folder, by the configuration in it. Older ones refuse. */
function ownFolderFlaw(folder: string): RepositoryFlaw | null {
  for (let at = folder; /[\\/]\.git[\\/](modules|worktrees)[\\/]/.test(at); at = dirname(at))
    if (existsSync(join(at, "HEAD")))
      return { at, message: `${at} is a repository's own folder. Call git in its working tree.` };
  return null;
}

function linkFlaw(all: readonly Repository[], workspaceRoot: string): RepositoryFlaw | null {
  return firstFlaw(all, ({ gitDir, commonDir, topLevel }) =>
    shownFlaw({ gitDir, commonDir }, [commonDir, topLevel, workspaceRoot]),
  );
}

function nameFlaw(entries: readonly ConfigEntry[]): RepositoryFlaw | null {
  const odd = entries.find(({ name }) => name !== null && !isPlainText(name));
  if (odd === undefined) return null;
  const at = `${odd.section}.${odd.name}.${odd.key}`;
  return { at, message: `The setting ${at} has a name that is no UTF-8.` };
}

/** Git shows what is in these files: names that replace others, and in messages any line that it cannot read. */
const SHOWN: ReadonlySet<string> = new Set(["blame.ignorerevsfile", "core.attributesfile", "mailmap.file"]);

/** Whether the setting names a file that git would show, outside of both the working tree and the workspace. */
function namesForeignFile(entry: ConfigEntry, { topLevel }: FoundRepository, workspaceRoot: string): boolean {
  if (!isShownFile(entry)) return false;
  const { value } = entry;
  if (value === null || value === "") return false;
  // A home folder, git's own folder, or a text that a newer git reads as more than a path.
  if (/^[~%:]/.test(value) || !isPlainText(value)) return true;
  const location = realLocation(placeFrom(topLevel, value));
  const leads = location.found === "no-way" ? location.at : location.path;
  return ![topLevel, workspaceRoot].some((root) => `${leads}${sep}`.startsWith(root + sep));
}

function isShownFile(entry: ConfigEntry): boolean {
  return SHOWN.has(nameOf(entry));
}
