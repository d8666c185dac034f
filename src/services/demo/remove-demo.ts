/** Removes what `demo` made: its agents, attempts, worktrees, trash, repository and bare remote. */
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { whatIsAPersons } from "../../domain/demo/judge-demo.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { attemptsOfRepository } from "../../storage/queries/repository-attempts.ts";
import { listRepositories, markRepository } from "../../storage/tables/repositories.ts";
import { transact } from "../../storage/transact.ts";
import { lstatOrNull } from "../../utils/files/is-there.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import { sleep } from "../../utils/time/waiting.ts";
import { cleanUpNow } from "../attempts/keep-cleaning.ts";
import type { CleanUpContext, Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { journaled } from "../core/journal.ts";
import { type Refusal, refuse } from "../core/refusal.ts";
import { repositoryChanged } from "../repositories/repository-changed.ts";
import { carryOutCancel, saveCancel } from "../requests/save-cancel.ts";
import type { StopContext } from "../requests/stop-run.ts";
import { emptyTrash } from "../trash/empty-trash.ts";
import { entriesInTrash } from "../trash/trash-entries.ts";
import { type Demo, demosOf } from "./demo-place.ts";
import { examineDemo } from "./examine-demo.ts";

type RemoveContext = CleanUpContext & StopContext;

/** Every demo. Refused, with nothing removed, if one of them holds anything of a person. */
export async function removeDemo(context: RemoveContext): Promise<Result<readonly Repository[], Refusal>> {
  const demos = await demosOf(context, await listRepositories(context.db.reader, ownWorker(context)));
  for (const demo of demos) {
    const stays = await whyItStays(context, demo);
    if (stays !== null) return err(stays);
  }
  for (const demo of demos) {
    const put = await putAttemptsAway(context, demo);
    if (put.isErr()) return err(put.error);
    // A person may have changed it while its agents were stopped.
    const stays = (await whyItStays(context, demo)) ?? (await purgeTrash(context, demo));
    if (stays !== null) return err(stays);
    await deleteDemo(context, demo);
  }
  context.newFacts.notify();
  return ok(demos.map(({ repository }) => repository));
}

async function whyItStays(context: Uses<"db" | "git">, demo: Demo): Promise<Refusal | null> {
  const facts = await examineDemo(context, demo);
  const why = facts.isErr() ? `Git cannot say what is in it: ${facts.error.message}.` : null;
  const theirs = why ?? (facts.isOk() && facts.value !== null ? whatIsAPersons(facts.value) : null);
  return theirs === null ? null : changed(demo, theirs);
}

function changed({ repository: { path } }: Demo, why: string): Refusal {
  return refuse("conflict", "demo_changed", `The demo in ${path} stays. ${why}`, {
    remedy:
      "Take what you need out of it and undo your changes there; then ask again. Or leave it: it costs only room.",
    details: { path },
  });
}

const LOOK_MS = 50;

/**
 * Cancels what is open, which stops the agents, and waits until every worktree is in the trash. A clean-up that fails
 * is not waited for: it goes on by itself, and the answer says why it failed.
 */
async function putAttemptsAway(context: RemoveContext, { repository }: Demo): Promise<Result<void, Refusal>> {
  const attempts = () => attemptsOfRepository(context.db.reader, repository.id);
  for (const attempt of await attempts()) {
    if (attempt.state === "canceled") await cleanUpNow(context, attempt.id);
    if (attempt.state !== "open") continue;
    const canceled = await transact(context.db, (trx) => saveCancel(context, trx, attempt));
    context.newFacts.notify();
    await carryOutCancel(context, [canceled]);
  }
  const deadline = performance.now() + context.timing.demoMs;
  for (;;) {
    const left = (await attempts()).filter(({ state }) => state !== "removed");
    if (left.length === 0) return ok(undefined);
    const why = left.find(({ cleanUp }) => cleanUp !== null)?.cleanUp?.why ?? null;
    if (why !== null || performance.now() > deadline) return err(busy(repository, left, why));
    await sleep(LOOK_MS);
  }
}

function busy({ path }: Repository, left: readonly Attempt[], why: string | null): Refusal {
  const yet = `The demo in ${path} is not put away yet`;
  return refuse("conflict", "demo_busy", `${yet}${why === null ? "" : `: ${why}`}.`, {
    remedy:
      why === null
        ? "Its agents are told to end, and their worktrees go after them: `tazuna list --all` says what it waits for. Ask again then."
        : "Mend that, then ask again. Until then it is tried again and again.",
    details: { attempts: left.map(({ id }) => id) },
  });
}

/** The proof of the trash holds here too: what is not in its snapshot stays. */
async function purgeTrash(context: CleanUpContext, demo: Demo): Promise<Refusal | null> {
  const attempts = await attemptsOfRepository(context.db.reader, demo.repository.id);
  const ids = new Set(attempts.map(({ id }) => id));
  const entries = (await entriesInTrash(context)).filter(({ attemptId }) => ids.has(attemptId));
  const emptied = await emptyTrash(context, { yes: true, only: new Set(entries.map(({ id }) => id)) });
  if (emptied.isErr()) return emptied.error;
  const [kept] = emptied.value.kept;
  return kept === undefined ? null : changed(demo, `A worktree of it stays in the trash: ${kept.reason}`);
}

/** One rename makes it gone; a folder that a crash leaves behind is deleted at the next start. */
async function deleteDemo(context: CleanUpContext, { repository, folder }: Demo): Promise<void> {
  const aside = join(context.paths.scratch, `demo-${repository.id}`);
  const { id, path } = repository;
  await journaled(
    context,
    { kind: "demo_remove", subject: { type: "repository", id }, before: { path, folder } },
    async (): Promise<Result<void, never>> => {
      await mkdir(context.paths.scratch, { recursive: true, mode: 0o700 });
      if ((await lstatOrNull(folder)) !== null) await rename(folder, aside);
      return ok(undefined);
    },
    () => ({ path }),
    async (trx) => {
      const at = context.clock.iso();
      await markRepository(trx, { id, removedAt: at });
      await repositoryChanged(trx, { id, at, state: "removed" });
    },
  );
  await removeTree(aside).catch((error) => context.reportFault(`deleting ${aside}`, error));
}
