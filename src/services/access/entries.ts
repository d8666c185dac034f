/** Lets people in through an identity provider: sends them there, and signs them in when they come back. */
import { createHash, randomBytes } from "node:crypto";
import { err, ok, type Result } from "neverthrow";
import { type EntryRules, type Identity, standingAtEntry } from "../../domain/access/person.ts";
import type { IdentityProvider, Proofs, ProviderError } from "../../identity/provider.ts";
import { findPersonBySubject, insertPerson, notePersonSeen } from "../../storage/access/people.ts";
import {
  forgetSignInFlows,
  insertSignInFlow,
  knowsSignInFlow,
  takeSignInFlow,
} from "../../storage/access/sign-in-flows.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { transact } from "../../storage/transact.ts";
import type { BegunEntry, EndedEntry, EntryRefusal, NewCookie } from "../core/access-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { sha256 } from "./cookie-secret.ts";
import { noteStanding, tellPeopleChanged } from "./people.ts";
import { addBrowser, type EntryContext } from "./sign-in.ts";
import { noteTeamAct } from "./team-acts.ts";

const LIFE_MS = 10 * 60_000;
const MAX_FLOWS = 10_000;
const SECRET_BYTES = 32;

/** The secret goes into a cookie of this browser: an address that somebody else began leads nowhere. */
export async function beginEntry(
  context: Uses<"db" | "reportFault">,
  provider: IdentityProvider,
  { redirectUri, returnTo }: { readonly redirectUri: string; readonly returnTo: string },
): Promise<Result<BegunEntry, EntryRefusal>> {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const url = await provider.begin({ ...proofsOf(secret), redirectUri });
  if (url.isErr()) return err(providerRefusal(context, provider, url.error));
  const flow = { hash: sha256(secret), returnTo };
  await transact(context.db, (trx) => insertSignInFlow(trx, flow, { lifeMs: LIFE_MS, most: MAX_FLOWS }));
  return ok({ url: url.value, secret, lifeMs: LIFE_MS });
}

/** Also if nobody begins one any more. The login of a worker that joined may not, and its server does it. */
export async function forgetEntries({ db, postgresAddress }: Uses<"db" | "postgresAddress">): Promise<void> {
  if (db.kind === "sqlite" || postgresAddress !== null) await forgetSignInFlows(db);
}

/** What came back counts once: it is used up before the provider is asked about it. */
export async function endEntry(
  context: EntryContext & Uses<"reportFault">,
  provider: IdentityProvider,
  { secret, callback, rules, browser }: EndedEntry,
): Promise<Result<NewCookie & { readonly returnTo: string }, EntryRefusal>> {
  const hash = sha256(secret);
  // Anybody may send secrets: a wrong one must not keep writers waiting.
  const isKnown = await knowsSignInFlow(context.db.reader, hash);
  const flow = isKnown ? await transact(context.db, (trx) => takeSignInFlow(trx, hash)) : null;
  if (flow === null) return err(ENTRY_EXPIRED);
  const identity = await provider.redeem({ ...proofsOf(secret), callback });
  if (identity.isErr()) return err(providerRefusal(context, provider, identity.error));
  const entered = await transact(context.db, async (trx) => {
    const person = await admit(context, trx, { identity: identity.value, rules });
    if (person.isErr()) return err(person.error);
    return ok(await addBrowser(context, trx, { ...browser, personId: person.value }));
  });
  context.newFacts.notify();
  return entered.map((cookie) => ({ ...cookie, returnTo: flow.returnTo }));
}

/** All three follow from the one secret, so no other one has to be kept. */
function proofsOf(secret: string): Proofs {
  const made = (what: string) => createHash("sha256").update(`${what} ${secret}`).digest("base64url");
  return { state: made("state"), nonce: made("nonce"), verifier: made("verifier") };
}

/** Answers with the id of who it is. */
async function admit(
  context: EntryContext,
  trx: WriteTransaction,
  { identity, rules }: { readonly identity: Identity; readonly rules: EntryRules },
): Promise<Result<string, EntryRefusal>> {
  const known = await findPersonBySubject(trx, identity);
  if (known !== null && known.removedAt !== null) return err(personRemoved(identity.email));
  const standing = standingAtEntry(identity, known, rules);
  if (standing === null) return err(notAdmitted(identity.email));
  const id = known?.id ?? context.newId();
  if (known === null) await addPerson(context, trx, { ...identity, ...standing, id });
  else await notePersonSeen(trx, { ...identity, ...standing, id });
  if (known !== null && known.role !== standing.role)
    await noteStanding(context, trx, { ...identity, ...standing, id });
  await tellPeopleChanged(context, trx);
  return ok(id);
}

/** Nobody lets them in but the rules of this server: they are the one who acts. */
async function addPerson(
  context: EntryContext,
  trx: WriteTransaction,
  person: Parameters<typeof insertPerson>[1],
): Promise<void> {
  await insertPerson(trx, person);
  const { id, email: name, role: detail } = person;
  const themselves = { ...context, actor: { kind: "person", id, name } } as const;
  await noteTeamAct(themselves, trx, { kind: "person_entered", id, name, detail });
}

const ENTRY_EXPIRED: EntryRefusal = {
  message: "This sign-in took too long, was used before, or began in another browser.",
  remedy: "Begin again.",
};

function personRemoved(email: string): EntryRefusal {
  return {
    message: `${email} may not enter any more.`,
    remedy: `Ask an admin, who lets you in again with \`tazuna people role ${email} viewer\`.`,
  };
}

function notAdmitted(email: string): EntryRefusal {
  return {
    message: `${email} may not enter here.`,
    remedy: "Sign in with another account, or ask an admin which addresses this server lets in.",
  };
}

const SAID: Readonly<Record<ProviderError["kind"], readonly [message: string, remedy: string]>> = {
  away: ["does not answer as it should", "Try again soon. The details are in the log of the server."],
  denied: ["did not let you in", "Begin again, and agree to share your e-mail address."],
  refused: [
    "sent an answer that proves nothing",
    "Begin again. If it happens each time, the details are in the log of the server.",
  ],
  nameless: [
    "does not tell your e-mail address",
    "An admin of the provider has to allow the scope `email` for this server.",
  ],
};

/** What went wrong at the provider is for who runs the server: it goes into the log. */
function providerRefusal(
  context: Uses<"reportFault">,
  { host }: IdentityProvider,
  { kind, detail }: ProviderError,
): EntryRefusal {
  if (kind !== "denied") context.reportFault(`signing in with ${host}`, detail);
  const [message, remedy] = SAID[kind];
  return { message: `${host} ${message}.`, remedy };
}
