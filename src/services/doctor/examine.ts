/** Examines this machine, the data folder, the agents and the repositories; looks only, and asks nothing of the network. */
import { configurationSchema } from "../../domain/configuration/schema.ts";
import { agentFindings } from "../../domain/doctor/agents.ts";
import type { Finding } from "../../domain/doctor/finding.ts";
import { found } from "../../domain/doctor/found.ts";
import { type DiscoveredRepository, discoverRepository } from "../../git/discover.ts";
import { repositoryByPath } from "../../storage/repositories.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { untrustedAgents } from "../configuration/trust.ts";
import { statusesOf } from "../queries/agent-status.ts";
import { discoverRefusal } from "../repositories/register-repository.ts";
import { configurationFinding } from "./configuration-findings.ts";
import { examineDataFolder } from "./examine-data-folder.ts";
import { examineGit } from "./examine-git.ts";
import { examineIsolation } from "./examine-isolation.ts";
import { type ExaminedRepositories, examineRepositories } from "./examine-repositories.ts";
import { findLedgerFindings } from "./find-ledger-findings.ts";
import { notExamined } from "./not-examined.ts";
import type { Patient } from "./patient.ts";

type Findings = Promise<readonly Finding[]>;

/** `path` is where doctor was called; null for nowhere. Whatever goes wrong in a part is a finding of that part. */
export async function examine(patient: Patient, path: string | null): Findings {
  const here = await lookAround(patient, path).catch(nowhere);
  const settings = await settingsOf(patient, here.repository);
  const parts = await Promise.all([
    part("isolation", () => examineIsolation(patient, settings.configuration)),
    part("agents", () => examineAgents(patient, { ...settings, here: here.repository })),
    part("the data folder", () => examineDataFolder(patient)),
    part("worktrees and trash", () => examineLedgers(patient)),
    part("repositories", () => examineRepositoriesAndGit(patient, here.repository)),
  ]);
  const all = [...settings.findings, ...here.findings, ...parts.flat()];
  // What several repositories share is found by each of them; the last word of a thing is the one that knows most of it.
  return [...new Map(all.map((finding) => [finding.id, finding])).values()];
}

interface Around {
  readonly repository: DiscoveredRepository | null;
  readonly findings: readonly Finding[];
}

/** The repository around `path`, and why it cannot be used where one is there. */
async function lookAround({ git }: Patient, path: string | null): Promise<Around> {
  if (path === null) return { repository: null, findings: [] };
  const discovered = await discoverRepository(git, path);
  if (discovered.isOk()) return { repository: discovered.value, findings: [] };
  const { kind } = discovered.error;
  // Git itself missing is told once, for the whole machine.
  if (kind === "not_a_repository" || kind === "git_missing") return { repository: null, findings: [] };
  const { message, remedy } = discoverRefusal(discovered.error, path);
  return {
    repository: null,
    findings: [found("error", `repository_trouble:${path}`, message, { path, remedy })],
  };
}

function nowhere(error: unknown): Around {
  return { repository: null, findings: [notExamined("this repository", error)] };
}

async function part(name: string, examineIt: () => Findings): Findings {
  try {
    return await examineIt();
  } catch (error) {
    return [notExamined(name, error)];
  }
}

/** What holds where doctor was called, or the defaults where that cannot be used. */
async function settingsOf(patient: Patient, here: DiscoveredRepository | null) {
  const loaded = await patient.configuration(here);
  const defaults = { values: configurationSchema.parse({}), sources: new Map(), repositoryFiles: [] };
  return {
    findings: loaded.isErr() ? [configurationFinding(loaded.error)] : [],
    configuration: loaded.unwrapOr<LoadedConfiguration>(defaults),
  };
}

async function examineAgents(
  patient: Patient,
  {
    configuration,
    here,
  }: { readonly configuration: LoadedConfiguration; readonly here: DiscoveredRepository | null },
): Findings {
  const { values } = configuration;
  const { db } = patient;
  const known = db === null || here === null ? null : await repositoryByPath(db.reader, here.path);
  const untrusted = await untrustedAgents(db, { id: known?.id ?? null, configuration });
  const statuses = await statusesOf(patient, { configuration: values, untrusted });
  const configured = new Set(Object.keys(values.agents));
  return agentFindings(
    statuses.map((status) => ({
      ...status,
      configured: configured.has(status.id),
      demo: status.executor === "demo",
    })),
  );
}

async function examineRepositoriesAndGit(patient: Patient, here: DiscoveredRepository | null): Findings {
  const none: ExaminedRepositories = { findings: [], remotes: [], withoutIdentity: null };
  const repositories = (await hasGit(patient)) ? await examineRepositories(patient, here) : none;
  return [...(await examineGit(patient, repositories)), ...repositories.findings];
}

/** Without git every repository would seem to be gone. */
async function examineLedgers(patient: Patient): Findings {
  const { db, git, paths, unended } = patient;
  return db !== null && (await hasGit(patient)) ? findLedgerFindings({ db, git, paths, unended }) : [];
}

async function hasGit({ probe }: Patient): Promise<boolean> {
  return (await probe.which("git")) !== null;
}
