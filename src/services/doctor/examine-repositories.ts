/** Examines every repository that Tazuna knows, and the one in which doctor was called. */
import { basename } from "node:path";
import type { Finding } from "../../domain/doctor/finding.ts";
import { found } from "../../domain/doctor/found.ts";
import { type RemoteFacts, remoteFindings } from "../../domain/doctor/remotes.ts";
import { goneFinding, repositoryFindings } from "../../domain/doctor/repository.ts";
import type { DiscoveredRepository } from "../../git/discover.ts";
import { locateGitDir } from "../../git/locate-git-dir.ts";
import { listRepositories } from "../../storage/repositories.ts";
import { configurationFinding, unavailableFinding } from "./configuration-findings.ts";
import { notExamined } from "./not-examined.ts";
import type { Examined, Patient } from "./patient.ts";
import { lookAtRepository } from "./repository-facts.ts";

export interface ExaminedRepositories {
  readonly findings: readonly Finding[];
  readonly remotes: readonly RemoteFacts[];
  /** Names of those whose commits would be by nobody; null where none could be asked. */
  readonly withoutIdentity: readonly string[] | null;
}

/** `here` is where doctor was called; null for nowhere. Four at a time. */
export async function examineRepositories(
  patient: Patient,
  here: DiscoveredRepository | null,
): Promise<ExaminedRepositories> {
  const waiting = await allOf(patient, here);
  const seen: Seen[] = [];
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift())
      seen.push(await examineOne(patient, one).catch((error) => notSeen(one, error)));
  };
  await Promise.all(Array.from({ length: 4 }, work));
  const asked = seen.filter(({ withoutIdentity }) => withoutIdentity !== null);
  const remotes = seen.flatMap((one) => one.remotes);
  return {
    findings: [...seen.flatMap(({ findings }) => findings), ...notAsked(remotes)],
    remotes,
    withoutIdentity:
      asked.length === 0 ? null : asked.filter((one) => one.withoutIdentity).map(({ name }) => name),
  };
}

async function allOf({ db }: Patient, here: DiscoveredRepository | null): Promise<Examined[]> {
  const known = db === null ? [] : await listRepositories(db.reader);
  const all = known.map((one): Examined => ({ ...one, here: one.path === here?.path }));
  if (here === null || all.some((one) => one.here)) return all;
  return [{ ...here, id: null, name: basename(here.path), here: true }, ...all];
}

interface Seen extends Omit<ExaminedRepositories, "withoutIdentity"> {
  readonly name: string;
  readonly withoutIdentity: boolean | null;
}

function notSeen({ name }: Examined, error: unknown): Seen {
  return { name, remotes: [], withoutIdentity: null, findings: [notExamined(`repository ${name}`, error)] };
}

async function examineOne(patient: Patient, examined: Examined): Promise<Seen> {
  const { id, name, path, commonDir, bare, here } = examined;
  const nothing = { name, remotes: [], withoutIdentity: null };
  const dirs = await locateGitDir(path);
  if (dirs?.commonDir !== commonDir)
    return { ...nothing, findings: [goneFinding({ id: id ?? "", name, path, another: dirs !== null })] };
  const configuration = await patient.configuration(examined);
  const loaded = configuration.unwrapOr(null);
  const { facts, remotes, missing, withoutIdentity } = await lookAtRepository(patient, {
    examined,
    target: { gitDir: dirs.gitDir, workTree: bare ? null : path },
    configuration: loaded,
  });
  return {
    name,
    remotes,
    withoutIdentity,
    findings: [
      ...(configuration.isErr() ? [configurationFinding(configuration.error)] : []),
      ...(loaded === null ? [] : unavailableFinding(loaded, path)),
      ...repositoryFindings(facts),
      ...remoteFindings({ name, path, remotes, missing, here }),
    ],
  };
}

/** What doctor did not do, so that nobody takes its silence for an answer. */
function notAsked(remotes: readonly RemoteFacts[]): readonly Finding[] {
  if (remotes.length === 0) return [];
  return [
    found("info", "remotes_not_asked", "No remote was contacted, and no login was tried.", {
      why: "Doctor works without the network.",
      remedy: "`git ls-remote --heads origin` in a repository tries its remote.",
    }),
  ];
}
