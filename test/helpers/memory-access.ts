/** Plays in memory what lets callers in: access tokens, sign-in codes, browsers that are signed in. */
import { err, ok } from "neverthrow";
import type { AccessServices, KnownAccess, ListedBrowser } from "../../src/services/core/access-shapes.ts";
import { refuse } from "../../src/services/core/refusal.ts";

export interface MemoryAccess {
  /** Access tokens by their text. */
  readonly tokens: Map<string, KnownAccess>;
  /** Browsers that are signed in, by their secrets. */
  readonly browsers: Map<string, ListedBrowser>;
}

const AT = "2026-01-02T03:04:05.000Z";

/** `changed` is called when somebody was signed in or out. */
export function memoryAccess({ tokens, browsers }: MemoryAccess, changed: () => void): AccessServices {
  const codes = new Set<{ readonly linked: string; readonly typed: string }>();
  let counter = 0;
  const missing = (id: string) =>
    refuse("not_found", "not_found", "There is none.", { remedy: "Ask.", details: { id } });
  const end = (wanted: (one: ListedBrowser) => boolean) => {
    const ended = [...browsers].filter(([, one]) => wanted(one));
    for (const [secret] of ended) browsers.delete(secret);
    changed();
    return ended.map(([, one]) => one);
  };
  return {
    accessTokens: async () => ok([]),
    addAccessToken: async () => err(missing("")),
    removeAccessToken: async (id) => err(missing(id)),
    recognizeToken: async (text) => tokens.get(text) ?? null,
    issueSignInCodes: async () => {
      counter += 1;
      const code = { linked: `link-${counter}`.padEnd(32, "x"), typed: `T${counter}`.padEnd(12, "X") };
      codes.add(code);
      return code;
    },
    signIn: async ({ code, userAgent }) => {
      const found = [...codes].find(({ linked, typed }) => linked === code || typed === code);
      if (found === undefined) return null;
      codes.delete(found);
      const secret = `secret-${codes.size}-${browsers.size}`.padEnd(43, "x");
      const times = { createdAt: AT, lastSeenAt: AT, expiresAt: AT };
      browsers.set(secret, {
        id: `browser-${browsers.size + 1}`,
        userAgent,
        worker: null,
        person: null,
        ...times,
      });
      changed();
      return { secret, lifeMs: 1_000 };
    },
    recognizeBrowser: async (secret) => {
      const id = browsers.get(secret)?.id;
      return id === undefined ? null : { id, access: null };
    },
    beginEntry: async () => err(missing("")),
    endEntry: async () => err(missing("")),
    people: async () => ok([]),
    settleAdmins: async () => undefined,
    givePersonRole: async (id) => err(missing(id)),
    removePerson: async (id) => err(missing(id)),
    teamActs: async () => ok({ items: [], next: null }),
    stillSignedIn: async () => new Set([...browsers.values()].map(({ id }) => id)),
    browsers: async () => ok([...browsers.values()]),
    signOutBrowser: async (named) => {
      const [ended] = end(({ id }) => id === named);
      return ended === undefined ? err(missing(named)) : ok(ended);
    },
    signOutBrowsers: async (but) => ok(end(({ id }) => id !== but)),
  };
}
