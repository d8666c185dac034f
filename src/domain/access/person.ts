/** Describes a person who signs in through an identity provider. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";
import { ROLES, type Role } from "./role.ts";

export const personSchema = z.object({
  id: z.string(),
  /** The provider that knows them, and what it calls them: together unique. E-mail addresses may change hands. */
  issuer: z.string(),
  subject: z.string(),
  /** In small letters, as the provider said at their last entry. */
  email: z.string(),
  /** Whether the provider says that the address is theirs. */
  emailVerified: z.boolean(),
  /** Empty if the provider does not say it. */
  name: z.string(),
  role: z.enum(ROLES),
  createdAt: time,
  /** The last entry through the provider. */
  seenAt: time,
  /** Null as long as they may enter. */
  removedAt: time.nullable(),
});
export type Person = Entity<typeof personSchema>;

/** Who asks, as every call knows it. */
export const knownPersonSchema = personSchema.pick({ id: true, email: true, role: true });
export type KnownPerson = Entity<typeof knownPersonSchema>;

/** What a provider says of the person who comes from it. */
export type Identity = Pick<Person, "issuer" | "subject" | "email" | "emailVerified" | "name">;

/** Who may enter, and as what. */
export interface EntryRules {
  /** Addresses that enter as admins, in small letters. */
  readonly admins: readonly string[];
  /** What others are at their first entry. */
  readonly firstRole: Role;
  /** If there are any, only addresses of these domains may enter, and the admins. In small letters. */
  readonly domains: readonly string[];
}

/** The role of a first entry; null if they may not enter. An address that is not verified proves nothing. */
export function roleAtEntry(
  { email, emailVerified }: Pick<Person, "email" | "emailVerified">,
  { admins, firstRole, domains }: EntryRules,
): Role | null {
  if (emailVerified && admins.includes(email)) return "admin";
  const isOfDomain = emailVerified && domains.includes(email.slice(email.lastIndexOf("@") + 1));
  return domains.length === 0 || isOfDomain ? firstRole : null;
}
