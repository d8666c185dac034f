/** Gathers what git and the disk say of one repository; uses no network and changes nothing. */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { ok, type Result } from "neverthrow";
import type { RemoteFacts } from "../../domain/doctor/remotes.ts";
import type { RepositoryFacts } from "../../domain/doctor/repository.ts";
import { listWantedIgnoredFiles } from "../../git/index/ignored-files.ts";
import { lfsFacts } from "../../git/index/lfs.ts";
import { listRemotes, type Remote } from "../../git/remote/remote.ts";
import { findHooks } from "../../git/repository/hooks.ts";
import { readIdentity } from "../../git/repository/identity.ts";
import { probeSigning } from "../../git/repository/signing.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { chosenBy } from "../repositories/choose-remote.ts";
import { plantedSettings } from "../trust/planted-settings.ts";
import { scriptsWithoutTrust } from "../trust/trust.ts";
import { unmatchedPatterns } from "../worktrees/copy-files.ts";
import type { DoctorContext, Examined } from "./doctor-context.ts";

interface RepositoryExamination {
  readonly facts: RepositoryFacts;
  readonly remotes: readonly RemoteFacts[];
  /** Why the remotes that the configuration names cannot be used. */
  readonly missing: string | null;
  /** Whether commits there would have no author; null if git could not say. */
  readonly withoutIdentity: boolean | null;
}

interface Subject {
  readonly examined: Examined;
  readonly target: GitTarget;
  /** Null if it cannot be used. */
  readonly configuration: LoadedConfiguration | null;
}

export async function readRepositoryFacts(
  context: DoctorContext,
  subject: Subject,
): Promise<RepositoryExamination> {
  const { examined, target, configuration } = subject;
  const { git } = context;
  // Git runs programs that a repository's configuration names: to sign, and for `git lfs` if that is missing.
  // The configuration of a repository that is not registered may be hostile.
  const mayRun = examined.id !== null;
  const [remotes, identity, hooks, lfs, planted, untrusted, unmatched] = await Promise.all([
    listRemotes(git, target),
    readIdentity(git, target),
    findHooks(git, target),
    mayRun ? lfsFacts(git, target, "local") : ok(NO_LFS),
    plantedSettings(context, examined),
    untrustedOf(context, subject),
    unmatchedOf(git, subject),
  ]);
  const known = remotes.unwrapOr([]);
  const undecided = configuration !== null && !configuration.sources.has("hooks");
  return {
    facts: {
      ...examined,
      trouble: firstTrouble([remotes, identity, hooks]),
      undecidedHooks: undecided ? hooks.unwrapOr({ hooks: [] }).hooks.map(({ name }) => name) : [],
      untrusted,
      unmatched,
      planted: planted.map(({ text }) => text),
      lfs: lfs.unwrapOr(NO_LFS),
      signing: mayRun ? await signingTrouble(context, subject) : null,
    },
    remotes: known.map((remote) => ({ ...remote, gone: goneOf(remote) })),
    missing: missingOf(known, configuration),
    withoutIdentity: identity.map(({ source }) => source === "fallback").unwrapOr(null),
  };
}

/** Patterns of `copy` that match no file. */
async function unmatchedOf(git: Git, { target, configuration }: Subject): Promise<readonly string[]> {
  const patterns = configuration?.values.copy ?? [];
  const { gitDir, workTree } = target;
  if (patterns.length === 0 || workTree === null) return [];
  const wanted = await listWantedIgnoredFiles(git, { gitDir, workTree }, patterns);
  return wanted.map((files) => unmatchedPatterns(patterns, files)).unwrapOr([]);
}

const NO_LFS = { used: false, installed: false, configured: false };

type Asked = Result<unknown, { readonly kind: string; readonly message: string }>;

/** A missing git is reported once, for the whole machine; settings that an agent planted are reported by name. */
function firstTrouble(asked: readonly Asked[]): string | null {
  const errors = asked.flatMap((one) => (one.isErr() ? [one.error] : []));
  const failure = errors.find(({ kind }) => kind !== "git_missing" && kind !== "planted");
  return failure?.message ?? null;
}

async function untrustedOf({ db }: DoctorContext, { examined, configuration }: Subject): Promise<number> {
  if (configuration === null || db === null) return 0;
  return (await scriptsWithoutTrust(db, { id: examined.id, configuration })).length;
}

async function signingTrouble(
  { git }: DoctorContext,
  { target, configuration }: Subject,
): Promise<RepositoryFacts["signing"]> {
  if (configuration?.values.sign === "off") return null;
  const identity = await readIdentity(git, target);
  if (identity.isErr()) return null;
  const probed = await probeSigning(git, target, identity.value);
  if (probed.isErr()) return null;
  const signing = probed.value;
  return signing.wanted && !signing.works ? signing : null;
}

function missingOf(remotes: readonly Remote[], configuration: LoadedConfiguration | null): string | null {
  if (configuration === null || remotes.length === 0) return null;
  const chosen = chosenBy(configuration, remotes);
  return chosen.isErr() ? chosen.error.message : null;
}

/** Addresses that are folders of this machine and do not exist. */
function goneOf({ fetchUrl, pushUrl }: Remote): readonly string[] {
  const places = [...new Set([fetchUrl, pushUrl])].flatMap(placeOf);
  return places.filter((place) => !existsSync(place));
}

function placeOf(url: string): readonly string[] {
  if (isAbsolute(url)) return [url];
  if (!URL.canParse(url)) return [];
  const parsed = new URL(url);
  return parsed.protocol === "file:" && parsed.host === "" ? [fileURLToPath(parsed)] : [];
}
