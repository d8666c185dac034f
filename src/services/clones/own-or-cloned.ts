/** Finds the repository of this worker that a task is to begin in, or clones it first (ADR 0108). */
import { err, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Refusal } from "../core/refusal.ts";
import { namedAnywhere } from "../repositories/named-repository.ts";
import { ownRepository } from "../repositories/own-repository.ts";
import { type CloneContext, cloneFromUrl } from "./clone-repository.ts";

type OwnContext = CloneContext & Parameters<typeof ownRepository>[0];

/** As `ownRepository`. What lies on other workers alone is cloned from its address, as by `repo add`. */
export async function ownOrCloned(
  context: OwnContext,
  idOrPath: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<Result<Repository, Refusal>> {
  const own = await ownRepository(context, idOrPath);
  if (own.isOk() || own.error.code !== "held_elsewhere") return own;
  const address = (await namedAnywhere(context, idOrPath)).unwrapOr(null)?.address ?? null;
  return address === null ? err(own.error) : cloneFromUrl(context, address, { signal });
}
