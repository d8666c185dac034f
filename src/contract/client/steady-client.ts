/** Talks to an engine that may go away: connects when it is first needed, and again when it went. */
import { err, ok, type Result } from "neverthrow";
import type { ApiError } from "../problem.ts";
import type { Client, Once, Reply } from "./client.ts";

const MAX_TRIES = 3;

/** `E` is how its owner words an error. */
export interface SteadyClient<E> {
  /** The client; connects first if need be. */
  client(): Promise<Result<Client, E>>;
  /**
   * Makes one call, and repeats it if the engine goes away meanwhile. A call that creates something sends `once`, so
   * that the repeated call creates nothing more.
   */
  ask<T>(call: SteadyCall<T>): Promise<Result<T, E>>;
  /** Call this when this client's engine went away. */
  lost(client: Client): void;
  readonly refused: (error: ApiError) => E;
}

type SteadyCall<T> = (client: Client, once: Required<Once>) => Reply<T>;

interface SteadyOptions<E> {
  /** Finds the engine, or starts it; called again when it went away. */
  readonly connect: () => Promise<Result<Client, E>>;
  readonly refused: (error: ApiError) => E;
}

export function createSteadyClient<E>({ connect, refused }: SteadyOptions<E>): SteadyClient<E> {
  let connecting: Promise<Result<Client, E>> | null = null;
  let current: Client | null = null;

  const client = (): Promise<Result<Client, E>> => {
    if (current !== null) return Promise.resolve(ok(current));
    connecting ??= connect()
      .then((result) => {
        if (result.isOk()) current = result.value;
        return result;
      })
      .finally(() => {
        connecting = null;
      });
    return connecting;
  };
  const lost = (gone: Client) => {
    if (current === gone) current = null;
  };
  const ask = async <T>(call: SteadyCall<T>, once: Required<Once>, tries = 1): Promise<Result<T, E>> => {
    const connected = await client();
    if (connected.isErr()) return err(connected.error);
    const answer = await call(connected.value, once);
    if (answer.isOk()) return ok(answer.value);
    if (answer.error.kind !== "unreachable") return err(refused(answer.error));
    lost(connected.value);
    return tries < MAX_TRIES ? ask(call, once, tries + 1) : err(refused(answer.error));
  };
  return { client, ask: (call) => ask(call, { key: crypto.randomUUID() }), lost, refused };
}
