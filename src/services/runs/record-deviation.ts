/** Writes down as an operation what somebody other than Tazuna did to a repository, so that a person can name it. */
import type { Operation } from "../../domain/operation.ts";
import { operationsOfKinds } from "../../storage/find-operations.ts";
import { insertOperation } from "../../storage/operations.ts";
import { transact } from "../../storage/transact.ts";
import type { ServiceContext } from "../context.ts";
import type { RunWorld } from "./step.ts";

type Deviation = Pick<Operation, "kind" | "before" | "after" | "undoable">;

/** Its id; the same one, however often the run is proved. */
export async function recordDeviation(
  context: ServiceContext,
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
      subject: { type: "run", id: world.run.id },
      status: "done",
      at,
      endedAt: at,
    }),
  );
  return id;
}
