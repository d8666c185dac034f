/** Makes the secrets of cookies, and finds by which hash a browser is stored. */
import { createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;
/**
 * In front of the secret of a person's browser. Programs that know no people refuse such a secret: they would let it do
 * everything.
 */
const OF_PERSON = "p.";
const SECRET = /^(?:p\.)?[\w-]{43}$/;

export function newSecret(isOfPerson: boolean): string {
  return (isOfPerson ? OF_PERSON : "") + randomBytes(SECRET_BYTES).toString("base64url");
}

/** Null if no secret of ours can have this text. */
export function secretHash(text: string): string | null {
  return SECRET.test(text) ? sha256(text) : null;
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
