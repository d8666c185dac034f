/** Reads from the flags of `serve` through which identity provider people enter, and who may. */
import { readFile, stat } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import type { IdentityDoor } from "../../api/http/api-options.ts";
import { badUsage } from "../../cli/shared/cli-error.ts";
import type { CliError, OidcOptions } from "../../cli/shared/cli-options.ts";
import { isLoopback } from "../../domain/forge/token-hosts.ts";
import { openIdProvider } from "../../identity/openid.ts";

/** Null if no flag names a provider. The provider itself is not asked yet. */
export async function readIdentity(options: OidcOptions): Promise<Result<IdentityDoor | null, CliError>> {
  const { issuer, clientId, secretFile, admins, domains, firstRole } = options;
  const isAsked = [issuer, clientId, secretFile, firstRole].some((flag) => flag !== null);
  if (!isAsked && admins.length === 0 && domains.length === 0) return ok(null);
  if (issuer === null || clientId === null || clientId.trim() === "") return err(HALF);
  const url = issuerOf(issuer);
  if (url === null) return err(badIssuer(issuer));
  const odd = [
    ...admins.filter((admin) => !admin.includes("@")),
    ...domains.filter((one) => one.includes("@")),
  ];
  if (odd[0] !== undefined) return err(badAddress(odd[0]));
  const secret = secretFile === null ? ok(null) : await secretIn(secretFile);
  return secret.map((text) => ({
    provider: openIdProvider({ issuer: url, clientId, secret: text }),
    rules: { admins: small(admins), domains: small(domains), firstRole: firstRole ?? "viewer" },
  }));
}

function small(words: readonly string[]): readonly string[] {
  return words.map((word) => word.toLowerCase());
}

function issuerOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== "" || url.search !== "" || url.hash !== "") return null;
  const isPrivate = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  return isPrivate ? url : null;
}

/** One line. A file that others can read keeps no secret. */
async function secretIn(file: string): Promise<Result<string, CliError>> {
  const mode = await stat(file).then(
    (found) => found.mode,
    () => null,
  );
  if (mode !== null && (mode & 0o077) !== 0) return err(openSecret(file));
  const text = mode === null ? "" : (await readFile(file, "utf8").catch(() => "")).trim();
  return text === "" || /\s/.test(text) ? err(noSecret(file)) : ok(text);
}

const HALF = badUsage(
  "The flags of an identity provider need `--oidc-issuer` and `--oidc-client`.",
  "Name both: the address of the provider, and what it calls this server.",
);

function badIssuer(issuer: string): CliError {
  return badUsage(
    `--oidc-issuer ${JSON.stringify(issuer)} is not the address of a provider.`,
    "It begins with https://, as in `https://accounts.google.com`; http:// holds for this machine alone.",
  );
}

function badAddress(word: string): CliError {
  return badUsage(
    `${JSON.stringify(word)} does not fit.`,
    "`--oidc-admins` takes e-mail addresses, and `--oidc-domains` what stands behind their @, with commas between.",
  );
}

function openSecret(file: string): CliError {
  return badUsage(`Others on this machine can read ${file}.`, `Close it with \`chmod 600 ${file}\`.`);
}

function noSecret(file: string): CliError {
  return badUsage(
    `${file} holds no secret that could be read.`,
    "`--oidc-client-secret-file` names a file with the secret of the client alone.",
  );
}
