/** Reads whose a browser or a token is from a row that is joined with the people. */
import type { KnownPerson } from "../../domain/access/person.ts";
import { knownPeople } from "../schema/schema.ts";

/** All that a worker's own role may read of people. */
export const OWNER = [
  "people.id as ownerId",
  "people.email as ownerEmail",
  "people.role as ownerRole",
] as const;

export function ownerOf(row: {
  readonly ownerId: string | null;
  readonly ownerEmail: string | null;
  readonly ownerRole: string | null;
}): KnownPerson | null {
  return row.ownerId === null
    ? null
    : knownPeople.read({ id: row.ownerId, email: row.ownerEmail, role: row.ownerRole });
}
