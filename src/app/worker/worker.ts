/** Works for the server that invited this data folder, until it is told to leave (ADR 0089). */
import { err, ok, type Result } from "neverthrow";
import { badUsage, failed } from "../../cli/shared/cli-error.ts";
import type { CliError, WorkerOptions } from "../../cli/shared/cli-options.ts";
import { dataPaths } from "../../services/core/data-paths.ts";
import { readWorkerFile, type WorkerFile } from "../../services/workers/worker-file.ts";
import { startEngine } from "../engine/engine.ts";
import { setConfig } from "../process/set-config.ts";
import type { Settings } from "../process/settings.ts";
import { LOOPBACK } from "../server/exposure.ts";
import { startServer } from "../server/server.ts";
import { examineMachine } from "./examine-machine.ts";
import { greeting } from "./greeting.ts";
import { joinServer } from "./join-server.ts";
import { workUntilLeft } from "./work-until-left.ts";

const USUAL_SLOTS = 8;

export async function work(
  settings: Settings,
  { join, slots, labels, withinMs }: WorkerOptions,
  tell: (line: string) => void,
): Promise<Result<void, CliError>> {
  const file =
    join === null
      ? await joinedBefore(settings)
      : await joinServer(settings, { ...join, slots: slots ?? USUAL_SLOTS });
  if (file.isErr()) return err(file.error);
  const set =
    slots === null
      ? ok(null)
      : await setConfig(settings, { key: "limits.parallel", value: String(slots), repository: null });
  if (set.isErr()) return err(set.error);
  const engine = await startEngine(settings, { database: null, ...(labels === null ? {} : { labels }) });
  if (engine.isErr()) return err(failed(ofClosedLogin(engine.error, file.value)));
  const asked = new AbortController();
  const server = await startServer(settings, engine.value, {
    port: 0,
    exposure: { kind: "loopback", host: LOOPBACK },
    kind: "terminal",
    leave: () => asked.abort(),
  });
  const left = workUntilLeft(engine.value, { withinMs, asked: asked.signal, tell });
  const about = { file: file.value, isNew: join !== null };
  const greeted = greeting(settings, engine.value, about).then(
    (lines) => lines.forEach(tell),
    (error) => process.stderr.write(`${new Date().toISOString()} greeting: ${String(error)}\n`),
  );
  await Promise.race([greeted, left]);
  await left;
  await server.stop();
  await engine.value.stop();
  const ended = engine.value.endedBy();
  return ended === null ? ok(undefined) : err(failed(ended));
}

async function joinedBefore(settings: Settings): Promise<Result<WorkerFile, CliError>> {
  const file = await readWorkerFile(dataPaths(settings.home).workerFile);
  if (file.isErr()) return err(failed(file.error));
  if (file.value === null) return err(NOT_JOINED);
  const { value } = file;
  return (await examineMachine(settings, { allowGuard: value.allow_guard })).map(() => value);
}

/** The login of a removed worker is closed, so that the database cannot say that it was removed. */
function ofClosedLogin<Trouble extends { readonly code: string; readonly remedy: string }>(
  error: Trouble,
  { shared, server }: WorkerFile,
): Trouble {
  if (shared || error.code !== "database_unreachable") return error;
  const removed = `If this worker was removed at ${server}, its login is closed: invite again there (\`tazuna workers invite\`), and join with TAZUNA_HOME set to a fresh folder.`;
  return { ...error, remedy: `${error.remedy} ${removed}` };
}

const NOT_JOINED = badUsage(
  "This data folder has joined no server.",
  "`tazuna workers invite` on the server prints the command that joins, with `--join`.",
);
