/** Handles one request: reads it by its schema, asks one service, answers with a document or a refusal. */
import type { Context } from "hono";
import type { Result } from "neverthrow";
import type { Once, Refusal, ShellServices } from "../../services/core/services.ts";
import type { Connection } from "./api-options.ts";
import type { Caller } from "./guards.ts";
import type { Idempotency } from "./idempotency.ts";
import { problemOfRefusal, problemResponse } from "./problem-response.ts";
import { parseBody, parseQuery, readJsonText } from "./read-request.ts";

export type Env = {
  Bindings: Connection;
  Variables: { readonly caller: Caller; readonly shell: ShellServices | undefined };
};
type Schema = Parameters<typeof parseBody>[0];
type Parsed<S extends Schema> = S["_zod"]["output"];
type Asked<T> = Promise<Result<T, Refusal>>;

export interface Exchange {
  /** Answers a question; `ask` gets the query string in the form of the schema. */
  read<S extends Schema, T>(
    c: Context<Env>,
    schema: S,
    ask: (query: Parsed<S>) => Asked<T>,
    show: (answer: T) => unknown,
  ): Promise<Response>;
  /** Carries out a change, once per idempotency key; `act` gets the body in the form of the schema, and that key. */
  write<S extends Schema, T>(
    c: Context<Env>,
    schema: S,
    act: (body: Parsed<S>, once: Once) => Asked<T>,
    show: (answer: T) => unknown,
    status?: 200 | 201,
  ): Promise<Response>;
}

export function createExchange(idempotency: Idempotency): Exchange {
  return {
    async read(c, schema, ask, show) {
      const query = parseQuery(schema, c.req.url);
      if (query.isErr()) return problemResponse(query.error);
      return unhurried(c, async () => answer(await ask(query.value), show, 200));
    },
    async write(c, schema, act, show, status = 200) {
      const text = await readJsonText(c.req.raw);
      if (text.isErr()) return problemResponse(text.error);
      return unhurried(c, () =>
        idempotency.once(c.req.raw, text.value, async () => {
          const body = parseBody(schema, text.value);
          const key = c.req.header("idempotency-key");
          const once = key === undefined ? null : { key };
          return body.isErr()
            ? problemResponse(body.error)
            : answer(await act(body.value, once), show, status);
        }),
      );
    },
  };
}

/** Answers may take long: a connection that waits for its answer is not idle. */
async function unhurried(c: Context<Env>, make: () => Promise<Response>): Promise<Response> {
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

function answer<T>(result: Result<T, Refusal>, show: (answer: T) => unknown, status: number): Response {
  return result.match(
    (value) => Response.json(show(value), { status }),
    (refusal) => problemResponse(problemOfRefusal(refusal)),
  );
}

/** A page of a list. */
export function pageOf<T, U>(show: (item: T) => U) {
  return ({ items, next }: { readonly items: readonly T[]; readonly next: string | null }) => ({
    items: items.map(show),
    next,
  });
}

/** A list that has no further pages. */
export function listOf<T, U>(show: (item: T) => U) {
  return (items: readonly T[]) => ({ items: items.map(show), next: null });
}
