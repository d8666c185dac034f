/** Waits as long as a machine that is busy with other tests may need. */
import { waitFor } from "../../helpers/wait-for.ts";

/** `waitFor`, within a minute and a half. */
export function eventually<T>(what: string, probe: () => T | Promise<T>) {
  return waitFor(what, probe, { withinMs: 120_000 });
}
