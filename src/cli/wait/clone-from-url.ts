/** Asks the engine for the clone of an address, and shows its progress meanwhile. */
import { err, ok, type Result } from "neverthrow";
import { keyOfAddress, looksLikeAddress, readCloneAddress } from "../../contract/clone-address.ts";
import type { RepositoryDocument } from "../../contract/task-document.ts";
import type { CliError } from "../shared/cli-options.ts";
import type { Scope } from "../shared/command.ts";
import { whileCloning } from "./clone-progress.ts";
import { listenForInterrupts } from "./interrupts.ts";

/** Ctrl-C ends it; the engine takes away what it had made as soon as this process is gone. */
export async function cloneFromUrl(
  { engine, terminal }: Pick<Scope, "engine" | "terminal">,
  text: string,
): Promise<Result<RepositoryDocument, CliError>> {
  // An address with a password in it is not even sent.
  const address = readCloneAddress(text);
  if (address.isErr()) return err({ exit: 2, code: "url_refused", ...address.error, details: {} });
  const { url } = address.value;
  return whileCloning({ engine, terminal }, { isMeant: (cloned) => cloned === url }, async () => {
    const interrupts = listenForInterrupts(terminal);
    try {
      const asked = engine.ask((client, once) => client.addRepository({ url }, once));
      return await Promise.race([asked, interrupts.first.then(() => err(interrupted(url)))]);
    } finally {
      interrupts.end();
    }
  });
}

/**
 * The id of its clone if the repository is named by an address, else the name as it is. Nothing is cloned if a repository of
 * that address is here, or on another worker: the engine knows which one is meant.
 */
export async function clonedIfAddress(
  scope: Pick<Scope, "engine" | "terminal">,
  repository: string,
): Promise<Result<string, CliError>> {
  if (!looksLikeAddress(repository)) return ok(repository);
  const key = keyOfAddress(repository);
  const clone = async () => (await cloneFromUrl(scope, repository)).map(({ id }) => id);
  if (key === null) return clone();
  const known = await scope.engine.ask((client) => client.repositories());
  if (known.isErr()) return err(known.error);
  const same = known.value.items.filter(({ address }) => address && keyOfAddress(address) === key);
  // One that was cloned before is looked after: it may have been deleted.
  if (same.length > 0 && same.every(({ url, worker }) => url === null || worker)) return ok(repository);
  return clone();
}

function interrupted(url: string): CliError {
  return {
    exit: 130,
    code: "interrupted",
    message: "Interrupted.",
    remedy: "Nothing of the clone is kept. The same command begins it anew.",
    details: { url },
  };
}
