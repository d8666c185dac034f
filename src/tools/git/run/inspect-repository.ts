/** Looks at the repository of a folder before git does, and refuses by name what no environment makes harmless. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { ToolContext } from "../../core/context.ts";
import { deniedBySandbox, type ToolRefusal } from "../../core/result.ts";
import { isFlaw, type RepositoryFlaw } from "./find-repository.ts";
import { KNOWN_FILES } from "./known-files.ts";
import { isShownFile, namesForeignFile } from "./named-files.ts";
import { shownLink } from "./outward-links.ts";
import type { ConfigEntry } from "./parse-config.ts";
import { alternatesFlaw, placeFlaw } from "./place-flaw.ts";
import { isSpeakable } from "./planted-programs.ts";
import type { ConfigSearch } from "./read-config.ts";
import { type Repository, readRepository } from "./read-repository.ts";

export interface Inspected {
  readonly topLevel: string;
  readonly gitDir: string;
  /** What all worktrees share. */
  readonly commonDir: string;
  /** Of the repository and of those inside it that git looks into, but for harmless names of files. */
  readonly entries: readonly ConfigEntry[];
}

/**
 * Without starting a process: a few files are looked at, and read again only when they changed. Null where no repository
 * is; git says so itself. Borrowed objects matter to who shows contents, so `alternates` says whether they are looked at.
 */
export function inspectRepository(
  folder: string,
  { context, alternates }: { readonly context: ToolContext; readonly alternates: "refused" | "ignored" },
): Result<Inspected | null, ToolRefusal> {
  const { workspaceRoot } = context;
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
      : firstFlaw(all, (one) => alternatesFlaw(one, { workspaceRoot, files })));
  return flaw === null
    ? ok({
        topLevel: repository.topLevel,
        gitDir: repository.gitDir,
        commonDir: repository.commonDir,
        entries,
      })
    : err(unsafeRepository(flaw));
}

/** How configuration is read in this context: what is known of its files, and whose home it is. */
export function configSearch({ host, shared }: ToolContext): ConfigSearch {
  const { HOME, USERPROFILE } = host.environment();
  return { files: shared.get(KNOWN_FILES), home: HOME ?? USERPROFILE ?? null };
}

/** The answer to a repository that would make git do harm; `at` is the setting or the file to look at. */
export function unsafeRepository({ at, message }: RepositoryFlaw): ToolRefusal {
  return deniedBySandbox("UNSAFE_REPOSITORY", message, { details: { at } });
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

/** Newer versions of git work in there, by the configuration that lies there, where older ones refuse. */
function ownFolderFlaw(folder: string): RepositoryFlaw | null {
  for (let at = folder; /[\\/]\.git[\\/](modules|worktrees)[\\/]/.test(at); at = dirname(at))
    if (existsSync(join(at, "HEAD")))
      return { at, message: `${at} is a repository's own folder. Call git in its working tree.` };
  return null;
}

function linkFlaw(all: readonly Repository[], workspaceRoot: string): RepositoryFlaw | null {
  return firstFlaw(all, ({ gitDir, commonDir, topLevel }) =>
    shownLink([gitDir, commonDir], [commonDir, topLevel, workspaceRoot]),
  );
}

function nameFlaw(entries: readonly ConfigEntry[]): RepositoryFlaw | null {
  const odd = entries.find((entry) => !isSpeakable(entry));
  if (odd === undefined) return null;
  const at = `${odd.section}.${odd.name}.${odd.key}`;
  return { at, message: `The setting ${at} has a name that is no UTF-8.` };
}
