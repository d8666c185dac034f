/** Keeps the engine in the process of one command (`run --foreground`). */
import { err, ok, type Result } from "neverthrow";
import type { CliError } from "../cli/cli-options.ts";
import type { Client } from "../contract/client.ts";
import { withoutTaskSettings } from "../domain/configuration/task-settings.ts";
import { clientOf, livingServer } from "./connect.ts";
import { startEngine } from "./engine.ts";
import { startServer } from "./server.ts";
import type { Settings } from "./settings.ts";

export interface ForegroundEngine {
  readonly client: Client;
  stop(): Promise<void>;
}

/** An engine of our own; where one works on the data folder already, its client, since there is only one engine. */
export async function connectForeground(settings: Settings): Promise<Result<ForegroundEngine, CliError>> {
  const living = await livingServer(settings);
  if (living !== null) return ok({ client: clientOf(living), stop: async () => {} });
  // It works for other shells too, and for runs that an earlier engine left: this command's own settings go with its task.
  const own = { ...settings, env: withoutTaskSettings(settings.env) };
  const database = settings.env.TAZUNA_DATABASE ?? null;
  const engine = await startEngine(own, { database });
  if (engine.isErr()) {
    const { code, message, remedy } = engine.error;
    return err({ exit: 1, code, message, remedy, details: {} });
  }
  const server = await startServer(settings, engine.value, { port: 0, host: "127.0.0.1", database });
  return ok({
    client: clientOf(server),
    stop: async () => {
      await server.stop();
      await engine.value.stop();
    },
  });
}
