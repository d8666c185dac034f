/** Joins a server by an invitation: examines this machine first, exchanges the secret, and keeps what it got. */
import { hostname } from "node:os";
import { err, ok, type Result } from "neverthrow";
import { failed, fromApi } from "../../cli/shared/cli-error.ts";
import type { CliError, JoinOptions } from "../../cli/shared/cli-options.ts";
import { type Client, createClient } from "../../contract/client/client.ts";
import type { JoinOfferDocument } from "../../contract/join-documents.ts";
import { type JoinLink, readJoinLink } from "../../contract/join-link.ts";
import type { ApiError } from "../../contract/problem.ts";
import { aheadMs } from "../../domain/worker/clock-offset.ts";
import { JOIN_PROTOCOL } from "../../domain/worker/invite.ts";
import { dataPaths } from "../../services/core/data-paths.ts";
import { type WorkerFile, writeWorkerFile } from "../../services/workers/worker-file.ts";
import { MIGRATIONS } from "../../storage/migrations/migrations.ts";
import { systemClock } from "../../utils/time/clock.ts";
import { clockTrouble } from "../engine/clock-ahead.ts";
import { readWorkerId } from "../process/data-folder.ts";
import type { Settings } from "../process/settings.ts";
import { examineMachine, refuseFolder } from "./examine-machine.ts";

const ANSWER_MS = 60_000;

/** The invitation is used up last: whatever is refused before leaves it good. */
export async function joinServer(
  settings: Settings,
  { url, name, slots, allowGuard }: JoinOptions,
): Promise<Result<WorkerFile, CliError>> {
  const link = linkOf(url);
  if (link.isErr()) return err(link.error);
  const unfit = await refuseFolder(settings);
  if (unfit !== null) return err(unfit);
  const machine = await examineMachine(settings, { allowGuard });
  if (machine.isErr()) return err(machine.error);
  const client = clientOf(link.value);
  const refused = await refuseOffer(client, link.value, settings.version);
  if (refused !== null) return err(refused);
  const paths = dataPaths(settings.home);
  const worker = await readWorkerId(paths.workerId, { mustLast: true });
  if (worker.isErr()) return err(failed(worker.error));
  const admitted = await client.admitWorker(link.value.secret, {
    worker: worker.value,
    name,
    host: hostname(),
    version: settings.version,
    protocol: JOIN_PROTOCOL,
    slots,
  });
  if (admitted.isErr()) return err(inWords(admitted.error, link.value));
  const file: WorkerFile = {
    server: link.value.origin,
    ...admitted.value,
    allow_guard: allowGuard,
    joined_at: systemClock.iso(),
  };
  const unwritten = await writeWorkerFile(paths.workerFile, file).then(() => null, String);
  return unwritten === null ? ok(file) : err(notKept(paths.workerFile, unwritten));
}

function linkOf(text: string): Result<JoinLink, CliError> {
  const link = readJoinLink(text);
  if (link === "unreadable") return err(BAD_LINK);
  return link === "insecure" ? err(INSECURE_LINK) : ok(link);
}

function clientOf({ origin }: JoinLink): Client {
  return createClient({
    url: origin,
    token: null,
    // A redirect would carry the secret to somebody else.
    fetch: (url, init) => fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(ANSWER_MS) }),
  });
}

/** Looks whether the two fit each other, before the invitation is used up. */
async function refuseOffer(client: Client, link: JoinLink, version: string): Promise<CliError | null> {
  const sentAt = systemClock.now().getTime();
  const offer = await client.joinOffer(link.secret);
  if (offer.isErr()) return inWords(offer.error, link);
  const receivedAt = systemClock.now().getTime();
  const trouble = clockTrouble(aheadMs({ sentAt, receivedAt, theirs: Date.parse(offer.value.now) }));
  return trouble === null ? refuseVersion(offer.value, version) : failed(trouble);
}

function refuseVersion(offer: JoinOfferDocument, version: string): CliError | null {
  const newest = Object.keys(MIGRATIONS).sort().at(-1) ?? "";
  if (offer.protocol === JOIN_PROTOCOL && offer.schema === newest) return null;
  const isOlder = offer.protocol > JOIN_PROTOCOL || offer.schema > newest;
  const [who, whom] = isOlder ? ["This worker", "the server"] : ["The server", "this worker"];
  return failed({
    code: "other_version",
    message: `${who} is older than ${whom}: the worker is Tazuna ${version}, the server ${offer.version}.`,
    remedy: isOlder
      ? "Bring this worker to the version of the server, then run the command again."
      : "Bring the server to this version and start it again, then invite again.",
    details: { worker: version, server: offer.version, schema: offer.schema },
  });
}

function inWords(error: ApiError, { origin }: JoinLink): CliError {
  if (error.code === "server_unreachable")
    return failed({
      code: "server_unreachable",
      message: `${origin} does not answer (${String(error.details.cause ?? "no reason")}).`,
      remedy:
        "See that `tazuna serve` runs there, and that this machine reaches it. If the address is that of the server's own machine, start it with `--public-url`.",
    });
  if (error.code === "unexpected_answer" || error.code === "no_such_address")
    return failed({
      code: "other_version",
      message: `${origin} answers, but knows no invitations: it is an older Tazuna, or another program.`,
      remedy: "Bring the server to this version, or correct the address; then invite again.",
    });
  return fromApi(error);
}

function notKept(file: string, why: string): CliError {
  return failed({
    code: "data_folder_unusable",
    message: `${file} could not be written (${why}), so this worker does not know its login.`,
    remedy:
      "See to the disk, then join again: `tazuna workers invite` on the server makes a fresh invitation.",
  });
}

const BAD_LINK: CliError = {
  exit: 2,
  code: "bad_join_link",
  message: "This is no address of an invitation.",
  remedy:
    "Copy the whole command: `tazuna workers invite` on the server prints it, with `https://…/join/tzj_…`.",
  details: {},
};

const INSECURE_LINK: CliError = {
  exit: 2,
  code: "join_link_insecure",
  message: "The address begins with http://, so that others could read the login on its way.",
  remedy:
    "Start the server with `--tls-cert` and `--tls-key`, or behind a proxy with `--public-url`, then invite again.",
  details: {},
};
