/** Asks the engine for the clone of an address, and shows its progress meanwhile. */
import { err, ok, type Result } from "neverthrow";
import { keyOfAddress, looksLikeAddress, readCloneAddress } from "../../contract/clone-address.ts";
import type { FactDocument } from "../../contract/endpoints/operations.ts";
import type { RepositoryDocument } from "../../contract/task-document.ts";
import { cleanLine } from "../../contract/text.ts";
import type { CliError } from "../shared/cli-options.ts";
import type { Scope } from "../shared/command.ts";
import type { Terminal } from "../shared/terminal.ts";
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
  return whileCloning(
    { engine, terminal },
    (cloned) => cloned === url,
    async () => {
      const interrupts = listenForInterrupts(terminal);
      try {
        const asked = engine.ask((client, once) => client.addRepository({ url }, once));
        return await Promise.race([asked, interrupts.first.then(() => err(interrupted(url)))]);
      } finally {
        interrupts.end();
      }
    },
  );
}

/** Shows how far clones of these addresses are, on whichever machine, as long as `act` goes on. */
async function whileCloning<Done>(
  { engine, terminal }: Pick<Scope, "engine" | "terminal">,
  isMeant: (url: string) => boolean,
  act: () => Promise<Result<Done, CliError>>,
): Promise<Result<Done, CliError>> {
  const connected = await engine.client();
  if (connected.isErr()) return err(connected.error);
  const over = new AbortController();
  const progress = showProgress(terminal, isMeant);
  const following = connected.value.followFacts({
    after: null,
    signal: over.signal,
    retries: 0,
    onOpen: () => {},
    onFact: progress.fact,
  });
  try {
    return await act();
  } finally {
    over.abort();
    await following.catch(() => null);
    progress.end();
  }
}

/** The worker that a person chose may have to clone the repository first. */
export async function whileWorkerClones<Done>(
  scope: Pick<Scope, "engine" | "terminal">,
  { repository, worker }: { readonly repository: string; readonly worker?: string | null | undefined },
  act: () => Promise<Result<Done, CliError>>,
): Promise<Result<Done, CliError>> {
  if (worker == null) return act();
  const known = await scope.engine.ask((client) => client.repositories());
  if (known.isErr()) return err(known.error);
  const names = ({ id, name, path }: RepositoryDocument) =>
    [id, name, path].includes(repository) || repository.startsWith(`${path}/`);
  const keys = new Set([
    keyOfAddress(repository),
    ...known.value.items.filter(names).map(({ address }) => address && keyOfAddress(address)),
  ]);
  keys.delete(null);
  return whileCloning(scope, (url) => keys.has(keyOfAddress(url)), act);
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

/** On a terminal one line that changes; elsewhere a line for each step. */
function showProgress({ stderr }: Pick<Terminal, "stderr">, isMeant: (url: string) => boolean) {
  let last = "";
  const { isTerminal } = stderr;
  return {
    fact: ({ kind, data }: FactDocument) => {
      const url = String(data.url);
      if (kind !== "clone.progress" || !isMeant(url)) return;
      const step = cleanLine(String(data.step));
      const line = `Cloning ${cleanLine(url)}: ${step}${isTerminal ? ` ${Number(data.percent)}%` : ""}`;
      if (line === last) return;
      last = line;
      stderr.write(isTerminal ? `\r\u001b[K${line.slice(0, stderr.size().columns - 1)}` : `${line}\n`);
    },
    end: () => {
      if (isTerminal && last !== "") stderr.write("\r\u001b[K");
    },
  };
}
