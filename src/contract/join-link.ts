/** Reads the address by which a worker joins: `https://HOST/join/SECRET`. */
import { isLoopbackHost } from "../domain/worker/worker-address.ts";

const PATH = /^\/join\/(tzj_[\w-]{43})$/;

export interface JoinLink {
  /** Such as `https://tazuna.example`. */
  readonly origin: string;
  readonly secret: string;
}

/** `insecure`: its secret, and the password in the answer, would be read on the way. */
export function readJoinLink(text: string): JoinLink | "unreadable" | "insecure" {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  const secret = PATH.exec(url?.pathname ?? "")?.[1];
  if (url === null || secret === undefined) return "unreadable";
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname)))
    return { origin: url.origin, secret };
  return url.protocol === "http:" ? "insecure" : "unreadable";
}
