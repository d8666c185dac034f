/** Calls the HTTP API of a product's engine, as a program with its token does. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient } from "../../src/contract/client/client.ts";
import type { Product } from "./product.ts";

export interface HttpApi {
  readonly client: Client;
  /** A request below `/api/v1`. A body is sent as JSON. */
  call(path: string, init?: { readonly method?: string; readonly body?: unknown }): Promise<Response>;
  /** The JSON of such an answer. */
  json(path: string, init?: { readonly method?: string; readonly body?: unknown }): Promise<Json>;
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a document.
type Json = any;

/** Of the engine that runs now. */
export async function httpApi(product: Pick<Product, "home">): Promise<HttpApi> {
  const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  const call: HttpApi["call"] = (path, { method = "GET", body } = {}) =>
    fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", origin: url },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    client: createClient({ url, token, fetch }),
    call,
    json: async (path, init) => (await call(path, init)).json(),
  };
}
