/** Keeps the engine in the process of one command (`run --foreground`). */
import { err, ok, type Result } from "neverthrow";
import { failed } from "../../cli/shared/cli-error.ts";
import type { CliError } from "../../cli/shared/cli-options.ts";
import type { Client } from "../../contract/client/client.ts";
import { withoutTaskSettings } from "../../domain/task/task-settings.ts";
import { startEngine } from "../engine/engine.ts";
import { clientOf, livingServer } from "../find-engine/living-server.ts";
import type { Settings } from "../process/settings.ts";
import { LOOPBACK } from "../server/exposure.ts";
import { startServer } from "../server/server.ts";

export interface ForegroundEngine {
  readonly client: Client;
  stop(): Promise<void>;
}

/**
 * Starts an engine in this process. If one works on the data folder already, this answers its client: there is only
 * one engine.
 */
export async function connectForeground(settings: Settings): Promise<Result<ForegroundEngine, CliError>> {
  const living = await livingServer(settings);
  if (living !== null) return ok({ client: clientOf(living, settings), stop: async () => {} });
  // The engine works for other shells too, and for runs of an earlier engine. This command's own settings go with its
  // task.
  const engineSettings = { ...settings, env: withoutTaskSettings(settings.env) };
  const database = settings.env.TAZUNA_DATABASE || null;
  const engine = await startEngine(engineSettings, { database });
  if (engine.isErr()) return err(failed(engine.error));
  const server = await startServer(settings, engine.value, {
    port: 0,
    exposure: { kind: "loopback", host: LOOPBACK },
    kind: "command",
    leave: null,
  });
  return ok({
    client: clientOf({ ...server, version: settings.version }, settings),
    stop: async () => {
      await server.stop();
      await engine.value.stop();
    },
  });
}
