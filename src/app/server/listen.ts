/** Opens the socket of the HTTP server, and closes idle connections, except while their answer is made. */
import type { Connection } from "../../api/http/api-options.ts";

interface ListenOptions {
  /** Null takes the usual port, or a free one if that is taken; 0 takes a free one. */
  readonly port: number | null;
  readonly host: string;
  /** The longest request; 64 MiB by default. */
  readonly maxBodyBytes?: number;
  /** Seconds that a connection may be idle (about, to the next multiple of 4); 10 by default. */
  readonly idleS?: number;
  /** Certificate and key as PEM; without them it speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export const USUAL_PORT = 7460;
/** The head of a later request has to arrive within it too. For the first request Bun itself waits 10 s. */
const IDLE_S = 10;
const MAX_BODY_BYTES = 64 * 1024 * 1024;

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
      ...(options.tls === undefined ? {} : { tls: { ...options.tls } }),
      // The API and MCP accept less. A longer message is read to its end without being kept, so that its answer can name its
      // id.
      maxRequestBodySize: options.maxBodyBytes ?? MAX_BODY_BYTES,
      // The runtime's own page would show the error and our source to every caller, even without a token.
      error(cause) {
        process.stderr.write(`${new Date().toISOString()} request: ${cause.message}\n`);
        return new Response(null, { status: 500 });
      },
      fetch: (request, server) => {
        // An invalid `Host` makes an invalid address.
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
