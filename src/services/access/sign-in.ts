/** Signs browsers in: gives out codes that work once, and makes the secret of a cookie for one of them. */
import { createHash, randomBytes } from "node:crypto";
import { browserName } from "../../domain/access/browser.ts";
import { findBrowser, insertBrowser, signOut } from "../../storage/access/browsers.ts";
import { insertSignInCode, knowsSignInCode, takeSignInCode } from "../../storage/access/sign-in-codes.ts";
import { transact } from "../../storage/transact.ts";
import type { NewCookie, SignIn, SignInCodes } from "../core/access-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { secretHash, tellBrowsersChanged } from "./browsers.ts";

const CODE_LIFE_MS = 10 * 60_000;
const MAX_CODES = 100;
const LINKED_BYTES = 24;
/** In base64url. */
const LINKED_LENGTH = (LINKED_BYTES / 3) * 4;
/** Twelve signs of these, none of which is easily taken for another: 60 random bits. */
const TYPED_SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const TYPED_LENGTH = 12;

const SECRET_BYTES = 32;
const SIGNED_IN_MS = 30 * 24 * 3_600_000;
const MAX_BROWSERS = 1_000;

/** What is stored are hashes, until one of both is used or ten minutes are over. */
export async function issueSignInCodes({ db }: Uses<"db">): Promise<SignInCodes> {
  const linked = randomBytes(LINKED_BYTES).toString("base64url");
  const typed = [...randomBytes(TYPED_LENGTH)].map((byte) => TYPED_SIGNS[byte % TYPED_SIGNS.length]).join("");
  const code = { linked: sha256(linked), typed: sha256(typed) };
  await transact(db, (trx) => insertSignInCode(trx, code, { lifeMs: CODE_LIFE_MS, most: MAX_CODES }));
  return { linked, typed };
}

/** The only one who is told the secret is the browser: what is stored is its hash. */
export async function signIn(
  context: Uses<"db" | "clock" | "newId" | "owner" | "newFacts">,
  { code, userAgent, replaces }: SignIn,
): Promise<NewCookie | null> {
  const { db } = context;
  const hash = codeHash(code);
  // Anybody may send codes: a wrong one must not keep writers waiting.
  if (hash === null || !(await knowsSignInCode(db.reader, hash))) return null;
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const browser = {
    id: context.newId(),
    hash: sha256(secret),
    userAgent: browserName(userAgent),
    workerId: context.owner,
  };
  const before = replaces === null ? null : secretHash(replaces);
  const isSignedIn = await transact(db, async (trx) => {
    if (!(await takeSignInCode(trx, hash))) return false;
    const replaced = before === null ? null : await findBrowser(trx, before);
    if (replaced !== null) await signOut(trx, [replaced.id]);
    await insertBrowser(trx, browser, { lifeMs: SIGNED_IN_MS, most: MAX_BROWSERS });
    await tellBrowsersChanged(context, trx);
    return true;
  });
  context.newFacts.notify();
  return isSignedIn ? { secret, lifeMs: SIGNED_IN_MS } : null;
}

/** Null if no code can have this text: then it is not looked for. */
function codeHash(text: string): string | null {
  if (text.length === LINKED_LENGTH) return sha256(text);
  const typed = text.replaceAll("-", "").toUpperCase();
  return typed.length === TYPED_LENGTH ? sha256(typed) : null;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
