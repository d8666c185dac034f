/** Waits for what becomes of the leases of runs. */
import { waitFor } from "../../helpers/wait-for.ts";
import { rowsOf } from "./left-behind.ts";
import { type HeldRun, PATIENT } from "./states.ts";

interface Leased {
  readonly idOf: (state: HeldRun["state"]) => string;
  readonly leaseMs: number;
}

/** `url`: the address of the Postgres. */
export function leasesOf(url: string, { idOf, leaseMs }: Leased) {
  return {
    /** Waits until the lease of this run was renewed for longer than it lasts, or another worker holds it. */
    beyondLease: async (state: HeldRun["state"]) => {
      const until = async () => {
        const [row] = await rowsOf(url, "select lease_until from runs where id = $1", [idOf(state)]);
        return Date.parse(row?.lease_until ?? "");
      };
      const before = await until();
      await waitFor("the lease to be over", async () => (await until()) > before + leaseMs, PATIENT);
    },
    /** Waits until somebody else holds the run of this state. */
    taken: async (state: HeldRun["state"]) => {
      const sql = "select lease_epoch from runs where id = $1 and lease_owner is not null";
      const epoch = async () => (await rowsOf(url, sql, [idOf(state)]))[0]?.lease_epoch;
      const before = await epoch();
      await waitFor("another worker to take it", async () => (await epoch()) !== before, PATIENT);
    },
  };
}
