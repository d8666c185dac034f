/** Waits for an engine that a failpoint holds, and lets it go on. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Product } from "../../helpers/product.ts";
import { eventually } from "./eventually.ts";

export interface HeldEngine {
  /** For the command that starts the engine. */
  readonly env: { readonly TAZUNA_FAILPOINT: string };
  /** The engine's number, once it stands still there. */
  stands(): Promise<number>;
}

/** An engine that stops at `failpoint`, once, until it gets SIGCONT. */
export function holdAt(product: Product, failpoint: string): HeldEngine {
  const reached = join(dirname(product.home), "reached");
  return {
    env: { TAZUNA_FAILPOINT: `${failpoint}@${reached}@SIGSTOP` },
    stands: () =>
      eventually(`the engine to be held at ${failpoint}`, async () => {
        const pid = existsSync(reached) ? await product.enginePid() : null;
        return pid !== null && standsStill(pid) ? pid : null;
      }),
  };
}

function standsStill(pid: number): boolean {
  return /^\d+ \(.*\) T /s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
}
