/** Joins what is known of the machine and its agents. */
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { doctor } from "../doctor/doctor.ts";
import { agentStatuses } from "../queries/agent-status.ts";
import { capacity } from "../queue/capacity.ts";
import { drainWorker, resumeWorker } from "../workers/drain-worker.ts";
import { inviteWorker } from "../workers/invite-worker.ts";
import { shownWorkers } from "../workers/list-workers.ts";
import { removeWorker } from "../workers/remove-worker.ts";
import { admit, offerOf } from "../workers/take-invite.ts";

export function machineServices(context: ServiceContext) {
  return {
    agents: (query) => agentStatuses(context, query),
    doctor: (query) => doctor(context, query),
    capacity: () => capacity(context),
    workers: () => shownWorkers(context),
    drainWorker: (drain) => drainWorker(context, drain),
    resumeWorker: (named) => resumeWorker(context, named),
    removeWorker: (named) => removeWorker(context, named),
    inviteWorker: (origin) => inviteWorker(context, origin),
    joinOffer: (secret) => offerOf(context, secret),
    admitWorker: (secret, wanted) => admit(context, secret, wanted),
  } satisfies Partial<Services>;
}
