/** Holds what is known of a request, and exempts its connection from the idle limit while it is answered. */
import type { Context } from "hono";
import type { Actor, KnownAccess } from "../../services/core/access-shapes.ts";
import type { Services, ShellServices } from "../../services/core/services.ts";
import type { Caller, Connection } from "./api-options.ts";

export type Env = {
  Bindings: Connection;
  /** The caller is not known at endpoints that are open to everybody. */
  Variables: {
    readonly caller: Caller | undefined;
    /** The id of the browser that asks. */
    readonly browser: string | undefined;
    /** What limits the caller; absent if nothing does. */
    readonly access: KnownAccess | undefined;
    /** Who asks; null if that is not known. */
    readonly actor: Actor | null | undefined;
    /** Those of the caller; absent at endpoints that are open to everybody. */
    readonly services: Services | undefined;
    readonly shell: ShellServices | undefined;
  };
};

/** Answers may take long: a connection that waits for its answer is not idle. */
export async function unhurried<T>(c: Context<Env>, make: () => Promise<T>): Promise<T> {
  c.env?.keepOpen?.();
  try {
    return await make();
  } finally {
    c.env?.letIdle?.();
  }
}

/** A stream, while a client reads it. */
export function unhurriedStream(
  c: Context<Env>,
  stream: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  const end = () => c.env?.letIdle?.();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        c.env?.keepOpen?.();
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
        } catch (error) {
          end();
          throw error;
        }
        end();
        controller.close();
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
