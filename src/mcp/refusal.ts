/** Refuses an HTTP request in the words of JSON-RPC, before any session has seen it. */

/** -32000 is what MCP's own transports answer for what is wrong with the request around the message. */
export function refusal(
  status: number,
  message: string,
  {
    code = status === 404 ? -32001 : -32000,
    id = null,
  }: { readonly code?: number; readonly id?: string | number | null } = {},
): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id }, { status });
}
