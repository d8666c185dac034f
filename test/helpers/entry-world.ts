/** Two servers of one database behind one address, with an identity provider through which people enter. */
import { setTimeout } from "node:timers/promises";
import { ok } from "neverthrow";
import { createApi } from "../../src/api/create-api.ts";
import type { Api } from "../../src/api/http/api-options.ts";
import type { Actor } from "../../src/domain/actor.ts";
import { openIdProvider } from "../../src/identity/openid.ts";
import { createBrowserRecognizer } from "../../src/services/access/browsers.ts";
import type { EntryRules } from "../../src/services/core/access-shapes.ts";
import type { ServiceContext } from "../../src/services/core/context.ts";
import type { OpenTerminal } from "../../src/services/core/open-terminal.ts";
import { accessServices } from "../../src/services/groups/access.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import type { TestDatabase } from "./databases.ts";
import { identityProvider, type People, type TestProvider } from "./identity-provider.ts";
import { memoryServices } from "./memory-services.ts";

export const ORIGIN = "https://tazuna.test";
export const OWNER_TOKEN = "token-of-the-owner";
const COOKIE = "__Host-tazuna_443";

/** A browser that keeps its cookies. */
export interface TestBrowser {
  readonly cookies: Map<string, string>;
  get(api: Api, path: string): Promise<Response>;
  call(
    api: Api,
    path: string,
    init?: { readonly method?: string; readonly body?: unknown },
  ): Promise<Response>;
}

export interface EntryWorld extends AsyncDisposable {
  readonly provider: TestProvider;
  readonly first: Api;
  readonly second: Api;
  readonly db: Database;
  readonly reported: unknown[];
  /** Starts a further server of the database, with other rules. The first two keep theirs. */
  startWith(rules: Partial<EntryRules>): Promise<Api>;
  browser(): TestBrowser;
  /** Goes in as somebody: begins at the first server, ends at the second or at another one. */
  enter(
    browser: TestBrowser,
    who: string | null,
    options?: { readonly to?: string; readonly at?: Api },
  ): Promise<Response>;
  /** Asks as the owner of the machine. */
  owner(path: string, init?: { readonly method?: string; readonly body?: unknown }): Promise<Response>;
}

/** A later time at each call, so that what is sorted by time has one order. */
function laterIso(): string {
  last = Math.max(last + 1, Date.now());
  return new Date(last).toISOString();
}
let last = 0;

export const RULES: EntryRules = { admins: [], domains: [], firstRole: "viewer" };

export async function entryWorld(
  on: TestDatabase,
  options: {
    readonly people: People;
    readonly rules?: Partial<EntryRules>;
    readonly issuer?: string;
    readonly forges?: boolean;
  },
): Promise<EntryWorld> {
  const provider = await identityProvider(options.people, { forges: options.forges ?? false });
  const reported: unknown[] = [];
  const changed: (() => void)[] = [];
  const started: Api[] = [];
  const serve = (db: Database, rules = { ...RULES, ...options.rules }) => {
    const services = memoryServices();
    changed.push(() => services.addFact({ kind: "people.changed" }));
    const context = {
      db,
      clock: { now: () => new Date(), iso: laterIso },
      newId: () => crypto.randomUUID(),
      owner: "worker-1",
      actor: null,
      newFacts: {
        notify: () => {
          for (const tell of changed) tell();
        },
      },
      reportFault: (what: string, error: unknown) => void reported.push([what, error]),
    } as unknown as ServiceContext;
    const memory = { recognizeBrowser: createBrowserRecognizer(context) };
    const accessOf = (actor: Actor | null) => ({
      ...accessServices({ ...context, actor }, memory),
      terminal: async () => ok(SILENT),
    });
    const { clientId, secret } = provider;
    const issuer = new URL(options.issuer ?? provider.issuer);
    const access = accessOf(null);
    const api = createApi({
      services: Object.assign(services, access, {
        by: (actor: Actor) => ({ ...services, ...accessOf(actor) }),
      }),
      engine: { about: () => Promise.reject(new Error("nobody asks")), leave: async () => false },
      tools: async () => [],
      token: OWNER_TOKEN,
      sameToken: (a, b) => a === b,
      version: "1.2.3",
      allowedHosts: () => [new URL(ORIGIN).host],
      linkOrigin: () => ORIGIN,
      identity: {
        provider: openIdProvider({ issuer, clientId, secret }),
        rules,
      },
      idempotency: {
        claim: async () => ({ kind: "new" }),
        answer: async () => undefined,
        forget: async () => undefined,
      },
      browserSettings: {},
      web: null,
      now: Date.now,
      explain: () => null,
      report: (error) => void reported.push(error),
      pingMs: 200,
    });
    started.push(api);
    return { api, access };
  };
  const [{ api: first }, { api: second }] = [serve(on.db), serve(await on.open())];
  const startWith = async (changed: Partial<EntryRules>) => {
    const rules = { ...RULES, ...changed };
    const { api, access } = serve(on.db, rules);
    // As a server does when it starts.
    await access.settleAdmins(rules);
    return api;
  };
  const browser = () => createBrowser();
  const enter: EntryWorld["enter"] = async (who, name, { to = "/tasks/1", at = second } = {}) => {
    const begun = await who.get(first, `/sign-in/oidc?to=${encodeURIComponent(to)}`);
    const back = await provider.enter(begun.headers.get("location") ?? "", name);
    return who.get(at, back.slice(ORIGIN.length));
  };
  return {
    ...{ provider, first, second, db: on.db, reported, startWith, browser, enter },
    owner: (path, init = {}) =>
      first.fetch(requestTo(path, init, { authorization: `Bearer ${OWNER_TOKEN}` })),
    [Symbol.asyncDispose]: async () => {
      for (const api of started) api.close();
      await provider.stop();
    },
  };
}

/** A terminal in which nothing happens. */
const SILENT: OpenTerminal = {
  attemptId: "attempt-1",
  outside: false,
  write: async () => undefined,
  resize: async () => undefined,
  read: () => ({
    next: async (_after, { waitMs, signal }) => {
      await setTimeout(waitMs, undefined, { signal }).catch(() => undefined);
      return { kind: "nothing" };
    },
    leave: () => undefined,
  }),
  end: async () => undefined,
};

function createBrowser(): TestBrowser {
  const cookies = new Map<string, string>();
  const ask = async (api: Api, request: Request) => {
    const response = await api.fetch(request);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const headers = () => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
  return {
    cookies,
    get: (api, path) => ask(api, requestTo(path, {}, { ...headers(), accept: "text/html" })),
    call: (api, path, init = {}) =>
      ask(api, requestTo(`/api/v1${path}`, init, { ...headers(), origin: ORIGIN })),
  };
}

function requestTo(
  path: string,
  { method = "GET", body }: { readonly method?: string; readonly body?: unknown },
  headers: Readonly<Record<string, string>>,
): Request {
  const address = path.startsWith("/") ? ORIGIN + path : path;
  return new Request(address, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** The secret by which a browser is signed in; absent if it is not. */
export function secretOf({ cookies }: TestBrowser): string | undefined {
  return cookies.get(COOKIE);
}
