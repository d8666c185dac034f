/** Examines every repository that Tazuna knows, and the one in which doctor was called. */
import { basename } from "node:path";
import { type Finding, makeFinding } from "../../domain/doctor/finding.ts";
import { type RemoteFacts, remoteFindings } from "../../domain/doctor/remotes.ts";
import { goneFinding, putAwayFinding, repositoryFindings } from "../../domain/doctor/repository.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { locateGitDir } from "../../git/process/locate-git-dir.ts";
import type { DiscoveredRepository } from "../../git/repository/discover.ts";
import { getRepository, listRepositories } from "../../storage/tables/repositories.ts";
import { wasPutAway } from "../clones/put-away-before.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { configurationFinding } from "./configuration-findings.ts";
import type { DoctorContext, Examined } from "./doctor-context.ts";
import { notExamined } from "./not-examined.ts";
import { readRepositoryFacts } from "./repository-facts.ts";

export interface ExaminedRepositories {
  readonly findings: readonly Finding[];
  readonly remotes: readonly RemoteFacts[];
  /** Names of those in which commits would have no author; null if none could be asked. */
  readonly withoutIdentity: readonly string[] | null;
}

/** `here` is the folder in which doctor was called; null for none. Examines four at a time. */
export async function examineRepositories(
  context: DoctorContext,
  here: DiscoveredRepository | null,
): Promise<ExaminedRepositories> {
  const waiting = await allOf(context, here);
  const seen: Seen[] = [];
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift())
      seen.push(await examineOne(context, one).catch((error) => notSeen(one, error)));
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

async function allOf({ db, owner }: DoctorContext, here: DiscoveredRepository | null): Promise<Examined[]> {
  const known = db === null ? [] : await listRepositories(db.reader, ownWorker({ db, owner }));
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

async function examineOne(context: DoctorContext, examined: Examined): Promise<Seen> {
  const { id, name, path, commonDir, bare, here } = examined;
  const nothing = { name, remotes: [], withoutIdentity: null };
  const dirs = await locateGitDir(path);
  const away = dirs === null ? await putAwayClone(context, id) : null;
  if (away !== null) return { ...nothing, findings: [putAwayFinding(away)] };
  if (dirs?.commonDir !== commonDir)
    return { ...nothing, findings: [goneFinding({ id: id ?? "", name, path, another: dirs !== null })] };
  const configuration = await context.configuration(examined);
  const loaded = configuration.unwrapOr(null);
  const { facts, remotes, missing, withoutIdentity } = await readRepositoryFacts(context, {
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
      ...repositoryFindings(facts),
      ...remoteFindings({ name, path, remotes, missing, here }),
    ],
  };
}

/** Null if nobody knows why it is not there. */
async function putAwayClone({ db }: DoctorContext, id: string | null): Promise<Repository | null> {
  const known = db === null || id === null ? null : await getRepository(db.reader, id);
  return db !== null && known !== null && (await wasPutAway(db.reader, known)) ? known : null;
}

/** Names what doctor did not check, so that its silence is not taken for an answer. */
function notAsked(remotes: readonly RemoteFacts[]): readonly Finding[] {
  if (remotes.length === 0) return [];
  return [
    makeFinding("info", "remotes_not_asked", "No remote was contacted, and no login was tried.", {
      why: "Doctor works without the network.",
      remedy: "`git ls-remote --heads origin` in a repository tries its remote.",
    }),
  ];
}
