/** Finds the engine that works on a data folder by its `server.json`, and makes clients of it. */
import { join } from "node:path";
import { type Client, createClient } from "../../contract/client/client.ts";
import type { Caller } from "../../contract/client/http-call.ts";
import { identify } from "../../utils/programs/process-identity.ts";
import type { Settings } from "../process/settings.ts";
import { readServerFile, type ServerFile } from "../server/server-file.ts";

/** Those of a process, with the agent for which it asks, if it asks for one. */
export type CallingSettings = Settings & Pick<Caller, "agent">;

/** The server that `server.json` names, if that very process lives and answers. */
export async function livingServer(settings: Settings): Promise<ServerFile | null> {
  const server = await findServer(settings);
  return server.state === "answers" ? server.file : null;
}

/** `died`: the file names a process that is gone. `silent`: its process lives and does not answer. */
export type FoundServer =
  | { readonly state: "none" | "died" }
  | { readonly state: "silent" | "answers"; readonly file: ServerFile };

/** Whether an engine works on the data folder; none is started. */
export async function findServer({ home }: Settings): Promise<FoundServer> {
  const file = await readServerFile(join(home, "server.json"));
  if (file === null) return { state: "none" };
  if (!(await isItsProcess(file))) return { state: "died" };
  return { state: (await answers(file)) ? "answers" : "silent", file };
}

/**
 * Answers of a server of this `version` are not checked; without one all are. If a `shell` is given, its environment
 * holds for the requests.
 */
export function clientOf(
  file: Pick<ServerFile, "url" | "token" | "version">,
  { version, shell, agent }: { readonly version?: string } & Pick<Caller, "shell" | "agent"> = {},
): Client {
  return createClient({
    url: file.url,
    token: file.token,
    fetch,
    isOurs: file.version === version,
    ...(shell === undefined ? {} : { shell }),
    ...(agent === undefined ? {} : { agent }),
  });
}

/** After a kill the file stays. Another Tazuna may have its port by now, and would only refuse our token. */
export async function isItsProcess(file: ServerFile): Promise<boolean> {
  if (file.start_time === "") return true;
  const current = await identify(file.pid);
  return current?.startTime === file.start_time && (file.boot_id === "" || current.bootId === file.boot_id);
}

async function answers(file: ServerFile): Promise<boolean> {
  const response = await fetch(`${file.url}/api/v1/health`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => null,
  );
  if (response === null || !response.ok) return false;
  const health: unknown = await response.json().catch(() => null);
  return typeof health === "object" && health !== null && "name" in health && health.name === "tazuna";
}
