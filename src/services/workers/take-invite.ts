/** Answers a worker that was invited: says what it would join, and exchanges the invitation for an address, once. */
import { createHash, randomBytes } from "node:crypto";
import { err, ok, type Result } from "neverthrow";
import { jobsSchema } from "../../dispatch/queues.ts";
import { JOIN_PROTOCOL } from "../../domain/worker/invite.ts";
import { addressWithLogin } from "../../domain/worker/worker-address.ts";
import { timeOf } from "../../storage/schema/database-time.ts";
import { currentSchema } from "../../storage/schema/migrator.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { admitWorker, workersNamed } from "../../storage/team/admitted.ts";
import { freeConnections } from "../../storage/team/connections.ts";
import { findInvite, useInvite } from "../../storage/team/invites.ts";
import { workersThere } from "../../storage/team/workers.ts";
import { transact } from "../../storage/transact.ts";
import { type NoteContext, noteTeamAct } from "../access/team-acts.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Refusal } from "../core/refusal.ts";
import type { Admitted, JoinOffer, JoinRequest } from "../core/screen-shapes.ts";
import {
  alreadyJoined,
  EXPIRED_INVITE,
  nameTaken,
  otherProtocol,
  refuseAsHost,
  tooFewConnections,
  UNKNOWN_INVITE,
  USED_INVITE,
  WAS_REMOVED,
} from "./join-refusals.ts";

type HostContext = Uses<"db" | "postgresAddress" | "programVersion">;

/** What a worker holds (ADR 0106). */
const NEEDED = 5;
const PASSWORD_BYTES = 32;
const SALT_BYTES = 16;

export function hashOfInvite(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** What the worker should know before it uses the invitation up. Changes nothing. */
export async function offerOf(context: HostContext, secret: string): Promise<Result<JoinOffer, Refusal>> {
  if (context.postgresAddress === null) return err(refuseAsHost(context.db.kind));
  const refused = await refuseInvite(context, secret);
  if (refused !== null) return err(refused);
  const { free } = await freeConnections(context.db.reader);
  if (free < NEEDED) return err(tooFewConnections(free, NEEDED));
  return ok({
    version: context.programVersion,
    protocol: JOIN_PROTOCOL,
    schema: await currentSchema(context.db.reader),
    now: await timeOf(context.db.reader),
  });
}

/** Whoever comes second gets nothing. Until the invitation is used, everything is refused before. */
export async function admit(
  context: HostContext & NoteContext & Uses<"newFacts">,
  secret: string,
  wanted: JoinRequest,
): Promise<Result<Admitted, Refusal>> {
  const { postgresAddress: address, db } = context;
  if (address === null) return err(refuseAsHost(db.kind));
  const refused = (await refuseInvite(context, secret)) ?? (await refuseWorker(context, wanted));
  if (refused !== null) return err(refused);
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  const admitted = await transact(db, async (trx) => {
    if (!(await useInvite(trx, { hash: hashOfInvite(secret), worker: wanted.worker }))) return null;
    const ids = { taskId: null, attemptId: null, runId: null };
    const { name } = await admitWorker(trx, { ...wanted, id: wanted.worker });
    // Whoever joins has not signed in: nobody is known to act.
    const joined = { kind: "worker_joined", id: wanted.worker, name } as const;
    await noteTeamAct({ ...context, actor: null }, trx, joined);
    await appendFact(trx, { at: context.clock.iso(), kind: "workers.changed", ...ids, data: {} });
    return { name, role: await roleFor(trx, wanted.worker, password) };
  });
  if (admitted === null) return err((await refuseInvite(context, secret)) ?? USED_INVITE);
  context.newFacts.notify();
  const { name, role } = admitted;
  return ok({
    name,
    database: role === null ? address : addressWithLogin(address, { user: role, password }),
    shared: role === null,
  });
}

async function roleFor(trx: WriteTransaction, worker: string, password: string): Promise<string | null> {
  const { makeWorkerRole } = await import("../../storage/postgres/worker-roles.ts");
  const { scramVerifier } = await import("../../storage/postgres/scram-verifier.ts");
  const { schemaOf } = await import("../../storage/postgres/execute-sql.ts");
  const verifier = scramVerifier(password, randomBytes(SALT_BYTES));
  return makeWorkerRole(trx, { worker, verifier, jobs: jobsSchema(await schemaOf(trx)) });
}

async function refuseInvite({ db }: HostContext, secret: string): Promise<Refusal | null> {
  const invite = await findInvite(db.reader, hashOfInvite(secret));
  if (invite === null) return UNKNOWN_INVITE;
  if (invite.usedAt !== null) return USED_INVITE;
  return invite.isExpired ? EXPIRED_INVITE : null;
}

async function refuseWorker(context: HostContext, wanted: JoinRequest): Promise<Refusal | null> {
  const { reader } = context.db;
  if (wanted.protocol !== JOIN_PROTOCOL) return otherProtocol(wanted.version, context.programVersion);
  const there = await workersThere(reader);
  const known = await workersNamed(reader, { id: wanted.worker, name: wanted.name });
  const itself = known.find(({ id }) => id === wanted.worker);
  if (itself !== undefined && itself.removedAt !== null) return WAS_REMOVED;
  if (itself !== undefined && there.has(itself.id)) return alreadyJoined(itself.name);
  const other = known.find(({ id }) => id !== wanted.worker);
  return other === undefined ? null : nameTaken(other.name, there.has(other.id));
}
