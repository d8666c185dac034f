/** Clones an address beside what needs it: neither looks nor other runs wait for that (ADR 0108). */
import { err, ok, type Result } from "neverthrow";
import { createRedactor } from "../../domain/agent/redact.ts";
import { sentence } from "../../domain/doctor/finding.ts";
import { keyOfAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { repositoriesFromUrl } from "../../storage/tables/repositories.ts";
import type { CloneBeside } from "../core/context.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { ownClone } from "../repositories/own-repository.ts";
import { type CloneContext, cloneFromUrl } from "./clone-repository.ts";
import { wasPutAway } from "./put-away-before.ts";

export type BesideContext = CloneContext & Uses<"clonesBeside" | "timing" | "tokens">;

/** `lacks`: a sentence that says why there is no clone; null if there is one. */
type After = (lacks: string | null) => Promise<void>;

/** Null if this worker has a clone of the repository. Else the address of which one has to be made, or why none is made. */
export async function lackingClone(
  context: Uses<"db" | "owner">,
  repository: Repository,
): Promise<Result<string, string> | null> {
  const { reader } = context.db;
  const own = await ownClone(context, repository);
  if (own !== null) return (await wasPutAway(reader, own)) ? ok(own.url ?? "") : null;
  const { address } = repository;
  const key = address === null ? null : keyOfAddress(address);
  if (address === null || key === null) return err("Its repository has no address to clone from.");
  const unlisted = await repositoriesFromUrl(reader, ownWorker(context));
  const isUnlisted = unlisted.some(({ url }) => url !== null && keyOfAddress(url) === key);
  return isUnlisted ? err("A person took the repository out of the list there.") : ok(address);
}

interface Asked {
  readonly url: string;
  /** Names what needs it, which is told once, however often it asks. */
  readonly whose: string;
  /** Called once a clone that failed may be tried again; the same one for all that ask. */
  readonly again?: CloneBeside["again"];
}

/** One clone at a time for each address. After one that failed, whoever asks is told why for a while, and nothing is tried. */
export function cloneBeside(context: BesideContext, { url, whose, again = null }: Asked, after: After): void {
  const { clonesBeside, clock } = context;
  const key = keyOfAddress(url) ?? url;
  const known = clonesBeside.get(key);
  if (known !== undefined) known.again ??= again;
  if (known?.failed === null) return void known.after.set(whose, after);
  if (known !== undefined && clock.now().getTime() < known.failed.until)
    return void tell(context, after, known.failed.why);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const asked = { after: new Map([[whose, after]]), fails: known?.fails ?? 0 };
  const clone = { ...asked, ended, failed: null, again: known?.again ?? again };
  clonesBeside.set(key, clone);
  void make(context, { key, url }, clone).finally(resolve);
}

/** Also what asked meanwhile is told. What this engine began, and did not end, is told nothing. */
async function make(
  context: BesideContext,
  { key, url }: { readonly key: string; readonly url: string },
  clone: CloneBeside,
): Promise<void> {
  const { clonesBeside, tokens, engineStop, reportFault } = context;
  const clear = createRedactor({ values: tokens }).text;
  const lacks = await cloneFromUrl(context, url, { signal: engineStop })
    .then((made) =>
      made.match(
        () => null,
        ({ message, remedy }) => `${sentence(clear(message))} To do there: ${remedy} ${AGAIN}`,
      ),
    )
    .catch((error: unknown) => {
      reportFault(`cloning ${url}`, error);
      return `Tazuna itself failed; the log of its engine says how. ${AGAIN}`;
    });
  if (lacks === null || engineStop.aborted) clonesBeside.delete(key);
  else keepFailed(context, { key, why: lacks }, clone);
  if (engineStop.aborted) return;
  for (const each of clone.after.values()) await tell(context, each, lacks);
}

const AGAIN = "It is tried again by itself.";

/** Between two tries. */
const LONGEST_MS = 3_600_000;

/** No timer keeps an engine up: one that ends forgets what it could not clone. */
function keepFailed(
  context: Pick<BesideContext, "clonesBeside" | "clock" | "timing" | "engineStop" | "reportFault">,
  { key, why }: { readonly key: string; readonly why: string },
  { fails, again }: CloneBeside,
): void {
  const { clonesBeside, clock, timing, engineStop, reportFault } = context;
  const waitMs = Math.min(timing.cloneRetryMs * 2 ** fails, LONGEST_MS);
  const failed = { why, until: clock.now().getTime() + waitMs };
  const kept = { after: new Map(), ended: Promise.resolve(), failed, fails: fails + 1, again };
  clonesBeside.set(key, kept);
  const timer = setTimeout(() => {
    if (engineStop.aborted || clonesBeside.get(key) !== kept) return;
    // The clock may have been set back meanwhile.
    clonesBeside.set(key, { ...kept, failed: { why, until: 0 } });
    kept.again?.().catch((error: unknown) => reportFault("what waits for a clone", error));
  }, waitMs);
  timer.unref();
}

function tell({ reportFault }: Uses<"reportFault">, after: After, lacks: string | null): Promise<void> {
  return after(lacks).catch((error: unknown) => reportFault("what waited for a clone", error));
}
