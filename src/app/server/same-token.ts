/** Compares two secrets in constant time, so that the time does not tell how much of them is the same. */
import { timingSafeEqual } from "node:crypto";

export function sameToken(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
