/** Computes what Postgres stores of a password (RFC 5803): no statement and no log then holds the password. */
import { createHash, createHmac, pbkdf2Sync } from "node:crypto";

/** The number that Postgres takes itself. The password is random, so that more would add nothing. */
const ITERATIONS = 4_096;
const KEY_BYTES = 32;

export function scramVerifier(password: string, salt: Uint8Array): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, "sha256");
  const keyOf = (what: string) => createHmac("sha256", salted).update(what).digest();
  const stored = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  const server = keyOf("Server Key").toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${Buffer.from(salt).toString("base64")}$${stored}:${server}`;
}
