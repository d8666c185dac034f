/** Runs the server in this terminal until it is told to stop. */
import { ok } from "neverthrow";
import { looksLikeAddress } from "../../../contract/clone-address.ts";
import { ROLES } from "../../../contract/endpoints/endpoint.ts";
import { parsePort } from "../../shared/checked-value.ts";
import { defineCommand, parsedFlag, switchFlag, textFlag, textsFlag } from "../../shared/command.ts";
import { readLabels } from "../../shared/labels.ts";
import { jsonText } from "../../shared/print.ts";

export const serveCommand = defineCommand({
  brief: "Run the server in this terminal until Ctrl-C",
  flags: {
    port: parsedFlag(parsePort, "The port; 0 takes a free one", "N"),
    host: textFlag("The address to listen on (default: this machine only)", "H"),
    tlsCert: textFlag("The certificate (PEM) with which browsers elsewhere are answered", "FILE"),
    tlsKey: textFlag("The private key (PEM) of that certificate", "FILE"),
    trustProxy: textsFlag("An address or network of a proxy that speaks https to browsers", "CIDR"),
    publicUrl: textFlag("The address that browsers type to reach that proxy", "URL"),
    oidcIssuer: textFlag("The identity provider (OpenID Connect) through which people enter", "URL"),
    oidcClient: textFlag("What that provider calls this server", "ID"),
    oidcClientSecretFile: textFlag("A file with the secret of that client, closed to others", "FILE"),
    oidcAdmins: parsedFlag(parseWords, "Addresses that enter as admins", "A@X,B@X"),
    oidcDomains: parsedFlag(parseWords, "Only addresses of these domains may enter", "X,Y"),
    oidcRole: {
      kind: "enum",
      values: ROLES,
      brief: "What others are at their first entry (default: viewer)",
      optional: true,
    },
    database: textFlag("Another database than the one in the data folder", "URL"),
    depot: textFlag("A folder or a git server for copies of unfinished work", "DIR|URL|none"),
    logs: textFlag("Where old logs go in object storage", "s3://BUCKET/PREFIX"),
    label: textsFlag("What this machine is good for; replaces those before (`none`: no label)", "LABEL"),
    open: switchFlag("Open the control room in the browser"),
    idleExit: parsedFlag(
      parseSeconds,
      "End by itself after so many seconds without work and without a client",
      "S",
    ),
  },
  async *act({ entries, terminal, json }, flags) {
    const { port, host, tlsCert, tlsKey, database, depot, logs, label } = flags;
    const { open, idleExit, trustProxy, publicUrl } = flags;
    const secretFile = flags.oidcClientSecretFile;
    const options = {
      port: port ?? null,
      host: host ?? null,
      tlsCert: tlsCert === undefined ? null : terminal.absolute(tlsCert),
      tlsKey: tlsKey === undefined ? null : terminal.absolute(tlsKey),
      trustProxy,
      publicUrl: publicUrl ?? null,
      oidc: {
        issuer: flags.oidcIssuer ?? null,
        clientId: flags.oidcClient ?? null,
        secretFile: secretFile === undefined ? null : terminal.absolute(secretFile),
        admins: flags.oidcAdmins ?? [],
        domains: flags.oidcDomains ?? [],
        firstRole: flags.oidcRole ?? null,
      },
      database: database ?? null,
      depot: depot === undefined ? null : isPath(depot) ? terminal.absolute(depot) : depot,
      logs: logs ?? null,
      labels: yield* readLabels(label),
      open,
      idleExitS: idleExit ?? null,
    };
    const served = await entries.serve(options, ({ url, link }) =>
      terminal.stdout.write(
        json
          ? jsonText({ url, link }, { oneLine: true })
          : `Tazuna serves ${url} and signs you in once with ${link}\n`,
      ),
    );
    return served.andThen(() => ok({}));
  },
});

function parseWords(text: string): readonly string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function isPath(depot: string): boolean {
  return depot !== "none" && !looksLikeAddress(depot);
}

function parseSeconds(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error("a whole number of seconds is needed");
  return Number(text);
}
