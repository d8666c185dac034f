/** Reads the certificate of a server and its key, and refuses a pair that no browser could use. */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import type { CliError } from "../../cli/shared/cli-options.ts";

export interface Certificate {
  /** Both as PEM. */
  readonly cert: string;
  readonly key: string;
  /** The host names and addresses that it is made for; patterns such as `*.example.com` are left out. */
  readonly names: readonly string[];
}

/** Absolute paths of PEM files. */
export async function readCertificate(files: {
  readonly cert: string;
  readonly key: string;
}): Promise<Result<Certificate, CliError>> {
  const cert = await textOf(files.cert);
  if (cert === null) return err(refused(`${files.cert} cannot be read`, "--tls-cert"));
  const key = await textOf(files.key);
  if (key === null) return err(refused(`${files.key} cannot be read`, "--tls-key"));
  const first = parsed(() => new X509Certificate(cert));
  if (first === null) return err(refused(`${files.cert} holds no certificate as PEM`, "--tls-cert"));
  const secret: KeyObject | null = parsed(() => createPrivateKey(key));
  if (secret === null)
    return err(refused(`${files.key} holds no private key as PEM, or one with a passphrase`, "--tls-key"));
  if (!first.checkPrivateKey(secret))
    return err(refused(`${files.key} is not the key of ${files.cert}`, "--tls-key"));
  const now = Date.now();
  if (now < Date.parse(first.validFrom) || now > Date.parse(first.validTo))
    return err(
      refused(`${files.cert} holds from ${first.validFrom} until ${first.validTo} only`, "--tls-cert"),
    );
  return ok({ cert, key, names: namesOf(first) });
}

function namesOf({ subjectAltName }: X509Certificate): readonly string[] {
  return (subjectAltName ?? "").split(", ").flatMap((part) => {
    const name = /^(?:DNS|IP Address):([^*\s]+)$/.exec(part)?.[1]?.toLowerCase();
    return name === undefined ? [] : [name];
  });
}

function textOf(file: string): Promise<string | null> {
  return readFile(file, "utf8").catch(() => null);
}

function parsed<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}

function refused(why: string, flag: string): CliError {
  return {
    exit: 2,
    code: "bad_certificate",
    message: `${why}: nothing was started.`,
    remedy: `Name another file with \`${flag}\`; both files are PEM, and the certificate stands first in its file.`,
    details: {},
  };
}
