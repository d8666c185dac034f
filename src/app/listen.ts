/** Opens the socket of the HTTP door; a connection on which nothing happens for a while is closed, except while its answer is made. */
import type { Connection } from "../api/api-options.ts";

export interface ListenOptions {
  /** Null takes the usual port, or a free one where that is taken; 0 takes a free one. */
  readonly port: number | null;
  readonly host: string;
  /** Seconds that a connection may be idle (to the next multiple of 4, about); 10 unless told. */
  readonly idleS?: number;
}

const USUAL_PORT = 7460;
/** A later request's head has to be there within it too; of the first one, Bun waits 10 s by itself. */
const IDLE_S = 10;

export function listen(
  options: ListenOptions,
  answer: (request: Request, connection: Connection) => Promise<Response>,
) {
  const idleTimeout = options.idleS ?? IDLE_S;
  const open = (port: number) =>
    Bun.serve({
      hostname: options.host,
      port,
      idleTimeout,
      maxRequestBodySize: 12 * 1024 * 1024,
      // The runtime's own page would show it, with our source, to whoever asked: a token was not even looked for.
      error(cause) {
        process.stderr.write(`${new Date().toISOString()} request: ${cause.message}\n`);
        return new Response(null, { status: 500 });
      },
      fetch: (request, server) => {
        // A `Host` that is none leaves an address that is none either.
        if (!URL.canParse(request.url)) return new Response(null, { status: 400 });
        const address = server.requestIP(request)?.address;
        return answer(request, {
          ...(address === undefined ? {} : { address }),
          keepOpen: () => server.timeout(request, 0),
          letIdle: () => server.timeout(request, idleTimeout),
        });
      },
    });
  if (options.port !== null) return open(options.port);
  try {
    return open(USUAL_PORT);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return open(0);
    throw error;
  }
}
