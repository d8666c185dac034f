/** Calls the HTTP API as programs of others do, which would like to be somebody else. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AGENT_HEADER } from "../../src/contract/client/http-call.ts";
import type { Product, RunOptions } from "./product.ts";

const FORGED = {
  [AGENT_HEADER]: "robot",
  "tazuna-actor": '{"kind":"person","id":null,"name":"boss@x.example"}',
  "x-forwarded-user": "boss@x.example",
};

/** Calls an API with these headers, and with those that would like to be somebody else. A body is sent as JSON. */
export function calling(api: string, headers: Readonly<Record<string, string>>) {
  return async (path: string, body?: unknown, method = body === undefined ? "GET" : "POST") => {
    const answer = await fetch(`${api}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers, ...FORGED },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a document.
    return (await answer.json()) as any;
  };
}

/** Calls the engine of that data folder as a program with a token of that name does. */
export async function withToken(product: Product, name: string, how?: RunOptions) {
  const home = how?.env?.TAZUNA_HOME ?? product.home;
  const made = await product.tazuna(["token", "add", name, "--scope", "admin", "--json"], how);
  const { url } = JSON.parse(await readFile(join(home, "server.json"), "utf8"));
  const { token } = made.json<{ token: string }>();
  return calling(`${url}/api/v1`, { authorization: `Bearer ${token}` });
}
