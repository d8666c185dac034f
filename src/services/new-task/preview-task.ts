/** Says what a new task would do: its base, its attempts, what they wait for and may cost. Makes nothing. */
import { basename, isAbsolute } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { diskFloor } from "../../domain/run/scheduling.ts";
import { estimateCost } from "../../domain/task/estimate-cost.ts";
import { pastCosts } from "../../storage/queries/past-costs.ts";
import { countOpenAttempts } from "../../storage/queries/repository-attempts.ts";
import { repositoryByPath } from "../../storage/tables/repositories.ts";
import { freeSpace } from "../../utils/files/disk-space.ts";
import { agentsOfTask, type ResolvedAgent } from "../agents/resolve-agent.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { configurationRefusal, type Refusal } from "../core/refusal.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import type { CreateTask } from "../core/request-shapes.ts";
import type { TaskPreview } from "../core/screen-shapes.ts";
import type { Answer } from "../core/services.ts";
import type { ListTouched } from "../decisions/touched-files.ts";
import { plannedWaits } from "../queue/planned-waits.ts";
import { namedHere } from "../repositories/named-repository.ts";
import { discoverRefusal } from "../repositories/register-repository.ts";
import { repositoryAt } from "../repositories/repository-at.ts";
import { scriptsWithoutTrust } from "../trust/trust.ts";
import { goesTo } from "./goes-to.ts";
import { openWork } from "./open-work.ts";
import { placeOf } from "./place-of.ts";
import { previewBase } from "./preview-base.ts";
import type { Readiness } from "./readiness.ts";

type PreviewContext = Parameters<Readiness>[0] & Parameters<typeof placeOf>[0];

interface Memory {
  readonly readiness: Readiness;
  readonly listTouched: ListTouched;
  /** Bytes of one worktree of a repository, as they were measured last; null if none was. */
  readonly worktreeBytes: (repositoryId: string) => number | null;
}

export async function previewTask(
  context: PreviewContext,
  input: CreateTask,
  memory: Memory,
): Answer<TaskPreview> {
  const repository = await repositoryMeant(context, input.repository);
  if (repository.isErr()) return err(repository.error);
  const { id, name, path } = repository.value;
  const configuration = await context.configuration(repository.value, input.settings);
  if (configuration.isErr()) return err(configurationRefusal(configuration.error));
  const place = { repository: repository.value, configuration: configuration.value };
  const agents = agentsOfTask(input, configuration.value.values, context.executors);
  if (agents.isErr() && agents.error.code !== "no_agent") return err(agents.error);
  const planned = agents.unwrapOr([]);
  const worker = await workerOf(context, { ...input, repository: id });
  const [base, attempts, untrusted, open, changing, disk] = await Promise.all([
    previewBase(withRepositoryGit(context, place), {
      ...place,
      base: input.base,
      fromWorktree: input.fromWorktree,
    }),
    previewAttempts(context, {
      ...place,
      agents: planned,
      readiness: memory.readiness,
      worker,
      input,
    }),
    untrustedOf(context, place, planned),
    countOpenAttempts(context.db.reader, id),
    openWork(context, repository.value, memory.listTouched),
    freeSpace(context.paths.root),
  ]);
  const each = memory.worktreeBytes(id);
  return ok({
    repository: { id: id === "" ? null : id, name, path },
    ...base,
    ...{ worker, attempts },
    scripts: { untrusted },
    disk: {
      need_bytes: each === null ? null : each * planned.length,
      free_bytes: disk.free,
      floor_bytes: Math.round(diskFloor(disk.total)),
    },
    open_attempts: open,
    changing,
  });
}

/** A path that is not registered stays so; its id is empty. */
async function repositoryMeant(
  context: Uses<"db" | "git" | "paths" | "clock" | "owner">,
  idOrPath: string,
): Promise<Result<Repository, Refusal>> {
  if (!isAbsolute(idOrPath)) return namedHere(context, idOrPath);
  const found = await repositoryAt(context, idOrPath);
  if (found.isErr()) return err(discoverRefusal(found.error, idOrPath));
  const { path, commonDir, bare } = found.value;
  const known = await repositoryByPath(context.db.reader, path, ownWorker(context));
  const unknown = { id: "", name: basename(path), path, commonDir, bare, url: null, address: null };
  return ok(known ?? { ...unknown, createdAt: context.clock.iso() });
}

async function untrustedOf(
  context: Uses<"db">,
  {
    repository,
    configuration,
  }: { readonly repository: Repository; readonly configuration: LoadedConfiguration },
  agents: readonly ResolvedAgent[],
): Promise<number> {
  const id = repository.id === "" ? null : repository.id;
  const ids = new Set(agents.map(({ profile }) => profile.id));
  const scripts = await scriptsWithoutTrust(context.db, { id, configuration });
  return scripts.filter(({ agent }) => agent === null || ids.has(agent)).length;
}

/** A repository that is not registered has no id, and no address that another worker knows. */
async function workerOf(context: PreviewContext, input: CreateTask): Promise<TaskPreview["worker"]> {
  if (input.repository === "") return null;
  const place = (await placeOf(context, input)).unwrapOr(null);
  return place === null ? null : { ...place.worker, clones: place.clones };
}

interface Planned {
  readonly repository: Repository;
  readonly configuration: LoadedConfiguration;
  readonly agents: readonly ResolvedAgent[];
  readonly readiness: Readiness;
  /** The other one on which they begin. */
  readonly worker: TaskPreview["worker"];
  readonly input: CreateTask;
}

const MAX_PAST = 50;

async function previewAttempts(
  context: PreviewContext,
  { repository, configuration, agents, readiness, worker, input }: Planned,
): Promise<TaskPreview["attempts"]> {
  const ids = [...new Set(agents.map(({ profile }) => profile.id))];
  const statuses = await readiness(context, { configuration, repository: repository.path, ids });
  // Whoever begins them elsewhere has a slot for all of them.
  const found = { repository, configuration, agents };
  const waits = worker === null ? await plannedWaits(context, { ...found, onLabels: input.onLabels }) : [];
  const takers = await goesTo(context, input, { ...found, waits });
  const costs = new Map<string, readonly number[]>();
  for (const agent of ids)
    costs.set(
      agent,
      await pastCosts(context.db.reader, { repository: repository.id, agent, limit: MAX_PAST }),
    );
  return agents.map(({ profile: { id, model } }, index) => {
    const { ready = false, reason = null } = statuses.get(id) ?? {};
    const waitsFor = waits[index] ?? null;
    return {
      agent: id,
      model,
      ready,
      reason,
      remedy: /`([^`\s]+ [^`]+)`/.exec(reason ?? "")?.[1] ?? null,
      starts: waitsFor === null ? "now" : "queued",
      waits_for: waitsFor,
      goes_to: takers[index] ?? null,
      estimate: estimateCost(costs.get(id) ?? []),
    };
  });
}
