/** Is the protocol's own server without its second look at messages that were made or checked here. */
import { Server } from "@modelcontextprotocol/server";

type Handler = Parameters<Server["_wrapHandler"]>[1];

/**
 * The base class checks each call and each answer of `tools/call` against the protocol's schemas once more. A call is checked by its handler's
 * own schema, and answers are made by `callToolResult`; the second look costs an eighth of a short call.
 */
export class LeanServer extends Server {
  protected override _wrapHandler(_method: string, handler: Handler): Handler {
    return handler;
  }
}
