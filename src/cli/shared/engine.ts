/** Talks to the engine of this data folder: connects when it is first needed, and again when it went away. */
import { err, ok, type Result } from "neverthrow";
import type { Client, Once, Reply } from "../../contract/client/client.ts";
import { fromApi } from "./cli-error.ts";
import type { CliError, CliOptions, ConnectOptions } from "./cli-options.ts";

const MAX_TRIES = 3;

export interface Engine {
  /** The client; connects first if need be. */
  client(): Promise<Result<Client, CliError>>;
  /**
   * Makes one call, and repeats it if the engine goes away meanwhile. A call that creates something sends `once`, so
   * that the repeated call creates nothing more.
   */
  ask<T>(call: Call<T>): Promise<Result<T, CliError>>;
  /** Call this when this client's engine went away. */
  lost(client: Client): void;
}

type Call<T> = (client: Client, once: Required<Once>) => Reply<T>;

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
  const ask = async <T>(call: Call<T>, once: Required<Once>, tries = 1): Promise<Result<T, CliError>> => {
    const connected = await client();
    if (connected.isErr()) return err(connected.error);
    const answer = await call(connected.value, once);
    if (answer.isOk()) return ok(answer.value);
    if (answer.error.kind !== "unreachable") return err(fromApi(answer.error));
    lost(connected.value);
    return tries < MAX_TRIES ? ask(call, once, tries + 1) : err(fromApi(answer.error));
  };
  return { client, ask: (call) => ask(call, { key: crypto.randomUUID() }), lost };
}
