/** Examines this machine, the data folder, the agents and the repositories, read-only and without the network. */
import { agentFindings } from "../../domain/doctor/agents.ts";
import { clockFindings } from "../../domain/doctor/clock.ts";
import { type Finding, makeFinding } from "../../domain/doctor/finding.ts";
import { gitFindings } from "../../domain/doctor/git.ts";
import { joinedFindings } from "../../domain/doctor/joined.ts";
import type { RemoteFacts } from "../../domain/doctor/remotes.ts";
import { keptCloneFinding } from "../../domain/doctor/repository.ts";
import type { DiscoveredRepository } from "../../git/repository/discover.ts";
import { timeOf } from "../../storage/schema/database-time.ts";
import { DEFAULT_CONFIGURATION, type LoadedConfiguration } from "../configuration/load-configuration.ts";
import { depotFindings } from "../depot/copies-of.ts";
import { moveFindings } from "../log-chunks/move-trouble.ts";
import { readNotified } from "../notify/notified.ts";
import { statusesOf } from "../queries/agent-status.ts";
import { discoverRefusal } from "../repositories/register-repository.ts";
import { repositoryAt } from "../repositories/repository-at.ts";
import { readWorkerFile } from "../workers/worker-file.ts";
import { configurationFinding } from "./configuration-findings.ts";
import type { DoctorContext } from "./doctor-context.ts";
import { examineDataFolder } from "./examine-data-folder.ts";
import { examineIsolation } from "./examine-isolation.ts";
import { type ExaminedRepositories, examineRepositories } from "./examine-repositories.ts";
import { findLedgerFindings } from "./find-ledger-findings.ts";
import { notExamined } from "./not-examined.ts";

type Findings = Promise<readonly Finding[]>;

/**
 * `path` is the folder in which doctor was called; null for none. A fault in one part becomes a finding of that part.
 */
export async function examine(context: DoctorContext, path: string | null): Findings {
  const here = await examineSurroundings(context, path).catch(nowhere);
  const settings = await settingsOf(context, here.repository);
  const parts = await Promise.all([
    part("isolation", () => examineIsolation(context, settings.configuration)),
    part("agents", () => examineAgents(context, { ...settings, here: here.repository })),
    part("the data folder", () => examineDataFolder(context)),
    part("worktrees and trash", () => examineLedgers(context)),
    part("the clock", () => examineClock(context)),
    part("what it joined", () => examineJoined(context)),
    part("the depot", async () => (context.db === null ? [] : depotFindings({ ...context, db: context.db }))),
    part("old logs", async () => (context.db === null ? [] : moveFindings({ ...context, db: context.db }))),
    part("notifications", () => examineNotifications(context)),
    part("repositories", () => examineRepositoriesAndGit(context, here.repository)),
  ]);
  const clones = [...(context.keptClones?.values() ?? [])].map(keptCloneFinding);
  const all = [...settings.findings, ...here.findings, ...parts.flat(), ...clones];
  // Several repositories find what they share. Of findings with the same id, the last one knows most.
  return [...new Map(all.map((finding) => [finding.id, finding])).values()];
}

interface Around {
  readonly repository: DiscoveredRepository | null;
  readonly findings: readonly Finding[];
}

