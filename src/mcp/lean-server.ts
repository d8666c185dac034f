/** Is the protocol's own server without its second look at messages that were made or checked here. */
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";

type Handler = Parameters<Server["_wrapHandler"]>[1];

/**
 * The base class checks each call and each answer of `tools/call` against the protocol's schemas once more. A call is checked by its handler's
 * own schema, and answers are made by `callToolResult`; the second look costs an eighth of a short call.
 */
export class LeanServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    return method === "tools/call" ? handler : blamingParams(method, handler);
  }
}

/** The base class throws a plain error for wrong params, and would answer it as a fault of its own. */
function blamingParams(method: string, handler: Handler): Handler {
  return async (request, context) => {
    try {
      return await handler(request, context);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const flaws = String(error instanceof Error ? error.message : error).replaceAll(/\s+/g, " ");
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid params for ${method}: ${flaws}`);
    }
  };
}
