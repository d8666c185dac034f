/** Asks a product's server over HTTP, as a browser would. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Product } from "./product.ts";

export interface HttpAnswer<T> {
  readonly status: number;
  readonly body: T;
}

/** A call below `/api/v1`. The server has to work already. */
export async function http<T = Record<string, unknown>>(
  product: Pick<Product, "home">,
  asked: `${"GET" | "POST" | "PATCH" | "PUT" | "DELETE"} /${string}`,
  body?: unknown,
  more: { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<HttpAnswer<T>> {
  const [method = "", path = ""] = asked.split(/ (.*)/);
  const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...more.headers },
    ...(method === "GET" || method === "DELETE" ? {} : { body: JSON.stringify(body ?? {}) }),
  });
  return { status: answer.status, body: (await answer.json()) as T };
}