/** The repository around `path`; if there is one that cannot be used, the reason. */
async function examineSurroundings(context: DoctorContext, path: string | null): Promise<Around> {
  if (path === null) return { repository: null, findings: [] };
  const discovered = await repositoryAt(context, path);
  if (discovered.isOk()) return { repository: discovered.value, findings: [] };
  const { kind } = discovered.error;
  // A missing git is reported once, for the whole machine.
  if (kind === "not_a_repository" || kind === "git_missing") return { repository: null, findings: [] };
  const { message, remedy } = discoverRefusal(discovered.error, path);
  return {
    repository: null,
    findings: [makeFinding("error", `repository_trouble:${path}`, message, { path, remedy })],
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

/** The settings at the place of the call, or the defaults if those cannot be used. */
async function settingsOf(context: DoctorContext, here: DiscoveredRepository | null) {
  const loaded = await context.configuration(here);
  return {
    findings: loaded.isErr() ? [configurationFinding(loaded.error)] : [],
    configuration: loaded.unwrapOr(DEFAULT_CONFIGURATION),
  };
}

async function examineAgents(
  context: DoctorContext,
  {
    configuration,
    here,
  }: { readonly configuration: LoadedConfiguration; readonly here: DiscoveredRepository | null },
): Findings {
  const statuses = await statusesOf(context, { configuration, repository: here?.path ?? null });
  const configured = new Set(Object.keys(configuration.values.agents));
  return agentFindings(
    statuses.map((status) => ({
      ...status,
      configured: configured.has(status.id),
      demo: status.executor === "demo",
    })),
  );
}

async function examineRepositoriesAndGit(
  context: DoctorContext,
  here: DiscoveredRepository | null,
): Findings {
  const none: ExaminedRepositories = { findings: [], remotes: [], withoutIdentity: null };
  const repositories = (await hasGit(context)) ? await examineRepositories(context, here) : none;
  return [...(await examineGit(context, repositories)), ...repositories.findings];
}

/** A database on another machine has a clock of its own. The answer tells a time between question and receipt. */
async function examineClock({ db, clock }: DoctorContext): Findings {
  if (db?.kind !== "postgres") return [];
  const asked = clock.now().getTime();
  const there = Date.parse(await timeOf(db.reader));
  const heard = clock.now().getTime();
  const ahead = asked > there ? asked - there : heard < there ? heard - there : 0;
  return clockFindings(ahead);
}

async function examineJoined({ paths }: DoctorContext): Findings {
  const file = await readWorkerFile(paths.workerFile);
  return joinedFindings({ file: paths.workerFile, joined: file.isOk() ? file.value : file.error });
}

async function examineNotifications(context: DoctorContext): Findings {
  const failed = (await readNotified(context))?.failed ?? null;
  if (failed === null) return [];
  const what = `The last notification, at ${failed.at}, could not be sent: ${failed.why}.`;
  return [
    makeFinding("warning", "notify_failed", what, {
      why: "You do not hear of what needs you.",
      remedy: "Correct `notify.webhook` with `tazuna config set`, or see to the server behind it.",
    }),
  ];
}

/** Without git every repository would seem to be gone. */
async function examineLedgers(context: DoctorContext): Findings {
  const { db, git, paths, unexaminedOperations, owner } = context;
  return db !== null && (await hasGit(context))
    ? findLedgerFindings({ db, git, paths, unexaminedOperations, owner })
    : [];
}

async function hasGit({ probe }: DoctorContext): Promise<boolean> {
  return (await probe.which("git")) !== null;
}

/** Checks for git, and for the programs that git needs for the settings here. */
async function examineGit(
  { probe }: DoctorContext,
  { remotes, withoutIdentity }: Omit<ExaminedRepositories, "findings">,
): Promise<readonly Finding[]> {
  const git = await probe.which("git");
  const answer = git === null ? null : await probe.run([git, "--version"]);
  const needed = [
    { program: "sh", neededBy: "every setup command, check and hook" },
    ...(remotes.some(isOverSsh) ? [{ program: "ssh", neededBy: "a remote" }] : []),
  ];
  const there = await Promise.all(needed.map(({ program }) => probe.which(program)));
  return gitFindings({
    version: answer === null || answer.code !== 0 ? null : answer.stdout,
    missing: needed.filter((_, index) => there[index] === null),
    withoutIdentity,
  });
}

/** `ssh://host/path` or `host:path`; a drive letter is not a host. */
function isOverSsh({ fetchUrl, pushUrl }: RemoteFacts): boolean {
  return [fetchUrl, pushUrl].some(
    (url) => /^(git\+)?ssh:\/\//i.test(url) || /^[^/:\\]{2,}:(?!\/\/)/.test(url),
  );
}
