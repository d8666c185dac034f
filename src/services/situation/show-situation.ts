/** Shows how an attempt stands: its processes, its base, its worktree, a person's edits, other attempts. */
import { err, ok, type Result } from "neverthrow";
import { createRedactor } from "../../domain/agent/redact.ts";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import type { Known, Part, RunningProcess, Situation } from "../../domain/situation/situation.ts";
import { listUnstaged } from "../../git/index/unstaged-files.ts";
import { runMarker } from "../../keeper/files.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { folderSize } from "../../utils/files/folder-size.ts";
import { isFolder } from "../../utils/files/is-there.ts";
import { createSharedAct } from "../../utils/locks/shared-act.ts";
import { describeProcesses } from "../../utils/programs/describe-processes.ts";
import { findMarked } from "../../utils/programs/process-identity.ts";
import { wasCleaned } from "../branches/remove-branch.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { configurationRefusal, notFound, type Refusal } from "../core/refusal.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import { createListTouched, type ListTouched } from "../decisions/touched-files.ts";
import { worktreeTarget } from "../run-core/targets.ts";
import { lookAtDrift } from "./look-at-drift.ts";
import { lookAtEdits } from "./look-at-edits.ts";
import { lookAtOverlap } from "./look-at-overlap.ts";

type SituationContext = Uses<"db" | "git" | "configuration" | "paths" | "clock" | "tokens">;

interface SituationMemory {
  readonly listTouched: ListTouched;
  /** What git said when it was asked last, by attempt. */
  readonly looked: Map<string, Looked>;
  /** By attempt and state. */
  readonly lookOnce: ReturnType<typeof createSharedAct<Looked>>;
}

export const createSituationMemory = (): SituationMemory => ({
  listTouched: createListTouched(),
  looked: new Map(),
  lookOnce: createSharedAct(),
});

interface Looked {
  /** As the attempt was then; another state makes it stale. */
  readonly state: string;
  readonly at: string;
  readonly drift: Known<Situation["drift"]>;
  readonly ownEdits: Known<Situation["ownEdits"]>;
  readonly overlap: Known<Situation["overlap"]>;
  readonly dirty: boolean | null;
  readonly bytes: Known<number>;
}

const MAX_LOOKED = 200;

/** With `look` git is asked; without it no git is started, and what it said last is shown. */
export async function showSituation(
  engine: SituationContext,
  attemptId: string,
  { look, memory }: { readonly look: boolean; readonly memory: SituationMemory },
): Promise<Result<Situation, Refusal>> {
  const place = await findPlace(engine.db.reader, attemptId);
  if (place === null) return err(notFound("attempt", attemptId));
  const configuration = await engine.configuration(place.repository, place.task.settings);
  if (configuration.isErr()) return err(configurationRefusal(configuration.error));
  const runs = await runsOfAttempt(engine.db.reader, attemptId);
  const exists = place.attempt.gitDir !== null && (await isFolder(place.attempt.worktree));
  const state = JSON.stringify([place.attempt.patch, exists, runs.map(({ id, status }) => [id, status])]);
  if (look) {
    const all = { ...place, runs, configuration: configuration.value, exists };
    await memory.lookOnce(`${attemptId} ${state}`, async () => {
      const found = { ...(await lookAtWhatIsThere(engine, all, memory)), state };
      remember(memory, attemptId, found);
      return found;
    });
  }
  const before = memory.looked.get(attemptId);
  const looked = before?.state === state ? before : null;
  const continues = await continuesOn(engine, place.attempt);
  return ok(situationOf({ exists, continues, looked, processes: await processesOf(engine, runs) }));
}

/** What a clean-up put away is made again when it is asked to go on. */
async function continuesOn(engine: Uses<"db">, attempt: Attempt): Promise<boolean> {
  return attempt.state === "open" || (attempt.state === "removed" && (await wasCleaned(engine, attempt)));
}

