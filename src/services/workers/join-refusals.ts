/** Says why a worker cannot join, and what to do about it. */
import { INVITE_MINUTES } from "../../domain/worker/invite.ts";
import type { Database } from "../../storage/schema/opened-database.ts";
import { type Refusal, refuse } from "../core/refusal.ts";

const AGAIN = "`tazuna workers invite` on the server makes a fresh one.";

/** This engine gives nobody its database: it is a file, or it joined another server itself. */
export function refuseAsHost(kind: Database["kind"]): Refusal {
  if (kind === "sqlite")
    return refuse("conflict", "database_not_shared", "This Tazuna works alone: its database is a file.", {
      remedy:
        "Start it with a Postgres, then invite again: `tazuna serve --database postgres://…`. A fresh data folder (TAZUNA_HOME) keeps this one as it is.",
    });
  return refuse("conflict", "invited_itself", "This worker was invited itself, and may invite nobody.", {
    remedy: "Ask on the server: `tazuna workers invite` there, or Settings → Workers in the browser.",
  });
}

export const UNKNOWN_INVITE = refuse("not_found", "invite_unknown", "This server knows no such invitation.", {
  remedy: `Copy the whole command from the server that made it. Else ${AGAIN}`,
});

export const USED_INVITE = refuse(
  "conflict",
  "invite_used",
  "This invitation was used: each lets one worker in.",
  {
    remedy: `If that was this machine, \`tazuna worker\` starts it again. Else ${AGAIN}`,
  },
);

export const EXPIRED_INVITE = refuse(
  "conflict",
  "invite_expired",
  `This invitation is older than ${INVITE_MINUTES} minutes.`,
  { remedy: AGAIN },
);

export function otherProtocol(theirs: string, ours: string): Refusal {
  return refuse(
    "conflict",
    "other_version",
    `The worker is Tazuna ${theirs}, the server is ${ours}, and they cannot join each other.`,
    {
      remedy: "Bring both to the same version, then invite again.",
      details: { worker: theirs, server: ours },
    },
  );
}

export function nameTaken(name: string, isThere: boolean): Refusal {
  return refuse("conflict", "worker_name_taken", `Another worker has the name "${name}".`, {
    remedy: isThere
      ? "Choose another one with `--name`; the invitation still works."
      : "It is not there now. Choose another name with `--name`, or `tazuna workers remove` it first; the invitation still works.",
    details: { name },
  });
}

export function alreadyJoined(name: string): Refusal {
  return refuse("conflict", "already_joined", `This data folder works on that server already, as ${name}.`, {
    remedy: "Nothing has to be done. For a second worker on this machine set TAZUNA_HOME to another folder.",
    details: { name },
  });
}

export const WAS_REMOVED = refuse(
  "conflict",
  "worker_removed",
  "This data folder was a worker of that server, and was removed.",
  {
    remedy:
      "Set TAZUNA_HOME to a fresh folder, or delete the file `worker-id` in this one; then run the command again. The invitation still works.",
  },
);

export function tooFewConnections(free: number, needed: number): Refusal {
  return refuse(
    "conflict",
    "too_few_connections",
    `The Postgres has ${Math.max(0, free)} connections left, and a worker needs up to ${needed}.`,
    {
      remedy:
        "Raise `max_connections` in its settings, restart it, and run the command again: the invitation still works.",
      details: { free, needed },
    },
  );
}
