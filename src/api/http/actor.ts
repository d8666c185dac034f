/** Finds out who asks, from what the door knows of its caller, and gives the services of that caller. */
import type { Context } from "hono";
import { AGENT_HEADER } from "../../contract/client/http-call.ts";
import { cleanLine } from "../../contract/text.ts";
import type { Actor, KnownAccess } from "../../services/core/access-shapes.ts";
import type { Services } from "../../services/core/services.ts";
import type { KnownCaller } from "./api-options.ts";
import type { Env } from "./request-context.ts";

/** A client may call itself what it likes, but not at any length. */
const MAX_NAME = 60;

/** An older worker that hands a call on does not say who asks; then it is nobody in particular. */
export async function setActor(c: Context<Env>, known: KnownCaller, services: Services): Promise<void> {
  const actor = known.actor === undefined ? await whoAsks(c, known, services) : known.actor;
  c.set("actor", actor);
  if (actor !== null) c.set("services", services.by(actor));
}

/** What the database knows is left out if it cannot be read: some calls are answered without it. */
async function whoAsks(c: Context<Env>, known: KnownCaller, services: Services): Promise<Actor> {
  const machine = await services.ownName().catch(() => null);
  return actorOf(known, { header: (name) => c.req.header(name), machine });
}

interface Surroundings {
  readonly header: (name: string) => string | undefined;
  /** The name of this worker; null if there is no other one. */
  readonly machine: string | null;
}

/**
 * The header says only that the owner's own program asks for an agent. It cannot name another person or token, and counts
 * for nobody else.
 */
function actorOf({ caller, access, browser }: KnownCaller, { header, machine }: Surroundings): Actor {
  if (access !== undefined)
    return caller === "browser"
      ? { kind: "person", id: access.id, name: access.name }
      : { kind: "token", id: access.id, name: tokenName(access) };
  if (caller === "browser") return { kind: "browser", id: browser ?? null, name: machine };
  const agent = cleanLine(header(AGENT_HEADER) ?? "").slice(0, MAX_NAME);
  if (agent !== "") return { kind: "agent", id: null, name: agent };
  return { kind: "owner", id: null, name: machine };
}

/** Two people may give their tokens the same name. */
function tokenName({ name, person }: KnownAccess): string {
  return person === null ? name : `${name} of ${person.email}`;
}
