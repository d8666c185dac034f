/** Recognizes the browsers that are signed in, lists them, and signs them out. */
import { err, ok, type Result } from "neverthrow";
import type { Browser } from "../../domain/access/browser.ts";
import type { KnownPerson } from "../../domain/access/person.ts";
import { scopeOfRole } from "../../domain/access/role.ts";
import { findBrowser, listBrowsers, noteBrowserSeen, signOut } from "../../storage/access/browsers.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { transact } from "../../storage/transact.ts";
import type { KnownAccess, KnownBrowser, ListedBrowser } from "../core/access-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { ambiguousPrefix, type Refusal, refuse } from "../core/refusal.ts";
import { secretHash } from "./cookie-secret.ts";
import { type NoteContext, noteTeamAct } from "./team-acts.ts";

const NOTED_MS = 3_600_000;
const TRIED_MS = 60_000;

/** Answers with the browser that has this secret; null if none is signed in by it. Its visit is noted. */
export function createBrowserRecognizer(context: Uses<"db" | "clock" | "reportFault">) {
  // So many requests of one page are one try, and a full disk is told of once a minute.
  const triedAt = new Map<string, number>();
  return async (secret: string): Promise<KnownBrowser | null> => {
    const hash = secretHash(secret);
    const found = hash === null ? null : await findBrowser(context.db.reader, hash);
    if (found === null) return null;
    const { id, seenAgoMs, person, expiresAt } = found;
    const now = context.clock.now().getTime();
    const isTried = Math.abs(now - (triedAt.get(id) ?? Number.NEGATIVE_INFINITY)) < TRIED_MS;
    if (seenAgoMs >= NOTED_MS && !isTried) {
      triedAt.set(id, now);
      void noteBrowserSeen(context.db, { id, everyMs: NOTED_MS }).catch((error) =>
        context.reportFault("noting the visit of a browser", error),
      );
    }
    return { id, access: person === null ? null : accessOfPerson(person, expiresAt) };
  };
}

/** They may do what their role says, for as long as they are signed in. */
function accessOfPerson(person: KnownPerson, expiresAt: string): KnownAccess {
  const { id, email: name, role } = person;
  return { id, name, scope: scopeOfRole(role), expiresAt, person };
}

/** The newest first. */
export async function signedInBrowsers(
  context: Uses<"db">,
): Promise<Result<readonly ListedBrowser[], Refusal>> {
  return ok((await listBrowsers(context.db.reader)).map(shown));
}

/** By its id or a unique prefix of it. Its cookie opens nothing from then on, and its streams end. */
export async function signOutBrowser(
  context: NoteContext & Uses<"db" | "newFacts">,
  named: string,
): Promise<Result<ListedBrowser, Refusal>> {
  const all = await listBrowsers(context.db.reader);
  const fitting = all.filter(({ id }) => named !== "" && id.startsWith(named));
  const found = all.find(({ id }) => id === named) ?? fitting[0];
  if (found === undefined) return err(noBrowser(named));
  if (found.id !== named && fitting.length > 1) return err(ambiguous(named, fitting));
  const ended = await endThose(context, async () => [found]);
  return ended.includes(found) ? ok(shown(found)) : err(noBrowser(named));
}

/** All but that one, if it is given. Answers with those that it signed out. */
export async function signOutBrowsers(
  context: NoteContext & Uses<"db" | "newFacts">,
  but: string | null,
): Promise<Result<readonly ListedBrowser[], Refusal>> {
  const ended = await endThose(context, async (trx) =>
    (await listBrowsers(trx)).filter(({ id }) => id !== but),
  );
  return ok(ended.map(shown));
}

/** In the transaction that signs one in or out. Who holds streams of it hears it. */
export function tellBrowsersChanged(context: Uses<"clock">, trx: WriteTransaction): Promise<unknown> {
  const ids = { taskId: null, attemptId: null, runId: null };
  return appendFact(trx, { at: context.clock.iso(), kind: "browsers.changed", ...ids, data: {} });
}

type Listed = Awaited<ReturnType<typeof listBrowsers>>[number];

async function endThose(
  context: NoteContext & Uses<"db" | "newFacts">,
  choose: (trx: WriteTransaction) => Promise<readonly Listed[]>,
): Promise<readonly Listed[]> {
  const ended = await transact(context.db, async (trx) => {
    const chosen = await choose(trx);
    const ids = new Set(
      await signOut(
        trx,
        chosen.map(({ id }) => id),
      ),
    );
    const out = chosen.filter(({ id }) => ids.has(id));
    for (const { id, userAgent: name, person: detail } of out)
      await noteTeamAct(context, trx, { kind: "browser_signed_out", id, name, detail });
    if (out.length > 0) await tellBrowsersChanged(context, trx);
    return out;
  });
  context.newFacts.notify();
  return ended;
}

function shown(browser: Listed): ListedBrowser {
  const { id, userAgent, createdAt, lastSeenAt, expiresAt, worker, person } = browser;
  return { id, userAgent, createdAt, lastSeenAt, expiresAt, worker, person };
}

function noBrowser(named: string): Refusal {
  return refuse("not_found", "not_found", `No browser that is signed in has the id "${named}".`, {
    remedy: "`tazuna browsers` shows the ids; any unique prefix will do.",
    details: { id: named },
  });
}

function ambiguous(named: string, browsers: readonly Browser[]): Refusal {
  const candidates = browsers.map(({ id }) => ({ type: "browser", id }));
  return ambiguousPrefix(named, { command: "tazuna browsers", id: browsers[0]?.id ?? "", candidates });
}
