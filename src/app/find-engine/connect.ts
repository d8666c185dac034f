/** Finds the engine of the data folder, or has one started in the background, and answers a client of it. */
import { ok, type Result } from "neverthrow";
import type { CliError } from "../../cli/shared/cli-options.ts";
import type { Client } from "../../contract/client/client.ts";
import type { Settings } from "../process/settings.ts";
import type { ServerFile } from "../server/server-file.ts";
import { type CallingSettings, clientOf, livingServer } from "./living-server.ts";

/** If a start takes longer, the person is told. */
const LATE_MS = 3_000;

/**
 * A client of the engine that listens now; it is started if need be. `tell` gets what a person should know of its
 * version.
 */
export async function connect(
  settings: CallingSettings,
  tell: (line: string) => void,
): Promise<Result<Client, CliError>> {
  const known = await livingServer(settings);
  // Recovery can take long, and the request has not begun.
  const late = setTimeout(tell, LATE_MS, "Waits for the engine to start.");
  try {
    return await reach(settings, known, tell);
  } finally {
    clearTimeout(late);
  }
}

async function reach(
  settings: CallingSettings,
  known: ServerFile | null,
  tell: (line: string) => void,
): Promise<Result<Client, CliError>> {
  if (known !== null && (await keeps(settings, known, tell))) return ok(clientOf(known, settings));
  // Most commands find an engine of their own version, and load nothing of this.
  const { startInBackground } = await import("./start-in-background.ts");
  return startInBackground(settings);
}

async function keeps(settings: Settings, known: ServerFile, tell: (line: string) => void): Promise<boolean> {
  if (known.version === settings.version) return true;
  const { replaceOlder } = await import("./replace-older.ts");
  return (await replaceOlder(settings, known, tell)) === "stays";
}
