/** Runs a check on an attempt's base when a person asks for it, once for each base and definition. */
import { err, ok, type Result } from "neverthrow";
import type { ConfiguredCheck } from "../../domain/configuration/schema.ts";
import type { Run } from "../../domain/run/run.ts";
import { baseChecksAt, saveBaseCheck } from "../../storage/tables/checks.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { EngineStopping } from "../core/context.ts";
import type { ConfinedContext, Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { configurationRefusal, notEnded, notFound, type Refusal, refused, shortId } from "../core/refusal.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import type { CheckBase } from "../core/request-shapes.ts";
import { untrustedScripts } from "../trust/trust.ts";
import { definitionHash } from "./definition-hash.ts";
import { notRun, runOnBase } from "./run-on-base.ts";

type CheckContext = ConfinedContext & Uses<"configuration" | "newFacts" | "reportFault" | "baseChecks">;

interface Wanted {
  readonly place: AttemptPlace;
  readonly baseSha: string;
  readonly check: ConfiguredCheck;
  readonly hash: string;
  readonly configuration: LoadedConfiguration;
  readonly run: Run;
}

/** Begins it, unless it runs already or has a result. `again` runs it although it has one. */
export async function checkBase(
  engine: CheckContext,
  { attempt: attemptId, name, again }: CheckBase,
): Promise<Result<void, Refusal>> {
  const place = await findPlace(engine.db.reader, attemptId);
  if (place === null) return err(notFound("attempt", attemptId));
  const { attempt, task, repository } = place;
  const loaded = await engine.configuration(repository, task.settings);
  if (loaded.isErr()) return err(configurationRefusal(loaded.error));
  const configuration = loaded.value;
  const check = configuration.values.checks.find((each) => each.name === name);
  if (check === undefined)
    return refused("bad_request", "unknown_check", `No check is called "${name}".`, {
      remedy: `\`GET /attempts/${attemptId}/checks\` lists those that are declared.`,
      details: { name, known: configuration.values.checks.map((each) => each.name) },
    });
  const [run] = await runsOfAttempt(engine.db.reader, attemptId);
  const baseSha = attempt.base.sha;
  if (run === undefined || baseSha === null) return err(notEnded(run?.id ?? shortId(attemptId)));
  const untrusted = await untrustedScripts(engine, { repository, configuration, agents: [] });
  if (untrusted !== null) return err(untrusted);
  const hash = definitionHash(check, configuration);
  const known = await baseChecksAt(engine.db.reader, { repositoryId: repository.id, baseSha });
  const isKnown = !again && (known.get(hash)?.outcome ?? "not_run") !== "not_run";
  if (isKnown || isRunning(engine, { repositoryId: repository.id, baseSha, hash })) return ok(undefined);
  const context = withRepositoryGit(engine, { repository, configuration });
  begin(context, { place, baseSha, check, hash, configuration, run });
  return ok(undefined);
}

interface Key {
  readonly repositoryId: string;
  readonly baseSha: string;
  readonly hash: string;
}

/** Whether this engine runs it now, or is about to. */
export function isRunning({ baseChecks }: Uses<"baseChecks">, key: Key): boolean {
  return baseChecks.has(keyText(key));
}

function keyText({ repositoryId, baseSha, hash }: Key): string {
  return `${repositoryId} ${baseSha} ${hash}`;
}

/** One after the other: they take the machine from the agents. */
function begin(context: CheckContext, wanted: Wanted): void {
  const { baseChecks } = context;
  const key = keyText({ ...wanted, repositoryId: wanted.place.repository.id });
  const before = [...baseChecks.values()];
  const work = (async () => {
    await Promise.all(before);
    if (context.engineStop.aborted) return;
    await runAndStore(context, wanted);
  })();
  const settled = work
    .catch((error: unknown) => {
      if (!(error instanceof EngineStopping)) context.reportFault(`the check ${wanted.check.name}`, error);
    })
    .finally(() => {
      baseChecks.delete(key);
      context.newFacts.notify();
    });
  baseChecks.set(key, settled);
}

async function runAndStore(context: CheckContext, wanted: Wanted): Promise<void> {
  const { place, baseSha, check, hash } = wanted;
  await tell(context, wanted, { state: "running" });
  const ended = await runOnBase(context, wanted).catch((error: unknown) => {
    if (error instanceof EngineStopping) throw error;
    context.reportFault(`the check ${check.name} on its base`, error);
    return notRun(`It could not be run: ${error instanceof Error ? error.message : String(error)}`);
  });
  const at = context.clock.iso();
  const { name, run: command } = check;
  const result = { repositoryId: place.repository.id, baseSha, hash, name, command, ...ended, at };
  await transact(context.db, (trx) => saveBaseCheck(trx, result));
  // Whoever reads after the fact finds it ended.
  context.baseChecks.delete(keyText(result));
  await tell(context, wanted, { state: "ended", outcome: ended.outcome, exit_code: ended.exitCode });
}

async function tell(
  { db, clock, newFacts }: Uses<"db" | "clock" | "newFacts">,
  { place: { attempt }, baseSha, check }: Wanted,
  what: Readonly<Record<string, unknown>>,
): Promise<void> {
  await transact(db, (trx) =>
    appendFact(trx, {
      at: clock.iso(),
      kind: "check.base",
      taskId: attempt.taskId,
      attemptId: attempt.id,
      runId: null,
      data: { check: check.name, base: baseSha, ...what },
    }),
  );
  newFacts.notify();
}