function remember({ looked }: SituationMemory, attempt: string, what: Looked): void {
  looked.delete(attempt);
  looked.set(attempt, what);
  for (const oldest of looked.keys()) if (looked.size > MAX_LOOKED) looked.delete(oldest);
}

interface ToLookAt extends AttemptPlace {
  readonly runs: readonly Run[];
  readonly configuration: LoadedConfiguration;
  readonly exists: boolean;
}

/** The files and folders of a worktree that are measured. */
const MAX_MEASURED = 100_000;

/** The worktree may go into the trash meanwhile: then it is looked at without it. */
async function lookAtWhatIsThere(
  engine: SituationContext,
  all: ToLookAt,
  memory: SituationMemory,
): Promise<Omit<Looked, "state">> {
  try {
    return await lookNow(engine, all, memory);
  } catch (error) {
    if (!all.exists || (await isFolder(all.attempt.worktree))) throw error;
    return lookNow(engine, { ...all, exists: false }, memory);
  }
}

async function lookNow(
  engine: SituationContext,
  all: ToLookAt,
  { listTouched }: SituationMemory,
): Promise<Omit<Looked, "state">> {
  const context = withRepositoryGit(engine, all);
  const { attempt, exists } = all;
  const [drift, ownEdits, overlap, unstaged, size] = await Promise.all([
    lookAtDrift(context, all),
    exists ? lookAtEdits(context, all) : { value: null, why: NO_WORKTREE },
    lookAtOverlap(context, all, listTouched),
    exists ? listUnstaged(context.git, worktreeTarget(attempt)) : null,
    exists ? folderSize(attempt.worktree, { left: MAX_MEASURED }) : null,
  ]);
  const tooMany = `It has more than ${MAX_MEASURED} files.`;
  const bytes = size === null ? { value: null, why: exists ? tooMany : NO_WORKTREE } : { value: size.bytes };
  const dirty = unstaged?.map((paths) => paths.length > 0).unwrapOr(null) ?? null;
  return { at: engine.clock.iso(), drift, ownEdits, overlap, dirty, bytes };
}

const NO_WORKTREE = "It has no worktree now.";
const NOT_ASKED = "Git was not asked since the attempt changed: ask with `look=true`.";
const UNASKED = { value: null, why: NOT_ASKED } as const;

/** At most this much of a command is shown. */
const MAX_COMMAND = 300;

async function processesOf(
  { tokens }: Uses<"tokens">,
  runs: readonly Run[],
): Promise<Known<readonly RunningProcess[]>> {
  const working = runs.filter(({ status }) => !isEnded(status) && status !== "PENDING");
  const pids = await Promise.all(working.map(({ id }) => findMarked(runMarker(id))));
  const found = await describeProcesses(pids.flat());
  if (found === null) return { value: null, why: "This system does not tell what its processes run." };
  const redactor = createRedactor({ values: tokens });
  const shown = (command: string) => redactor.line(command.slice(0, 10_000)).slice(0, MAX_COMMAND);
  return { value: found.map((one) => ({ ...one, command: shown(one.command) })) };
}

function situationOf({
  exists,
  continues,
  looked,
  processes,
}: {
  readonly exists: boolean;
  readonly continues: boolean;
  readonly looked: Looked | null;
  readonly processes: Known<readonly RunningProcess[]>;
}): Situation {
  const { drift = UNASKED, ownEdits = UNASKED, overlap = UNASKED, bytes = UNASKED } = looked ?? {};
  const reasons: Record<Part, string | null> = {
    processes: processes.why ?? null,
    drift: drift.why ?? null,
    worktree: bytes.why ?? null,
    ownEdits: ownEdits.why ?? null,
    overlap: overlap.why ?? null,
  };
  return {
    processes: processes.value,
    drift: drift.value,
    worktree: { exists, dirty: looked?.dirty ?? null, bytes: bytes.value },
    ownEdits: ownEdits.value,
    overlap: overlap.value,
    continues,
    lookedAt: looked?.at ?? null,
    reasons,
  };
}
