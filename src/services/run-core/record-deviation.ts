/** Records changes that others made to a repository as an operation, so that a person can name it. */
import type { Operation } from "../../domain/operation.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { insertOperation } from "../../storage/tables/operations.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import type { RunWorld } from "./step.ts";

type Deviation = Pick<Operation, "kind" | "before" | "after" | "undoable">;

/** Its id, which stays the same however often the run is proved. */
export async function recordDeviation(
  context: Uses<"db" | "clock" | "newId" | "owner">,
  world: RunWorld,
  deviation: Deviation,
): Promise<string> {
  const { kind, before, after } = deviation;
  const known = await operationsOfKinds(context.db.reader, [kind], world.run.id);
  const text = JSON.stringify([before, after]);
  const same = known.find((each) => JSON.stringify([each.before, each.after]) === text);
  if (same !== undefined) return same.id;
  const id = context.newId();
  const at = context.clock.iso();
  await transact(context.db, (trx) =>
    insertOperation(trx, {
      ...deviation,
      id,
      workerId: context.owner,
      actor: null,
      subject: { type: "run", id: world.run.id },
      status: "done",
      at,
      endedAt: at,
    }),
  );
  return id;
}
