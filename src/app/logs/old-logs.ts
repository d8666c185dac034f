/** Reads from the flag of `serve` where old logs go, and moves them there as time passes (ADR 0103). */
import { err, ok, type Result } from "neverthrow";
import { badUsage } from "../../cli/shared/cli-error.ts";
import type { CliError } from "../../cli/shared/cli-options.ts";
import type { Chore } from "../../dispatch/chores.ts";
import { tellSeldom } from "../../dispatch/tell-seldom.ts";
import { logPlaceText, type ObjectKeys, readLogPlace } from "../../domain/run/log-place.ts";
import type { Uses } from "../../services/core/context-parts.ts";
import { forgetMoveTrouble, noteMoveTrouble } from "../../services/log-chunks/move-trouble.ts";
import { openPlace } from "../../services/log-chunks/object-store.ts";
import { packLogs } from "../../services/log-chunks/pack-logs.ts";

/** Those of the environment; null unless both are there. No agent and no git gets them. */
export function objectKeysOf(env: Readonly<Record<string, string>>): ObjectKeys | null {
  const { TAZUNA_LOGS_KEY_ID: id, TAZUNA_LOGS_SECRET_KEY: secret } = env;
  return id && secret ? { id, secret } : null;
}

/** `flag` is such a place, in any spelling. Null leaves all logs in the database. The answer is `logPlaceText`. */
export async function readLogChoice(
  flag: string | null,
  { database, env }: { readonly database: string | null; readonly env: Readonly<Record<string, string>> },
): Promise<Result<string | null, CliError>> {
  if (flag === null) return ok(null);
  if (database === null) return err(NEEDS_POSTGRES);
  const place = readLogPlace(flag);
  if (place.isErr()) return err(badUsage(`--logs: ${place.error.message}`, place.error.remedy));
  const keys = objectKeysOf(env);
  if (keys === null) return err(NEEDS_KEYS);
  const text = logPlaceText(place.value);
  const refusal = await tryPlace(keys, text);
  return refusal === null ? ok(text) : err(badUsage(`--logs: ${refusal}`, REMEDY));
}

/** Why the storage refuses what this engine is going to do. Null if it does not, or if it is away now. */
async function tryPlace(keys: ObjectKeys, place: string): Promise<string | null> {
  const store = openPlace(keys, place);
  const tried = await store?.put(TRIED, new Uint8Array(1));
  const removed = tried?.isOk() === true ? await store?.remove(TRIED) : tried;
  return removed?.isErr() === true && removed.error.code === "refused" ? removed.error.message : null;
}

/** An object of this name is written and removed at the start. So wrong rights are told at once. */
const TRIED = "tazuna-tries-to-write";

/** Begins at once, and again each hour. What fails is told now and then, and tried again at the next time. */
export function movingOldLogs(
  context: Parameters<typeof packLogs>[0] & Uses<"reportFault" | "paths" | "clock">,
  place: string,
): Chore {
  const report = tellSeldom((error) => context.reportFault("moving old logs into object storage", error));
  return {
    name: "old-logs",
    everyMs: context.timing.logsMovedMs,
    act: () =>
      packLogs(context, place)
        .then(async (moved) => {
          if (moved.isOk()) return forgetMoveTrouble(context);
          report(new Error(moved.error.message));
          await noteMoveTrouble(context, moved.error.message);
        })
        .catch(report),
  };
}

const REMEDY = "Give the keys the right to read, write and delete objects there, or name another place.";

const NEEDS_POSTGRES = badUsage(
  "--logs needs a Postgres: one engine with its own database keeps its logs in its data folder.",
  "Name the Postgres of the team with `--database`, or leave out `--logs`.",
);

const NEEDS_KEYS = badUsage(
  "--logs needs the keys of the object storage.",
  "Set `TAZUNA_LOGS_KEY_ID` and `TAZUNA_LOGS_SECRET_KEY` in the environment of the server.",
);
