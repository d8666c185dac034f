/** Signs browsers in: gives out codes that work once, and makes the secret of a cookie for one of them. */
import { randomBytes } from "node:crypto";
import { browserName } from "../../domain/access/browser.ts";
import type { KnownPerson } from "../../domain/access/person.ts";
import { findBrowser, insertBrowser, signOut } from "../../storage/access/browsers.ts";
import { insertSignInCode, knowsSignInCode, takeSignInCode } from "../../storage/access/sign-in-codes.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { transact } from "../../storage/transact.ts";
import type { NewCookie, SignIn, SignInCodes } from "../core/access-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { tellBrowsersChanged } from "./browsers.ts";
import { newSecret, secretHash, sha256 } from "./cookie-secret.ts";

const CODE_LIFE_MS = 10 * 60_000;
const MAX_CODES = 100;
const LINKED_BYTES = 24;
/** In base64url. */
const LINKED_LENGTH = (LINKED_BYTES / 3) * 4;
/** Twelve signs of these, none of which is easily taken for another: 60 random bits. */
const TYPED_SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const TYPED_LENGTH = 12;

const SIGNED_IN_MS = 30 * 24 * 3_600_000;
const MAX_BROWSERS = 1_000;

/** What is stored are hashes, until one of both is used or ten minutes are over. */
export async function issueSignInCodes({ db }: Uses<"db">, by: KnownPerson | null): Promise<SignInCodes> {
  const linked = randomBytes(LINKED_BYTES).toString("base64url");
  const typed = [...randomBytes(TYPED_LENGTH)].map((byte) => TYPED_SIGNS[byte % TYPED_SIGNS.length]).join("");
  const code = { linked: sha256(linked), typed: sha256(typed), personId: by?.id ?? null };
  await transact(db, (trx) => insertSignInCode(trx, code, { lifeMs: CODE_LIFE_MS, most: MAX_CODES }));
  return { linked, typed };
}

/** The only one who is told the secret is the browser: what is stored is its hash. */
export async function signIn(context: EntryContext, { code, ...browser }: SignIn): Promise<NewCookie | null> {
  const hash = codeHash(code);
  // Anybody may send codes: a wrong one must not keep writers waiting.
  if (hash === null || !(await knowsSignInCode(context.db.reader, hash))) return null;
  const cookie = await transact(context.db, async (trx) => {
    const taken = await takeSignInCode(trx, hash);
    return taken === null ? null : addBrowser(context, trx, { ...browser, personId: taken.personId });
  });
  context.newFacts.notify();
  return cookie;
}

export type EntryContext = Uses<"db" | "clock" | "newId" | "owner" | "newFacts">;

/** In the transaction that lets it in. What it had before is signed out. */
export async function addBrowser(
  context: EntryContext,
  trx: WriteTransaction,
  { userAgent, replaces, personId }: Omit<SignIn, "code"> & { readonly personId: string | null },
): Promise<NewCookie> {
  const secret = newSecret(personId !== null);
  const before = replaces === null ? null : secretHash(replaces);
  const replaced = before === null ? null : await findBrowser(trx, before);
  if (replaced !== null) await signOut(trx, [replaced.id]);
  await insertBrowser(
    trx,
    {
      id: context.newId(),
      hash: sha256(secret),
      userAgent: browserName(userAgent),
      personId,
      workerId: context.owner,
    },
    { lifeMs: SIGNED_IN_MS, most: MAX_BROWSERS },
  );
  await tellBrowsersChanged(context, trx);
  return { secret, lifeMs: SIGNED_IN_MS };
}

/** Null if no code can have this text: then it is not looked for. */
function codeHash(text: string): string | null {
  if (text.length === LINKED_LENGTH) return sha256(text);
  const typed = text.replaceAll("-", "").toUpperCase();
  return typed.length === TYPED_LENGTH ? sha256(typed) : null;
}
