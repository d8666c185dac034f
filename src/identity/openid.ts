/** Speaks OpenID Connect with one issuer; the library judges signature, issuer, audience and nonce. */
import { err, ok, type Result } from "neverthrow";
import type { Configuration, IDToken, UserInfoResponse } from "openid-client";
import type { Identity } from "../domain/access/person.ts";
import type { IdentityProvider, Proofs, ProviderError } from "./provider.ts";

interface OpenIdOptions {
  readonly issuer: URL;
  readonly clientId: string;
  /** Null for a client that has none. */
  readonly secret: string | null;
}

/** Seconds that the issuer has for each answer. */
const TIMEOUT_S = 10;
const SCOPE = "openid email profile";

/** Nothing is asked before somebody signs in, so a server starts also while its issuer is away. */
export function openIdProvider(options: OpenIdOptions): IdentityProvider {
  let known: Configuration | null = null;
  const configuration = async () => {
    known ??= await discover(options);
    return known;
  };
  return {
    host: options.issuer.host,
    begin: (entry) => judged(async () => ok(await begin(await configuration(), entry))),
    redeem: (entry) => judged(async () => redeem(await configuration(), entry)),
  };
}

// The library is loaded when somebody signs in: most commands never need it.
const library = () => import("openid-client");

async function discover({ issuer, clientId, secret }: OpenIdOptions): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretBasic, discovery, enableNonRepudiationChecks, None } =
    await library();
  const login = secret === null ? None() : ClientSecretBasic(secret);
  return discovery(issuer, clientId, undefined, login, {
    timeout: TIMEOUT_S,
    // By default a token that came over TLS is not checked for its signature.
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === "http:" ? [allowInsecureRequests] : [])],
  });
}

async function begin(
  configuration: Configuration,
  { state, nonce, verifier, redirectUri }: Proofs & { readonly redirectUri: string },
): Promise<string> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
  return buildAuthorizationUrl(configuration, {
    ...{ redirect_uri: redirectUri, scope: SCOPE, state, nonce },
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).href;
}

async function redeem(
  configuration: Configuration,
  { state, nonce, verifier, callback }: Proofs & { readonly callback: string },
): Promise<Result<Identity, ProviderError>> {
  const { authorizationCodeGrant, fetchUserInfo } = await library();
  const tokens = await authorizationCodeGrant(configuration, new URL(callback), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) return err({ kind: "refused", detail: "there is no ID token" });
  // Some issuers tell an address only to who asks for it.
  const said =
    typeof claims.email !== "string" && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {};
  return identityOf({ ...said, ...claims });
}

function identityOf(claims: IDToken & Partial<UserInfoResponse>): Result<Identity, ProviderError> {
  const { iss, sub, email, email_verified: verified, name } = claims;
  const plain = typeof email === "string" ? email.trim().toLowerCase() : "";
  if (!ADDRESS.test(plain)) return err({ kind: "nameless", detail: "there is no e-mail address" });
  return ok({
    ...{ issuer: iss, subject: sub, email: plain, emailVerified: verified === true },
    name: typeof name === "string" ? name.slice(0, MAX_NAME) : "",
  });
}

/** Visible signs of ASCII: no address looks like another one. */
const ADDRESS = /^[!-?A-~]{1,190}@[!-?A-~]{1,190}$/;
const MAX_NAME = 200;

async function judged<T>(act: () => Promise<Result<T, ProviderError>>): Promise<Result<T, ProviderError>> {
  try {
    return await act();
  } catch (error) {
    return err(errorOf(error));
  }
}

/** What the library throws. It has a `code`; a lost connection, which the runtime throws, has none of these. */
function errorOf(thrown: unknown): ProviderError {
  const { code = "", error = "", message = "", status = 0 } = thrown as Partial<ThrownByLibrary>;
  const detail = [message, error].filter((part) => part !== "").join(": ");
  if (error === "access_denied") return { kind: "denied", detail };
  const isJudged = code.startsWith("OAUTH_") && !AWAY.includes(code) && status < 500;
  return { kind: isJudged ? "refused" : "away", detail };
}

const AWAY = ["OAUTH_TIMEOUT", "OAUTH_ABORT"];

interface ThrownByLibrary {
  readonly code: string;
  readonly error: string;
  readonly message: string;
  readonly status: number;
}
