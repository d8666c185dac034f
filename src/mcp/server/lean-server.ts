/** Is the protocol's own server without a second check of messages that were made or checked here. */
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";

type Handler = Parameters<Server["_wrapHandler"]>[1];

/**
 * The base class checks each call and each answer of `tools/call` against the protocol's schemas once more. Its
 * handler's own schema checks a call, and `callToolResult` makes the answers. The second check costs an eighth of a
 * short call.
 */
export class LeanServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const checked = method === "tools/call" ? handler : blamingParams(method, handler);
    if (BEFORE_INITIALIZE.has(method)) return checked;
    return async (request, context) => {
      if (this.getClientCapabilities() === undefined) throw notInitialized(method);
      return checked(request, context);
    };
  }
}

/** The protocol allows no other request before both sides have introduced themselves. */
const BEFORE_INITIALIZE: ReadonlySet<string> = new Set(["initialize", "ping"]);

function notInitialized(method: string): ProtocolError {
  const message = `${method} was asked before the session began; send \`initialize\` first.`;
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
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
