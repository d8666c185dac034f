/** Judges a value in a place where only a credential can be. */

import { isFake } from "./fake-values.ts";
import { isRealBasic, isRealSecret } from "./judge-value.ts";
import type { FoundShape } from "./shape.ts";
import { isRealWebToken } from "./web-token.ts";

/** If only a credential can be in this place, a shorter one counts too. */
const SHORT_HEX = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$/i;

/** A token of a header: a JSON web token, a name with a password, or a random value. */
export function isRealCredential(candidate: string, { match }: FoundShape): boolean {
  const [, payload, signature] = candidate.split(".");
  if (candidate.startsWith("eyJ") && payload !== undefined && signature !== undefined)
    return isRealWebToken(payload, signature);
  if (/basic\s/i.test(match[0])) return isRealBasic(candidate);
  return (
    isRealSecret(candidate) || ((isHexKey(candidate) || SHORT_HEX.test(candidate)) && !isFake(candidate))
  );
}

export function isHexKey(candidate: string): boolean {
  return /^[0-9a-f]{24,}(?:-[0-9a-f]{8,}){0,2}$/i.test(candidate) || isUuid(candidate);
}

function isUuid(candidate: string): boolean {
  return (
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(candidate) && !isFake(candidate.replaceAll("-", ""))
  );
}
