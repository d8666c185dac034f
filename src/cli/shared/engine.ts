/** Talks to the engine of this data folder: connects when it is first needed, and again when it went away. */
import { err, ok, type Result } from "neverthrow";
import type { Client, Reply } from "../../contract/client/client.ts";
import { fromApi } from "./cli-error.ts";
import type { CliError, CliOptions, ConnectOptions } from "./cli-options.ts";

const MAX_TRIES = 3;

export interface Engine {
  /** The client; connects first if need be. */
  client(): Promise<Result<Client, CliError>>;
  /**
   * Makes one call, and repeats it if the engine goes away meanwhile. Calls that create carry a key; all others may
   * be repeated.
   */
  ask<T>(call: (client: Client) => Reply<T>): Promise<Result<T, CliError>>;
  /** Call this when this client's engine went away. */
  lost(client: Client): void;
}

export function createEngine(options: Pick<CliOptions, "connect">, how: ConnectOptions): Engine {
  let connecting: Promise<Result<Client, CliError>> | null = null;
  let current: Client | null = null;

  const client = (): Promise<Result<Client, CliError>> => {
    if (current !== null) return Promise.resolve(ok(current));
    connecting ??= options.connect(how).then((result) => {
      connecting = null;
      if (result.isOk()) current = result.value;
      return result;
    });
    return connecting;
  };
  const lost = (gone: Client) => {
    if (current === gone) current = null;
  };
  const ask = async <T>(call: (client: Client) => Reply<T>, tries = 1): Promise<Result<T, CliError>> => {
    const connected = await client();
    if (connected.isErr()) return err(connected.error);
    const answer = await call(connected.value);
    if (answer.isOk()) return ok(answer.value);
    if (answer.error.kind !== "unreachable") return err(fromApi(answer.error));
    lost(connected.value);
    return tries < MAX_TRIES ? ask(call, tries + 1) : err(fromApi(answer.error));
  };
  return { client, ask: (call) => ask(call), lost };
}

/** A key under which a thing is created once, even if the call is repeated. */
export function onceKey(): { readonly key: string } {
  return { key: crypto.randomUUID() };
}
