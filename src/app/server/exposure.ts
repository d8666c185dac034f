/** Decides from the flags of `serve` how far a server is reached: from this machine, or from elsewhere (ADR 0070). */
import { err, ok, type Result } from "neverthrow";
import { badUsage } from "../../cli/shared/cli-error.ts";
import type { CliError, ServeOptions } from "../../cli/shared/cli-options.ts";
import { type Certificate, readCertificate } from "./certificate.ts";
import { type Networks, parseNetworks } from "./networks.ts";

/** `tls`: it answers by its own certificate. `proxy`: only a trusted proxy in front of it is answered. */
export type Exposure =
  | { readonly kind: "loopback"; readonly host: string }
  | { readonly kind: "tls"; readonly host: string; readonly certificate: Certificate }
  | {
      readonly kind: "proxy";
      readonly host: string;
      readonly proxies: Networks;
      /** What browsers type, such as `https://tazuna.example.com`. */
      readonly publicOrigin: URL;
    };

export const LOOPBACK = "127.0.0.1";
/** The addresses that mean all of a machine's own. */
export const EVERY_ADDRESS: readonly string[] = ["0.0.0.0", "::"];

type ExposureOptions = Pick<ServeOptions, "host" | "tlsCert" | "tlsKey" | "trustProxy" | "publicUrl">;

/** Nothing is started by it. */
export async function readExposure(options: ExposureOptions): Promise<Result<Exposure, CliError>> {
  const { tlsCert, tlsKey, trustProxy, publicUrl } = options;
  const host = options.host ?? LOOPBACK;
  const wantsTls = tlsCert !== null || tlsKey !== null;
  const wantsProxy = trustProxy.length > 0 || publicUrl !== null;
  if (host.trim() === "") return err(badUsage("--host is empty.", "Name an address, or leave it out."));
  if (wantsTls && wantsProxy) return err(BOTH);
  if (wantsTls) return tlsCert === null || tlsKey === null ? err(HALF_TLS) : byTls(host, { tlsCert, tlsKey });
  if (wantsProxy)
    return publicUrl === null || trustProxy.length === 0
      ? err(HALF_PROXY)
      : byProxy(host, { publicUrl, trustProxy });
  return isLoopback(host) ? ok({ kind: "loopback", host }) : err(notLoopback(host));
}

function isLoopback(host: string): boolean {
  return host === LOOPBACK || host === "localhost" || host === "::1";
}

async function byTls(
  host: string,
  files: { readonly tlsCert: string; readonly tlsKey: string },
): Promise<Result<Exposure, CliError>> {
  const certificate = await readCertificate({ cert: files.tlsCert, key: files.tlsKey });
  if (certificate.isErr()) return err(certificate.error);
  if (EVERY_ADDRESS.includes(host) && certificate.value.names.length === 0) return err(nameless(host));
  return ok({ kind: "tls", host, certificate: certificate.value });
}

function byProxy(
  host: string,
  flags: { readonly publicUrl: string; readonly trustProxy: readonly string[] },
): Result<Exposure, CliError> {
  const proxies = parseNetworks(flags.trustProxy);
  if (proxies.isErr()) return err(badNetwork(proxies.error));
  const url = URL.canParse(flags.publicUrl) ? new URL(flags.publicUrl) : null;
  if (url === null || url.protocol !== "https:" || url.href !== `${url.origin}/`) return err(BAD_PUBLIC_URL);
  return ok({ kind: "proxy", host, proxies: proxies.value, publicOrigin: url });
}

function notLoopback(host: string): CliError {
  return {
    exit: 2,
    code: "not_loopback",
    message: `Without TLS or a trusted proxy Tazuna listens on this machine only, not on ${host}.`,
    remedy:
      "Leave out `--host`, and use a tunnel (`ssh -L`). Or add `--tls-cert` with `--tls-key`, or `--trust-proxy` with `--public-url`.",
    details: { host },
  };
}

function nameless(host: string): CliError {
  return badUsage(
    `The certificate names no host, so that it is not known which names ${host} is called by.`,
    "Name the host with `--host`, or use a certificate with the names in it.",
  );
}

function badNetwork(word: string): CliError {
  return badUsage(
    `--trust-proxy ${JSON.stringify(word)} is not a network of proxies.`,
    "Name an address or a network, such as 10.0.0.7 or 10.0.0.0/24; one that holds every address is refused.",
  );
}

const BOTH = badUsage(
  "TLS of its own and a trusted proxy exclude each other.",
  "Leave out `--trust-proxy` and `--public-url`, or leave out `--tls-cert` and `--tls-key`.",
);

const HALF_TLS = badUsage(
  "--tls-cert and --tls-key belong together.",
  "Name both files: the certificate and its private key.",
);

const HALF_PROXY = badUsage(
  "--trust-proxy and --public-url belong together.",
  "Name both: the network of the proxy, and the address that browsers type.",
);

const BAD_PUBLIC_URL = badUsage(
  "--public-url is not an address that browsers can be sent to.",
  "It begins with https:// and holds a host, and a port if need be: no path, and no user.",
);
