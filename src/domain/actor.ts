/** Describes who asked for an act: a person, a program with a token, an agent, or the owner of a machine. */
import { z } from "zod";
import type { Entity } from "./entity.ts";

/**
 * `owner` is at the machine itself, `browser` is one that the owner signed in. `agent` asks over MCP. Tazuna itself is no
 * actor: what it does by itself names none.
 */
const ACTOR_KINDS = ["owner", "browser", "token", "person", "agent"] as const;

export const actorSchema = z.object({
  kind: z.enum(ACTOR_KINDS),
  /** Of the token, the person or the browser; null if there is no row of it. */
  id: z.string().nullable(),
  /**
   * Of a token its name and whose it is, of a person the e-mail address. An agent has what it calls itself, and all others
   * have that of the machine: null if there is only one.
   */
  name: z.string().nullable(),
});
export type Actor = Entity<typeof actorSchema>;

/** As a record names them in one line of plain text; null if the settings of git say better who it is. */
export function recordedName({ kind, name }: Actor): string | null {
  if (kind === "person") return name;
  if (kind === "token") return `the token "${name}"`;
  return kind === "agent" ? `the agent ${name}` : null;
}
