/** Asks again for what a fault stopped, and says what is still wrong once the fault is gone. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isEnded, type RunStatus } from "../../../src/domain/run/state.ts";
import type { Product } from "../../helpers/product.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { readDataFolder, type StoredRun } from "./data-folder.ts";
import { runsThatWrote } from "./disk-stories.ts";

interface Faulted {
  /** The command that met it. */
  readonly args: readonly string[];
  /** Error codes of the same command when it is asked again, which say that it was carried out already. */
  readonly done?: readonly string[] | undefined;
  /** How many runs there were before. */
  readonly runsBefore: number;
  readonly env: Readonly<Record<string, string>>;
  /** Whether a run that failed says why it did. */
  readonly saysWhy: (failed: StoredRun) => boolean;
}

/** Asks for the same again if nothing was begun or carried out, and for a retry of what failed. */
export async function goOn(product: Product, faulted: Faulted): Promise<string[]> {
  const { args, done, env } = faulted;
  const wrong: string[] = [];
  const known = readDataFolder(product.home).runs.length - faulted.runsBefore;
  const isRun = done === undefined && ["run", "continue", "retry"].includes(args[0] ?? "");
  // A run that was made is waited for. What was never begun, or was not carried out, is asked for again.
  if (!isRun || known === 0) {
    const again = await product.tazuna([...args, "--json"], { env });
    const code = again.json<{ readonly error?: { readonly code: string } }>().error?.code;
    if (code !== undefined && !(done ?? []).includes(code)) wrong.push(`asked again: ${again.stdout}`);
  }
  await product.tazuna(["list"], { env });
  const last = await waitFor(
    "the last run to have ended",
    () => {
      const run = readDataFolder(product.home).runs.at(-1);
      return run !== undefined && (run.held || isEnded(run.status as RunStatus)) ? run : null;
    },
    { withinMs: 120_000 },
  );
  const again = args.includes("failing") ? "agent_failed" : null;
  return [...wrong, ...(await retried(product, last, { ...faulted, again }))];
}

async function retried(
  product: Product,
  last: StoredRun,
  /** `again`: how it ends if it cannot succeed. */
  { env, saysWhy, again }: Faulted & { readonly again: string | null },
): Promise<string[]> {
  if (last.failure === null) return [];
  if (last.failure !== again && !saysWhy(last))
    return [`run ${last.id} failed: ${last.failure}: ${last.failureMessage}`];
  const answer = await product.tazuna(["retry", last.id, "--json"], { env });
  const run = readDataFolder(product.home).runs.at(-1);
  if (run?.failure === again) return [];
  return [`the retry ended ${run?.status} ${run?.failure}: ${answer.stdout}`];
}

/** An agent begins once in each run that was not kept from it. */
export function startsOnceAtMost({ kind, status, failure, held }: StoredRun, began: number): number {
  if (kind !== "agent" || (held && status === "PENDING")) return 0;
  return failure === null ? 1 : Math.min(1, began);
}

/** What agents wrote is in the worktree, on the branch, in a snapshot or in the trash. */
export async function lostWork(product: Product): Promise<string[]> {
  const { runs, attempts, snapshots } = readDataFolder(product.home);
  const lost: string[] = [];
  for (const run of await runsThatWrote(product)) {
    const attempt = attempts.find(({ id }) => runs.some((one) => one.id === run && one.attempt === id));
    const name = `${run}.txt`;
    const places = [
      join(attempt?.worktree ?? "", name),
      join(product.home, "trash", attempt?.id ?? "", name),
    ];
    const revisions = [
      `refs/heads/${attempt?.branch}`,
      ...snapshots.filter((one) => one.attempt === attempt?.id).map(({ ref }) => ref),
    ];
    const inGit = await Promise.all(
      revisions.map((revision) =>
        product.sandbox.git(product.repository, ["cat-file", "-e", `${revision}:${name}`]).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (!places.some((path) => existsSync(path)) && !inGit.includes(true)) lost.push(`${name} is lost`);
  }
  return lost;
}
