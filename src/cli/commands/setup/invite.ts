/** Makes an invitation for one worker, and prints the command that is typed on its machine. */
import type { MadeInviteDocument } from "../../../contract/join-documents.ts";
import type { Outcome } from "../../shared/command.ts";
import type { Engine } from "../../shared/engine.ts";

export async function invite(engine: Engine): Promise<Outcome> {
  const made = await engine.ask((client) => client.inviteWorker());
  return made.map((document) => ({ document, text: inviteText(document) }));
}

function inviteText({ command, local_server, local_database }: MadeInviteDocument): string {
  return [
    command,
    "It works once, within 15 minutes. Type it on the machine that joins; `--slots N` says how many runs it takes.",
    ...(local_server ? [LOCAL_SERVER] : []),
    ...(local_database && !local_server ? [LOCAL_DATABASE] : []),
    "",
  ].join("\n");
}

const LOCAL_SERVER =
  "This server is reached from its own machine alone. For others start it with `--public-url`, or with `--tls-cert`.";
const LOCAL_DATABASE =
  "The address of the Postgres leads to this machine itself. For others name one in `--database` that they reach.";
