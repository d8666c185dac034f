/** Finds out whether an undo was done although its engine was killed before it could record that. */

import type { Operation } from "../../domain/operation.ts";
import { readRef } from "../../git/refs/refs.ts";
import { getRun } from "../../storage/tables/runs.ts";
import type { ServiceContext } from "../core/context.ts";
import { findPlace } from "../core/find-place.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/** The undo's result, if the reference is at its target. Null if it was not moved. Throws if git cannot say. */
export async function undoneBefore(
  context: Pick<ServiceContext, "db" | "git">,
  { subject, before }: Operation,
): Promise<Operation["after"]> {
  const { reader } = context.db;
  const run = subject.type === "run" ? await getRun(reader, subject.id) : null;
  const place = await findPlace(reader, run?.attemptId ?? subject.id);
  const { ref, to } = before ?? {};
  if (place === null || typeof ref !== "string") return null;
  const current = await readRef(context.git, repositoryTarget(place.repository), ref);
  if (current.isErr()) throw new Error(current.error.message);
  return current.value === to ? { ref, sha: current.value } : null;
}
