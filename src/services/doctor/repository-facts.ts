/** Gathers what git and the disk say of one repository; nothing is asked over the network, nothing is changed. */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { ok, type Result } from "neverthrow";
import type { RemoteFacts } from "../../domain/doctor/remotes.ts";
import type { RepositoryFacts } from "../../domain/doctor/repository.ts";
import { findHooks } from "../../git/hooks.ts";
import { readIdentity } from "../../git/identity.ts";
import { lfsFacts } from "../../git/lfs.ts";
import { chooseRemotes, listRemotes, type Remote } from "../../git/remote.ts";
import type { GitTarget } from "../../git/run-git.ts";
import { probeSigning } from "../../git/signing.ts";
import { trustedHashes } from "../../storage/trusted-scripts.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { plantedSettings } from "../configuration/planted-settings.ts";
import { repositoryScripts } from "../configuration/scripts.ts";
import type { Examined, Patient } from "./patient.ts";

export interface RepositoryLook {
  readonly facts: RepositoryFacts;
  readonly remotes: readonly RemoteFacts[];
  /** Why the remotes that the configuration names cannot be used. */
  readonly missing: string | null;
  /** Whether commits there would be by nobody; null where git could not say. */
  readonly withoutIdentity: boolean | null;
}

interface Of {
  readonly examined: Examined;
  readonly target: GitTarget;
  /** Null where it cannot be used. */
  readonly configuration: LoadedConfiguration | null;
}

export async function lookAtRepository(patient: Patient, of: Of): Promise<RepositoryLook> {
  const { examined, target, configuration } = of;
  const { git } = patient;
  // Git runs what the configuration of a repository names to sign, and for `git lfs` where that is missing. Of one that
  // nobody has made known to Tazuna it is not said that its configuration is meant well.
  const mayRun = examined.id !== null;
  const [remotes, identity, hooks, lfs, planted, untrusted] = await Promise.all([
    listRemotes(git, target),
    readIdentity(git, target),
    findHooks(git, target),
    mayRun ? lfsFacts(git, target, "local") : ok(NO_LFS),
    plantedSettings(patient, examined),
    untrustedOf(patient, of),
  ]);
  const known = remotes.unwrapOr([]);
  const undecided = configuration !== null && !configuration.sources.has("hooks");
  return {
    facts: {
      ...examined,
      trouble: firstTrouble([remotes, identity, hooks]),
      undecidedHooks: undecided ? hooks.unwrapOr({ hooks: [] }).hooks.map(({ name }) => name) : [],
      untrusted,
      planted: planted.map(({ text }) => text),
      lfs: lfs.unwrapOr(NO_LFS),
      signing: mayRun ? await signingTrouble(patient, of) : null,
    },
    remotes: known.map((remote) => ({ ...remote, gone: goneOf(remote) })),
    missing: missingOf(known, configuration),
    withoutIdentity: identity.map(({ source }) => source === "fallback").unwrapOr(null),
  };
}

const NO_LFS = { used: false, installed: false, configured: false };

type Asked = Result<unknown, { readonly kind: string; readonly message: string }>;

/** Git itself missing is told once, for the whole machine; what an agent planted is told by name. */
function firstTrouble(asked: readonly Asked[]): string | null {
  const errors = asked.flatMap((one) => (one.isErr() ? [one.error] : []));
  const told = errors.find(({ kind }) => kind !== "git_missing" && kind !== "planted");
  return told?.message ?? null;
}

async function untrustedOf({ db }: Patient, { examined, configuration }: Of): Promise<number> {
  if (configuration === null || db === null) return 0;
  const scripts = await repositoryScripts(configuration);
  if (scripts.length === 0) return 0;
  const trusted = examined.id === null ? new Set() : await trustedHashes(db.reader, examined.id);
  return scripts.filter(({ hash }) => !trusted.has(hash)).length;
}

async function signingTrouble(
  { git }: Patient,
  { target, configuration }: Of,
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
  const { values, sources } = configuration;
  const chosen = chooseRemotes(remotes, {
    remote: sources.has("remote") ? values.remote : null,
    pushRemote: values.push_remote,
  });
  return chosen.isErr() ? chosen.error.message : null;
}

/** Addresses that are folders of this machine, and not there. */
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
