/** Lists, makes and removes the access tokens of programs. */
import { err } from "neverthrow";
import type { AccessTokenDocument } from "../../../contract/endpoints/access.ts";
import { SCOPES } from "../../../contract/endpoints/endpoint.ts";
import { wordArgument } from "../../shared/checked-value.ts";
import { badUsage } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import { defineCommand, type Outcome, optionalArgument, parsedFlag } from "../../shared/command.ts";
import type { Engine } from "../../shared/engine.ts";
import { shortId } from "../../shared/resolve-id.ts";
import { tableText } from "../../view/table.ts";

export const tokenCommand = defineCommand({
  brief: "List the access tokens of programs; `add` makes one and prints it once, `remove` removes one",
  args: [
    {
      ...wordArgument("add|remove", "What to do instead of listing them", ["add", "remove"]),
      optional: true,
    },
    optionalArgument("NAME", "For people; letters, digits, dots, dashes and underscores"),
  ],
  flags: {
    scope: {
      kind: "enum",
      values: SCOPES,
      brief: "What a new one may do; each includes those before it (default: read)",
      optional: true,
    },
    days: parsedFlag(parseDays, "How long a new one opens something, at most 366 (default: 90)", "N"),
  },
  async act({ engine }, { scope, days }, action, name) {
    if (action !== "add" && (scope !== undefined || days !== undefined)) return err(ONLY_ADD);
    if (action === undefined) return list(engine);
    if (name === undefined || name.trim() === "") return err(nameMissing(action));
    if (action === "remove") return remove(engine, name);
    return add(engine, { name, scope: scope ?? "read", ...(days === undefined ? {} : { days }) });
  },
});

async function list(engine: Engine): Promise<Outcome> {
  const tokens = await engine.ask((client) => client.accessTokens());
  return tokens.map(({ items }) => ({
    document: { tokens: items },
    text: (columns) => (items.length === 0 ? "There are no tokens.\n" : listText(items, columns)),
  }));
}

async function add(
  engine: Engine,
  wanted: { readonly name: string; readonly scope: (typeof SCOPES)[number]; readonly days?: number },
): Promise<Outcome> {
  const made = await engine.ask((client) => client.addAccessToken(wanted));
  return made.map((document) => ({
    document,
    text: `${document.token}\nUntil ${document.expires_at} it may ${MAY[wanted.scope]}. It is not shown again.\n`,
  }));
}

async function remove(engine: Engine, named: string): Promise<Outcome> {
  const removed = await engine.ask((client) => client.removeAccessToken(named));
  return removed.map((document) => ({ document, text: `${document.name} opens nothing any more.\n` }));
}

const MAY = {
  read: "read",
  write: "read, start agents and steer them",
  publish: "read, start agents, steer them and publish",
  admin: "do everything",
} as const;

const ONLY_ADD = badUsage(
  "`--scope` and `--days` go with `token add` alone.",
  "`tazuna token --help` shows what it takes.",
);

function nameMissing(action: string): CliError {
  return badUsage(`\`token ${action}\` needs a name.`, "`tazuna token` shows those that there are.");
}

function parseDays(text: string): number {
  const days = Number(text);
  if (!/^\d+$/.test(text) || days < 1 || days > 366) throw new Error("a number from 1 to 366 is needed");
  return days;
}

function listText(tokens: readonly AccessTokenDocument[], columns: number): string {
  const now = new Date().toISOString();
  return tableText(
    ["NAME", "ID", "SCOPE", "EXPIRES", "LAST USED"],
    tokens.map(({ id, name, scope, expires_at, used_at }) => [
      name,
      shortId(id),
      scope,
      expires_at <= now ? `expired ${expires_at}` : expires_at,
      used_at ?? "never",
    ]),
    columns,
  );
}
