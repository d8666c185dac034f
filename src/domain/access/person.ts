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
  /** What they are again once the server no longer names them as an admin; null if it did not make them one. */
  givenRole: z.enum(ROLES).nullable(),
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
  /** Addresses that are admins at each entry, in small letters. */
  readonly admins: readonly string[];
  /** What others are at their first entry. */
  readonly firstRole: Role;
  /** If there are any, only addresses of these domains may enter, and the admins. In small letters. */
  readonly domains: readonly string[];
}

type Standing = Pick<Person, "role" | "givenRole">;
type Address = Pick<Person, "email" | "emailVerified">;

/** Whether the server names them as an admin. An address that is not verified proves nothing. */
export function isNamedAdmin(
  { email, emailVerified }: Address,
  { admins }: Pick<EntryRules, "admins">,
): boolean {
  return emailVerified && admins.includes(email);
}

/** `known` is null at the first entry. The answer is null if they may not enter. */
export function standingAtEntry(
  address: Address,
  known: Standing | null,
  rules: EntryRules,
): Standing | null {
  const { firstRole, domains } = rules;
  const before = known ?? { role: firstRole, givenRole: null };
  if (isNamedAdmin(address, rules)) return { role: "admin", givenRole: before.givenRole ?? before.role };
  const domain = address.email.slice(address.email.lastIndexOf("@") + 1);
  const isOfDomain = address.emailVerified && domains.includes(domain);
  return domains.length === 0 || isOfDomain ? standingUnnamed(before) : null;
}

/** What the server made of them goes; what an admin made of them stays. */
export function standingUnnamed({ role, givenRole }: Standing): Standing {
  return { role: role === "admin" ? (givenRole ?? role) : role, givenRole: null };
}
