/** Declares what an identity provider does for us: it sends a person back who has proven to it who they are. */
import type { Result } from "neverthrow";
import type { Identity } from "../domain/access/person.ts";

export interface IdentityProvider {
  /** What people call it by, such as `accounts.example.com`. */
  readonly host: string;
  /** The page of the provider that a browser is sent to. */
  begin(entry: Proofs & { readonly redirectUri: string }): Promise<Result<string, ProviderError>>;
  /** Who came back. `callback` is the address that the browser came back to, as browsers type it. */
  redeem(entry: Proofs & { readonly callback: string }): Promise<Result<Identity, ProviderError>>;
}

/** Made for one entry. They prove that its end belongs to its beginning. */
export interface Proofs {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE: the provider gets its hash first, and itself with the code. */
  readonly verifier: string;
}

/**
 * `away`: it does not answer. `denied`: the person or the provider said no. `refused`: what came back proves nothing.
 * `nameless`: it tells no e-mail address.
 */
export interface ProviderError {
  readonly kind: "away" | "denied" | "refused" | "nameless";
  /** For the log; it holds no secret. */
  readonly detail: string;
}
