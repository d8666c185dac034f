/** Tells a person who asked for something, if that needs to be told. */
import type { Actor } from "../../domain/actor.ts";

/** An older engine leaves it out. */
type Told = Actor | null | undefined;

/** Whether somebody else than the owner of the only machine is among them. Then each of them is worth a name. */
export function needsNames(actors: readonly Told[]): boolean {
  const owners = new Set<string | null>();
  for (const actor of actors) {
    if (!actor) continue;
    if (actor.kind !== "owner" && actor.kind !== "browser") return true;
    owners.add(actor.name);
  }
  return owners.size > 1;
}

/** In a few words. What Tazuna does by itself has a dash. */
export function actorWords(actor: Told): string {
  if (!actor) return "-";
  const { kind, name } = actor;
  switch (kind) {
    case "owner":
      return name === null ? "owner" : `owner of ${name}`;
    case "browser":
      return name === null ? "browser" : `browser at ${name}`;
    case "person":
      return name ?? "person";
    case "token":
    case "agent":
      return `${kind} ${name ?? ""}`.trimEnd();
  }
}
