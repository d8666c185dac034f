/** Lists the people who signed in through the identity provider, gives them roles, and removes them. */
import { err } from "neverthrow";
import type { PersonDocument } from "../../../contract/endpoints/access.ts";
import { ROLES, type Role } from "../../../contract/endpoints/endpoint.ts";
import { cleanLine, shellWord } from "../../../contract/text.ts";
import { wordArgument } from "../../shared/checked-value.ts";
import { badUsage } from "../../shared/cli-error.ts";
import { defineCommand, type Outcome, optionalArgument, switchFlag } from "../../shared/command.ts";
import type { Engine } from "../../shared/engine.ts";
import { shortId } from "../../shared/resolve-id.ts";
import { tableText } from "../../view/table.ts";

export const peopleCommand = defineCommand({
  brief: "List who signed in through the provider; `role` gives a role, `remove` removes somebody",
  args: [
    {
      ...wordArgument("list|role|remove", "What to do (default: list)", ["list", "role", "remove"]),
      optional: true,
    },
    optionalArgument("EMAIL", "Of a person, or their id"),
    { ...wordArgument("ROLE", `With \`role\`: ${ROLES.join(", ")}`, ROLES), optional: true },
  ],
  flags: { yes: switchFlag("With `remove`: do it") },
  async act({ engine }, { yes }, action = "list", email, role) {
    if (yes && action !== "remove") return err(ONLY_REMOVE);
    if (action === "list") return email === undefined ? list(engine) : err(ONLY_ALONE);
    if (email === undefined || email.trim() === "") return err(WHO);
    if (action === "role") return role === undefined ? err(WHICH) : giveRole(engine, email, role);
    if (role !== undefined) return err(ONLY_ROLE);
    return yes ? remove(engine, email) : wouldRemove(engine, email);
  },
});

async function list(engine: Engine): Promise<Outcome> {
  const people = await engine.ask((client) => client.people());
  return people.map(({ items }) => ({
    document: { people: items },
    text: (columns) => (items.length === 0 ? NOBODY : listText(items, columns)),
  }));
}

async function giveRole(engine: Engine, named: string, role: Role): Promise<Outcome> {
  const changed = await engine.ask((client) => client.changePerson(named, { role }));
  return changed.map((document) => ({
    document,
    text: `${cleanLine(document.email)} is ${article(document.role)} ${document.role} now.\n`,
  }));
}

async function remove(engine: Engine, named: string): Promise<Outcome> {
  const removed = await engine.ask((client) => client.removePerson(named));
  return removed.map((document) => ({
    document,
    text: `${cleanLine(document.email)} is removed: their browsers and tokens open nothing any more.\n`,
  }));
}

async function wouldRemove(engine: Engine, named: string): Promise<Outcome> {
  const people = await engine.ask((client) => client.people());
  return people.map(({ items }) => {
    const meant = items.filter((person) => isMeant(person, named));
    if (meant.length === 0) return { exit: 1, document: { removed: null }, text: noSuch(named) };
    const who = meant.map(({ email }) => cleanLine(email)).join(" or ");
    const again = `Nobody was removed: \`tazuna people remove ${shellWord(named)} --yes\` does it.\n`;
    const what = `This would sign ${who} out everywhere, and remove their tokens.\n`;
    return { exit: 1, document: { removed: null }, text: `${what}${again}` };
  });
}

function noSuch(named: string): string {
  return `Nobody here has the address or the id "${cleanLine(named)}". \`tazuna people\` shows who is there.\n`;
}

function isMeant({ id, email }: PersonDocument, named: string): boolean {
  return id.startsWith(named) || email === named.trim().toLowerCase();
}

const NOBODY = "Nobody has signed in through an identity provider. `tazuna serve --oidc-issuer` names one.\n";

const ONLY_REMOVE = badUsage("`--yes` goes with `people remove` alone.", "Leave it out.");
const ONLY_ALONE = badUsage("`people list` takes nothing more.", "`tazuna people --help` shows the rest.");
const ONLY_ROLE = badUsage("A role goes with `people role` alone.", "Leave it out.");
const WHO = badUsage("Whose it is has to be said.", "`tazuna people` shows the addresses and ids.");
const WHICH = badUsage("`people role` needs a role.", `Name one of ${ROLES.join(", ")} behind the address.`);

function article(role: Role): string {
  return role === "admin" ? "an" : "a";
}

function listText(people: readonly PersonDocument[], columns: number): string {
  return tableText(
    ["ID", "EMAIL", "NAME", "ROLE", "LAST ENTRY"],
    people.map((person) => [
      shortId(person.id),
      cleanLine(person.email) + (person.email_verified ? "" : " (not verified)"),
      cleanLine(person.name) || "-",
      person.removed_at === null ? person.role : "removed",
      person.seen_at,
    ]),
    columns,
  );
}
