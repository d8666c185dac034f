/** Tells people what the depot has of attempts, and which of their repositories have no place in it. */
import type { Protection } from "../../domain/depot/depot.ts";
import { type Finding, makeFinding } from "../../domain/doctor/finding.ts";
import { isLoopbackHost } from "../../domain/worker/worker-address.ts";
import { unprotectedOf } from "../../storage/queries/uncopied-attempts.ts";
import { listRepositories } from "../../storage/tables/repositories.ts";
import { readDepot } from "../../storage/team/depot.ts";
import { protectionsOf } from "../../storage/team/protections.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { ownWorker } from "../core/held-elsewhere.ts";

type Told = Pick<Protection, "protectedAt" | "unprotectedSince" | "trouble">;

const NO_ADDRESS: Told = {
  ...{ protectedAt: null, unprotectedSince: null },
  trouble: "its repository has no address, and so no place in the depot",
};

/** By attempt. Of none without a depot, and of none that is closed. */
export async function copiesOf(
  { db }: Pick<Uses<"db">, "db">,
  attempts: readonly AttemptInRepository[],
): Promise<ReadonlyMap<string, Told>> {
  if (db.kind === "sqlite" || (await readDepot(db.reader)) === null) return new Map();
  const open = attempts.filter(({ attempt }) => attempt.state === "open");
  const known = await protectionsOf(
    db.reader,
    open.map(({ attempt }) => attempt.id),
  );
  return new Map(
    open.flatMap(({ attempt: { id }, repository }) => {
      const told = repository.address === null ? NO_ADDRESS : known.get(id);
      return told === undefined ? [] : [[id, told] as const];
    }),
  );
}

/** What `doctor` says of the depot; nothing without one. */
export async function depotFindings(
  context: Uses<"db"> & { readonly owner: string | null },
): Promise<readonly Finding[]> {
  const worker = ownWorker(context);
  const { reader } = context.db;
  const depot = worker === null ? null : await readDepot(reader);
  if (worker === null || depot === null) return [];
  const unprotected = await unprotectedOf(reader, worker);
  const known = await protectionsOf(reader, unprotected);
  const [first] = [...known.values()];
  const without = (await listRepositories(reader, worker)).filter(({ address }) => address === null);
  return [
    first === undefined
      ? makeFinding("ok", "depot", `Copies of unfinished work go to ${depot.url}.`)
      : makeFinding(
          "warning",
          "depot",
          `${unprotected.length === 1 ? "1 attempt of this worker is" : `${unprotected.length} attempts of this worker are`} unprotected, since ${first.unprotectedSince}: ${first.trouble}`,
          {
            why: "Their last edits lie on the disk of this machine only.",
            remedy: `See that this machine reaches ${depot.url}, and that its disk has room. It is tried again by itself.`,
          },
        ),
    ...(depot.kind === "served" && isLoopbackHost(new URL(depot.url).hostname) ? [HERE_ONLY] : []),
    ...without.map(({ name, path }) =>
      makeFinding("info", `depot_without:${path}`, `The repository ${name} has no place in the depot.`, {
        path,
        why: "It has no address: nobody else could clone it.",
        remedy: "Give it an `origin` that other machines reach.",
      }),
    ),
  ];
}

const HERE_ONLY = makeFinding("info", "depot_local", "Workers of other machines do not reach the depot.", {
  why: "Its address leads to the machine of its server, as long as that has no public one.",
  remedy: "Start that server with `--public-url` and `--trust-proxy`, or with `--tls-cert`.",
});
