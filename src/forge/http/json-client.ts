/** Asks the API of a forge that has no client of its own here: JSON in and out, and long lists page by page. */
import type { ForgeAccess } from "../forge.ts";
import type { ForgeClient } from "./forge-client.ts";
import { ForgeFailure, unavailable } from "./forge-failure.ts";

type Query = Readonly<Record<string, string | number>>;

/** Paths begin behind the address of the API, with a slash. */
export interface JsonClient {
  get(path: string, query?: Query): Promise<unknown>;
  send(method: "POST" | "PUT" | "PATCH", path: string, body: unknown): Promise<unknown>;
  /** One list after the other, each when it is asked for. */
  pages(path: string, query?: Query): AsyncGenerator<readonly unknown[]>;
  /** All of a list. */
  all(path: string, query?: Query): Promise<readonly unknown[]>;
  tailOf(path: string): Promise<string>;
}

/** A forge that always names one more page would never be done with. */
const MAX_PAGES = 200;

export function createJsonClient({ apiUrl }: Pick<ForgeAccess, "apiUrl">, client: ForgeClient): JsonClient {
  const home = apiUrl.replace(/\/+$/, "");
  const headers = { accept: "application/json", "user-agent": "tazuna" };
  const read = async (path: string, query: Query) => {
    const url = new URL(`${home}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const response = await client.fetch(url, { headers });
    return { data: await jsonOf(response), headers: response.headers };
  };
  async function* pages(path: string, query: Query = {}) {
    let seen = 0;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { data, headers: said } = await read(path, page === 1 ? query : { ...query, page });
      const list = listIn(data, path);
      yield list;
      seen += list.length;
      if (list.length === 0 || !hasNextPage(said, seen)) return;
    }
    throw new ForgeFailure(
      unavailable(`The forge names more than ${MAX_PAGES} pages of ${path}.`, { transient: false }),
    );
  }
  return {
    get: async (path, query = {}) => (await read(path, query)).data,
    send: async (method, path, body) => {
      const json = { ...headers, "content-type": "application/json" };
      return jsonOf(
        await client.fetch(`${home}${path}`, { method, headers: json, body: JSON.stringify(body) }),
      );
    },
    pages,
    all: async (path, query = {}) => {
      const found: unknown[] = [];
      for await (const page of pages(path, query)) found.push(...page);
      return found;
    },
    tailOf: (path) => client.tailOf(`${home}${path}`),
  };
}

/** Null for an empty answer. Whatever is no JSON was refused before. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return text.trim() === "" ? null : JSON.parse(text);
}

/**
 * The address of the next page is not used: behind a proxy it may name another host. Of some lists Gitea names the
 * whole number alone.
 */
function hasNextPage(headers: Headers, seen: number): boolean {
  if (/\brel="?next"?/.test(headers.get("link") ?? "")) return true;
  return Number(headers.get("x-total-count") ?? 0) > seen;
}

function listIn(data: unknown, path: string): readonly unknown[] {
  if (Array.isArray(data)) return data;
  throw new ForgeFailure(
    unavailable(`The forge answered ${path} with something else than a list.`, {
      status: 200,
      transient: false,
    }),
  );
}
