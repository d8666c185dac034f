/** What the worker that holds the one live stream of this browser tells its tabs. */
import type { FactDocument } from "@contract/endpoints/operations.ts";

export type StreamMessage =
  /** The stream is open. A document that is read from now on holds every fact up to here. */
  | { readonly kind: "open" }
  /** Likewise, but facts were left out: everything that is held is old. */
  | { readonly kind: "reset" }
  | { readonly kind: "fact"; readonly fact: FactDocument }
  /** The stream is being opened (again). */
  | { readonly kind: "down" }
  /** It cannot be opened, such as without a session. */
  | { readonly kind: "refused"; readonly code: string };
