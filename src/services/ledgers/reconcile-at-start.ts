/** Compares the four ledgers when an engine starts, mends what is certain, and says that there is more to look at. */
import { reconcile } from "../../domain/ledgers/reconcile.ts";
import type { ServiceContext } from "../context.ts";
import { gatherLedgers } from "./gather-ledgers.ts";
import { repair } from "./repair.ts";

/** Nothing that is unexplained is touched; `tazuna doctor` shows it. */
export async function reconcileAtStart(context: ServiceContext): Promise<void> {
  const explanations = reconcile(await gatherLedgers(context));
  for (const { id, repair: wish } of explanations)
    if (wish !== null)
      await repair(context, wish).catch((error) => context.reportFault(`mending ${id}`, error));
  const unexplained = explanations.filter(({ standing }) => standing === "unexplained").length;
  if (unexplained > 0) context.reportFault("comparing the ledgers", UNEXPLAINED(unexplained));
}

const UNEXPLAINED = (count: number) =>
  `${count} ${count === 1 ? "thing is" : "things are"} unexplained and kept; \`tazuna doctor\` shows what and why`;
