/** Describes what a server and a worker that joins it tell each other. */
import { z } from "zod";

export const madeInvite = z.object({
  url: z.string(),
  /** What is typed on the machine that joins. */
  command: z.string(),
  /** UTC ISO, by the database's clock. */
  expires_at: z.string(),
  /** The server, or its Postgres, is reached from its own machine alone. */
  local_server: z.boolean(),
  local_database: z.boolean(),
});
export type MadeInviteDocument = z.output<typeof madeInvite>;

export const joinOffer = z.object({
  /** Of the server's program. */
  version: z.string(),
  /** Grows if two versions no longer understand each other at the join. */
  protocol: z.number(),
  /** The newest change of the tables. */
  schema: z.string(),
  /** UTC ISO, by the database's clock. */
  now: z.string(),
});
export type JoinOfferDocument = z.output<typeof joinOffer>;

const WORKER_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
const WORKER_NAME_RULE = "must be 1 to 40 small letters, digits and dashes";

export const joinRequest = z.strictObject({
  /** The `worker-id` of its data folder. */
  worker: z.uuid(),
  /** Null takes the one of the machine, with a number if that is taken. */
  name: z.string().regex(WORKER_NAME, WORKER_NAME_RULE).nullable().default(null),
  /** The name of its machine. */
  host: z.string().max(255),
  version: z.string().max(50),
  protocol: z.number().int(),
  /** How many runs may work there at once. */
  slots: z.number().int().min(1).max(1_000),
});

export const admitted = z.object({
  name: z.string(),
  /** The address of the Postgres with a login. */
  database: z.string(),
  /** The login is that of the server, since it may make none. */
  shared: z.boolean(),
});
