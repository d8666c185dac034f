/** Makes an invitation, with which one worker may join this Postgres once and soon (ADR 0089). */
import { randomBytes } from "node:crypto";
import { err, ok, type Result } from "neverthrow";
import { INVITE_MINUTES } from "../../domain/worker/invite.ts";
import { isLoopbackHost, isOnThisMachine } from "../../domain/worker/worker-address.ts";
import { insertInvite } from "../../storage/team/invites.ts";
import { transact } from "../../storage/transact.ts";
import { type NoteContext, noteTeamAct } from "../access/team-acts.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Refusal } from "../core/refusal.ts";
import type { MadeInvite } from "../core/screen-shapes.ts";
import { refuseAsHost } from "./join-refusals.ts";
import { hashOfInvite } from "./take-invite.ts";

/** Programs that look for secrets recognize it by its first signs (`domain/secrets`). */
const MARK = "tzj_";
const BYTES = 32;

/** The only answer that holds the secret: what is stored is its hash. `origin` is the address of this server. */
export async function inviteWorker(
  context: NoteContext & Uses<"db" | "postgresAddress" | "newFacts">,
  origin: string,
): Promise<Result<MadeInvite, Refusal>> {
  const address = context.postgresAddress;
  if (address === null) return err(refuseAsHost(context.db.kind));
  const secret = MARK + randomBytes(BYTES).toString("base64url");
  const hash = hashOfInvite(secret);
  const expiresAt = await transact(context.db, async (trx) => {
    await noteTeamAct(context, trx, { kind: "worker_invited", id: null, name: "" });
    return insertInvite(trx, { hash, forMs: INVITE_MINUTES * 60_000 });
  });
  context.newFacts.notify();
  const url = new URL(`/join/${secret}`, origin);
  return ok({
    url: url.href,
    command: `tazuna worker --join ${url.href}`,
    expiresAt,
    localServer: isLoopbackHost(url.hostname),
    localDatabase: isOnThisMachine(address),
  });
}
