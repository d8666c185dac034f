/** Makes, lists, recognizes and removes the access tokens of programs. */
import { createHash, randomBytes } from "node:crypto";
import { err, ok, type Result } from "neverthrow";
import type { KnownPerson } from "../../domain/access/person.ts";
import { withinRole } from "../../domain/access/role.ts";
import type { AccessToken, NewToken } from "../../domain/access/token.ts";
import { holdPerson } from "../../storage/access/people.ts";
import {
  deleteAccessToken,
  findAccessToken,
  insertAccessToken,
  listAccessTokens,
  noteTokenUse,
} from "../../storage/access/tokens.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { transact } from "../../storage/transact.ts";
import type { KnownAccess, MadeToken } from "../core/access-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse } from "../core/refusal.ts";
import { type NoteContext, noteTeamAct } from "./team-acts.ts";

/** Programs that look for secrets recognize it by its first signs (`domain/secrets`). */
const MARK = "tzt_";
const SHAPE = /^tzt_[\w-]{43}$/;
const BYTES = 32;
const DAY_MS = 24 * 3_600_000;
const NOTED_MS = 3_600_000;

/** The only answer that holds the token itself: what is stored is its hash. */
export async function makeToken(
  context: NoteContext & Uses<"db" | "newFacts">,
  { name, scope, days }: NewToken,
  by: KnownPerson | null,
): Promise<Result<MadeToken, Refusal>> {
  const token = MARK + randomBytes(BYTES).toString("base64url");
  const now = context.clock.now().getTime();
  const made: AccessToken = {
    id: context.newId(),
    name,
    scope,
    hash: hashOf(token),
    personId: by?.id ?? null,
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + days * DAY_MS).toISOString(),
    usedAt: null,
  };
  const stored = await transact(context.db, async (trx) => {
    // Else a removal that comes between would leave this token behind.
    if (by !== null && !(await holdPerson(trx, by.id))) return "gone";
    const inserted = await insertAccessToken(trx, made);
    if (inserted === "taken") return inserted;
    await noteTeamAct(context, trx, { kind: "token_made", id: made.id, name, detail: scope });
    await tellTokensChanged(context, trx);
    return inserted;
  });
  context.newFacts.notify();
  if (stored === "gone") return err(noPerson(by?.email ?? ""));
  return stored === "taken" ? err(nameTaken(name)) : ok({ ...made, token });
}

/** The oldest first; also those that have expired. */
export async function listTokens(
  context: Uses<"db">,
  by: KnownAccess | null,
): Promise<Result<readonly AccessToken[], Refusal>> {
  return ok(await ownTokens(context, by));
}

/** An admin, and the owner of the machine, see all. A person sees theirs, and the token of nobody sees itself. */
async function ownTokens(context: Uses<"db">, by: KnownAccess | null): Promise<readonly AccessToken[]> {
  const all = await listAccessTokens(context.db.reader);
  if (by === null || by.scope === "admin") return all;
  const { id, person } = by;
  return all.filter((token) => (person === null ? token.id === id : token.personId === person.id));
}

/** By its name, its id or a unique prefix of the id. Answers with what it was; from then on it opens nothing. */
export async function removeToken(
  context: NoteContext & Uses<"db" | "newFacts">,
  named: string,
  by: KnownAccess | null,
): Promise<Result<AccessToken, Refusal>> {
  const all = await ownTokens(context, by);
  const fitting = all.filter(({ id }) => named !== "" && id.startsWith(named));
  const [found, ...others] =
    [all.filter(({ id, name }) => name === named || id === named), fitting].find((some) => some.length > 0) ??
    [];
  if (found === undefined) return err(noToken(named));
  if (others.length > 0) return err(ambiguous(named, [found, ...others]));
  const removed = await transact(context.db, async (trx) => {
    const was = await deleteAccessToken(trx, found.id);
    if (was === null) return null;
    await noteTeamAct(context, trx, { kind: "token_removed", id: was.id, name: was.name });
    await tellTokensChanged(context, trx);
    return was;
  });
  context.newFacts.notify();
  return removed === null ? err(noToken(named)) : ok(removed);
}

/** The token with this text, also if it has expired. Null if it is none of ours. Its use is noted. A person's never does more than they may. */
export async function recognizeToken(
  context: Uses<"db" | "clock" | "reportFault">,
  text: string,
): Promise<KnownAccess | null> {
  if (!SHAPE.test(text)) return null;
  const found = await findAccessToken(context.db.reader, hashOf(text));
  if (found === null) return null;
  const now = context.clock.now().getTime();
  const isNoted = found.usedAt !== null && now - Date.parse(found.usedAt) < NOTED_MS;
  if (!isNoted && Date.parse(found.expiresAt) > now)
    void noteTokenUse(context.db, { id: found.id, at: new Date(now).toISOString() }).catch((error) =>
      context.reportFault("noting the use of a token", error),
    );
  const { id, name, scope, expiresAt, person } = found;
  const isOrphan = found.personId !== null && person === null;
  if (isOrphan) return null;
  return { id, name, scope: person === null ? scope : withinRole(scope, person.role), expiresAt, person };
}

/** In the transaction that makes or removes one. */
export function tellTokensChanged(context: Uses<"clock">, trx: WriteTransaction): Promise<unknown> {
  const ids = { taskId: null, attemptId: null, runId: null };
  return appendFact(trx, { at: context.clock.iso(), kind: "tokens.changed", ...ids, data: {} });
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function nameTaken(name: string): Refusal {
  return refuse("conflict", "token_name_taken", `Another token has the name "${name}".`, {
    remedy: `Choose another name, or remove that one first with \`tazuna token remove\`.`,
    details: { name },
  });
}

/** They were removed while they asked. */
function noPerson(email: string): Refusal {
  return refuse("not_found", "not_found", `${email} is not let in here any more.`, {
    remedy: "Ask an admin, who lets you in again with `tazuna people role`.",
    details: { id: email },
  });
}

function noToken(named: string): Refusal {
  return refuse("not_found", "not_found", `No token has the name or the id "${named}".`, {
    remedy: "`tazuna token` shows both; any unique prefix of the id will do.",
    details: { id: named },
  });
}

function ambiguous(named: string, tokens: readonly AccessToken[]): Refusal {
  return refuse("bad_request", "ambiguous_id", `"${named}" fits several tokens.`, {
    remedy: `Name one of them by its id: ${tokens.map(({ id }) => id).join(" or ")}.`,
    details: { candidates: tokens.map(({ id }) => ({ type: "token", id })) },
  });
}
