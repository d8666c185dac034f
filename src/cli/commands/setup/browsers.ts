/** Lists the browsers that are signed in, and signs one or all of them out. */
import { err } from "neverthrow";
import type { BrowserDocument } from "../../../contract/endpoints/access.ts";
import { cleanLine } from "../../../contract/text.ts";
import { wordArgument } from "../../shared/checked-value.ts";
import { badUsage } from "../../shared/cli-error.ts";
import { defineCommand, type Outcome, optionalArgument } from "../../shared/command.ts";
import type { Engine } from "../../shared/engine.ts";
import { shortId } from "../../shared/resolve-id.ts";
import { tableText } from "../../view/table.ts";

export const browsersCommand = defineCommand({
  brief: "List the browsers that are signed in; `sign-out` signs one out, or `--all` of them",
  args: [
    {
      ...wordArgument("list|sign-out", "What to do (default: list)", ["list", "sign-out"]),
      optional: true,
    },
    optionalArgument("ID", "Of the browser to sign out, as the list shows it"),
  ],
  flags: {
    all: { kind: "boolean", brief: "Sign all of them out", default: false, withNegated: false },
  },
  async act({ engine }, { all }, action = "list", id) {
    if (action === "list") return all || id !== undefined ? err(ONLY_OUT) : list(engine);
    if (all === (id !== undefined && id.trim() !== "")) return err(WHICH);
    return all ? signOutAll(engine) : signOut(engine, id ?? "");
  },
});

async function list(engine: Engine): Promise<Outcome> {
  const browsers = await engine.ask((client) => client.browsers());
  return browsers.map(({ items }) => ({
    document: { browsers: items },
    text: (columns) => (items.length === 0 ? "No browser is signed in.\n" : listText(items, columns)),
  }));
}

async function signOut(engine: Engine, id: string): Promise<Outcome> {
  const ended = await engine.ask((client) => client.signOutBrowser(id));
  return ended.map((document) => ({
    document,
    text: `${nameOf(document)} (${shortId(document.id)}) is signed out.\n`,
  }));
}

async function signOutAll(engine: Engine): Promise<Outcome> {
  const ended = await engine.ask((client) => client.signOutBrowsers());
  return ended.map(({ items }) => ({
    document: { signed_out: items },
    text: items.length === 0 ? "No browser was signed in.\n" : `Signed out: ${items.length}.\n`,
  }));
}

const ONLY_OUT = badUsage(
  "An id and `--all` go with `browsers sign-out` alone.",
  "`tazuna browsers --help` shows what it takes.",
);

const WHICH = badUsage(
  "`browsers sign-out` needs either an id or `--all`.",
  "`tazuna browsers` shows the ids.",
);

function nameOf({ user_agent }: BrowserDocument): string {
  return cleanLine(user_agent) || "A browser without a name";
}

function listText(browsers: readonly BrowserDocument[], columns: number): string {
  const onWorkers = browsers.some(({ worker }) => worker !== null);
  return tableText(
    ["ID", "BROWSER", "SINCE", "LAST SEEN", ...(onWorkers ? ["SIGNED IN AT"] : [])],
    browsers.map((browser) => [
      shortId(browser.id),
      nameOf(browser),
      browser.created_at,
      browser.last_seen_at,
      ...(onWorkers ? [cleanLine(browser.worker ?? "-")] : []),
    ]),
    columns,
  );
}
