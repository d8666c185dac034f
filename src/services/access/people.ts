/** Lists who came through an identity provider, gives them roles and removes them. */
import { err, ok, type Result } from "neverthrow";
import { type EntryRules, isNamedAdmin, type Person, standingUnnamed } from "../../domain/access/person.ts";
import type { Role } from "../../domain/access/role.ts";
import {
  givePersonRole,
  listNamedAdmins,
  listPeople,
  removePersonRow,
  setStanding,
} from "../../storage/access/people.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse } from "../core/refusal.ts";
import { tellTokensChanged } from "./access-tokens.ts";
import { tellBrowsersChanged } from "./browsers.ts";
import { type NoteContext, noteTeamAct } from "./team-acts.ts";

type Changing = NoteContext & Uses<"db" | "newFacts">;

/** The oldest first; also those that were removed. */
export async function allPeople({ db }: Uses<"db">): Promise<Result<readonly Person[], Refusal>> {
  return ok(await listPeople(db.reader));
}

/** It holds from their next call on, and for their tokens too. Who was removed may enter again. */
export async function changeRole(
  context: Changing,
  named: string,
  role: Role,
): Promise<Result<Person, Refusal>> {
  return change(context, named, async (trx, id) => {
    const person = await givePersonRole(trx, { id, role });
    if (person !== null)
      await noteTeamAct(context, trx, { kind: "role_given", id, name: person.email, detail: role });
    return person;
  });
}

/** At the start of a server: whom it no longer names as an admin is again what an admin made of them. */
export async function settleAdmins(context: Changing, rules: Pick<EntryRules, "admins">): Promise<void> {
  await transact(context.db, async (trx) => {
    const unnamed = (await listNamedAdmins(trx)).filter((person) => !isNamedAdmin(person, rules));
    for (const { id, email, ...before } of unnamed) {
      const standing = standingUnnamed(before);
      await setStanding(trx, { id, ...standing });
      if (standing.role !== before.role) await noteStanding(context, trx, { id, email, ...standing });
    }
    if (unnamed.length > 0) await tellPeopleChanged(context, trx);
  });
  context.newFacts.notify();
}

/** The rules of a server gave them another role, and no person did. */
export function noteStanding(
  context: Omit<NoteContext, "actor">,
  trx: WriteTransaction,
  { id, email: name, role: detail }: Pick<Person, "id" | "email" | "role">,
): Promise<void> {
  return noteTeamAct({ ...context, actor: null }, trx, { kind: "role_given", id, name, detail });
}

/** Signs them out everywhere, and removes their tokens. They may not enter again by themselves. */
export async function removePerson(context: Changing, named: string): Promise<Result<Person, Refusal>> {
  return change(context, named, async (trx, id) => {
    const removed = await removePersonRow(trx, id);
    if (removed === null) return null;
    await noteTeamAct(context, trx, { kind: "person_removed", id, name: removed.email });
    await tellBrowsersChanged(context, trx);
    await tellTokensChanged(context, trx);
    return removed;
  });
}

/** In the transaction that lets somebody in, or changes what they may do. */
export function tellPeopleChanged(context: Uses<"clock">, trx: WriteTransaction): Promise<unknown> {
  const ids = { taskId: null, attemptId: null, runId: null };
  return appendFact(trx, { at: context.clock.iso(), kind: "people.changed", ...ids, data: {} });
}

async function change(
  context: Changing,
  named: string,
  act: (trx: WriteTransaction, id: string) => Promise<Person | null>,
): Promise<Result<Person, Refusal>> {
  const changed = await transact(context.db, async (trx) => {
    const found = personNamed(await listPeople(trx), named);
    if (found.isErr()) return err(found.error);
    const person = await act(trx, found.value.id);
    if (person === null) return err(noPerson(named));
    await tellPeopleChanged(context, trx);
    return ok(person);
  });
  context.newFacts.notify();
  return changed;
}

/** An address names who may enter before it names who was removed. */
function personNamed(people: readonly Person[], named: string): Result<Person, Refusal> {
  const email = named.trim().toLowerCase();
  const withAddress = people.filter((person) => person.email === email);
  const found = [
    people.filter(({ id }) => id === named),
    withAddress.filter(({ removedAt }) => removedAt === null),
    withAddress,
    people.filter(({ id }) => named !== "" && id.startsWith(named)),
  ].find((some) => some.length > 0);
  const [person, ...others] = found ?? [];
  if (person === undefined) return err(noPerson(named));
  return others.length > 0 ? err(ambiguous(named, [person, ...others])) : ok(person);
}

function noPerson(named: string): Refusal {
  return refuse("not_found", "not_found", `Nobody here has the address or the id "${named}".`, {
    remedy: "`tazuna people` shows both. A person is here once they have signed in.",
    details: { id: named },
  });
}

function ambiguous(named: string, people: readonly Person[]): Refusal {
  return refuse("bad_request", "ambiguous_id", `"${named}" fits several people.`, {
    remedy: `Name one of them by the id: ${people.map(({ id }) => id).join(" or ")}.`,
    details: { candidates: people.map(({ id }) => ({ type: "person", id })) },
  });
}
