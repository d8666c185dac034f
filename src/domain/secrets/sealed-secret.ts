/** Knows the values of a SealedSecret of Kubernetes: only its cluster can decrypt them. */
import { textBefore } from "./shape.ts";

const SEALED = "encryptedData";
const MAX_SEALED_LENGTH = 16_000;

/** Whether it is a value of a SealedSecret: in the same JSON map, or in lines indented below its name. */
export function isSealedSecret(text: string, at: number): boolean {
  const before = textBefore(text, at, MAX_SEALED_LENGTH);
  const from = before.lastIndexOf(SEALED);
  if (from < 0) return false;
  const map = before.slice(from + SEALED.length);
  if (/^["\\]{0,5}\s*:\s*\{[^{}]*$/.test(map)) return true;
  const inset = from - before.lastIndexOf("\n", from) - 1;
  const lines = map.split("\n").slice(1);
  return lines.length > 0 && lines.every((line) => line.search(/\S|$/) > inset || line.trim() === "");
}
