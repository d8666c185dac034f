/** Waits for the worker that a person chose, which may have to clone the repository first. */
import { err, type Result } from "neverthrow";
import { keyOfAddress } from "../../contract/clone-address.ts";
import type { ListedRepositoryDocument } from "../../contract/endpoints/repositories.ts";
import { cleanLine } from "../../contract/text.ts";
import type { CliError } from "../shared/cli-options.ts";
import type { Scope } from "../shared/command.ts";
import { whileCloning } from "./clone-progress.ts";
import { listenForInterrupts } from "./interrupts.ts";

interface Asked {
  readonly repository: string;
  /** Null if nobody chose one: then `act` is all. */
  readonly worker: string | null;
  /** Its runs are not waited for. */
  readonly detach: boolean;
}

/** Shows how far its clone is, and what Ctrl-C does meanwhile. Whoever has a clone is asked without all that. */
export async function whileWorkerClones<Done>(
  scope: Pick<Scope, "engine" | "terminal">,
  { repository, worker, detach }: Asked,
  act: () => Promise<Result<Done, CliError>>,
): Promise<Result<Done, CliError>> {
  if (worker === null) return act();
  const known = await scope.engine.ask((client) => client.repositories());
  if (known.isErr()) return err(known.error);
  const keys = keysOf(repository, known.value.items);
  if (keys.size === 0 || known.value.items.some((one) => isCloneOf(one, { worker, keys }))) return act();
  const isMeant = (url: string) => keys.has(keyOfAddress(url) ?? "");
  const silence = (minutes: number) => silent(worker, minutes);
  return whileCloning(scope, { isMeant, silence }, async (say) => {
    const interrupts = listenForInterrupts(scope.terminal);
    void interrupts.first.then(() => say(interrupted(worker, detach)));
    try {
      return await act();
    } finally {
      interrupts.end();
    }
  });
}

/** The keys of the addresses that are meant: the one that is named, or those of the repository that is. */
function keysOf(repository: string, all: readonly ListedRepositoryDocument[]): ReadonlySet<string> {
  const names = ({ id, name, path }: ListedRepositoryDocument) =>
    [id, name, path].includes(repository) || repository.startsWith(`${path}/`);
  const addresses = [repository, ...all.filter(names).flatMap(({ address }) => address ?? [])];
  return new Set(addresses.flatMap((address) => keyOfAddress(address) ?? []));
}

/** Its clone is there as far as the list knows: it was not put away. */
function isCloneOf(
  { worker: of, address, put_away: isAway }: ListedRepositoryDocument,
  { worker, keys }: { readonly worker: string; readonly keys: ReadonlySet<string> },
): boolean {
  const isIts = of?.id === worker || of?.name === worker;
  return isIts && !isAway && keys.has(keyOfAddress(address ?? "") ?? "");
}

function silent(worker: string, minutes: number): string {
  return `Waits for ${cleanLine(worker)} to clone the repository: no progress for ${minutes} min. \`tazuna workers\` says whether it is there. Ctrl-C twice ends this wait; the clone goes on there.`;
}

/** What a first Ctrl-C does; the second one ends the command. */
function interrupted(worker: string, detach: boolean): string {
  const name = cleanLine(worker);
  const first = detach
    ? `${name} clones the repository, and then begins the task.`
    : `${name} clones the repository first. What it begins then is stopped at once.`;
  return `${first} Press Ctrl-C again to end this wait: ${name} goes on, and begins the task.`;
}
