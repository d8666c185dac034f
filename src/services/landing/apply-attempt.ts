/** Puts an attempt's patch into the user's checkout as uncommitted changes: all of it, or nothing. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import { someOf } from "../../domain/text/listed.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { diffFiles } from "../../git/index/diff.ts";
import { isLaid } from "../../git/merge/half-laid.ts";
import {
  type Difference,
  type LayError,
  layDifference,
  mayLay,
  type Worktree,
} from "../../git/merge/lay-difference.ts";
import { mergeTrees } from "../../git/merge/merge-trees.ts";
import { readRef } from "../../git/refs/refs.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { withPatchNow } from "../attempts/attempt-patch.ts";
import type { AppliedFiles } from "../core/answer-shapes.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { findCheckout } from "../core/find-checkout.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { askedBy, journaled } from "../core/journal.ts";
import { notFound, type Refusal, refuse, refused, shortId } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { gitRefusal, lastRun } from "./landing-world.ts";
import { refuseUnclean } from "./move-target.ts";
import { settleApplied } from "./settle-checkout.ts";

/** If all of it lies there already, committed or not, nothing is written. */
export async function applyAttempt(
  engine: GitContext & Uses<"attemptLock" | "configuration">,
  attemptId: string,
): Promise<Result<AppliedFiles, Refusal>> {
  return engine.attemptLock.run(attemptId, async () => {
    const place = await findPlace(engine.db.reader, attemptId);
    if (place === null) return err(notFound("attempt", attemptId));
    const context = await loadRepositoryGit(engine, place);
    return safeTry(async function* () {
      const patch = yield* await patchOf(context, place);
      const checkout = yield* await usersCheckout(place);
      const head = yield* (await readRef(context.git, checkout, "HEAD^{commit}")).mapErr(gitRefusal);
      if (head === null) return err(noCheckout(place, `${checkout.workTree} has no commit yet.`));
      const merged = await mergeTrees(context.git, checkout, {
        base: patch.from,
        ours: head,
        theirs: patch.to,
      });
      if (merged.isErr() && merged.error.kind === "conflict")
        return err(conflictRefusal(place, checkout, merged.error.paths));
      const to = yield* merged.mapErr(gitRefusal);
      const clean = await refuseUnclean(context, { path: checkout.workTree, gitDir: checkout.gitDir });
      const laid = clean.isErr() && (await isLaid(context.git, checkout, { from: head, to })).unwrapOr(false);
      if (clean.isErr() && !laid) return err(clean.error);
      const files = yield* (await diffFiles(context.git, checkout, { from: head, to })).mapErr(gitRefusal);
      const done = { files, path: checkout.workTree };
      if (laid || files.length === 0) return ok(done);
      return (await layJournaled(context, place, { checkout, from: head, to })).map(() => done);
    });
  });
}

async function patchOf(
  context: Uses<"db" | "git" | "configuration">,
  place: AttemptPlace,
): Promise<Result<Difference, Refusal>> {
  return safeTry(async function* () {
    const { attempt, repository } = place;
    const runs = workOf(await runsOfAttempt(context.db.reader, attempt.id));
    yield* lastRun(attempt, runs);
    const tip = yield* (
      await readRef(context.git, repositoryTarget(repository), `refs/heads/${attempt.branch}^{commit}`)
    ).mapErr(gitRefusal);
    const { patch } = yield* (await withPatchNow(context, { ...place, runs, tip })).mapErr(gitRefusal);
    if (patch !== null && patch.files > 0) return ok(patch);
    return refused("conflict", "nothing_to_apply", "The attempt changed nothing against its base.", {
      remedy: `\`tazuna show ${shortId(attempt.id)}\` says what its runs came to.`,
      details: { attempt: attempt.id },
    });
  });
}

async function usersCheckout(place: AttemptPlace): Promise<Result<Worktree, Refusal>> {
  const found = await findCheckout(place.repository);
  if (found.isErr()) return err(noCheckout(place, found.error));
  const { path, gitDir, bare } = found.value;
  if (!bare) return ok({ gitDir, workTree: path });
  const { url } = place.repository;
  if (url === null) return err(noCheckout(place, `${path} is a bare repository.`));
  return err(noCheckout(place, `${path} is a clone that Tazuna made of ${url}: nobody works in it.`));
}

async function layJournaled(
  context: GitContext,
  { attempt }: AttemptPlace,
  { checkout, from, to }: Difference & { readonly checkout: Worktree },
): Promise<Result<void, Refusal>> {
  return safeTry(async function* () {
    const { gitDir, workTree: path } = checkout;
    const refusal = (error: LayError) => layRefusal(path, error);
    const paths = yield* (await mayLay(context.git, checkout, { from, to })).mapErr(refusal);
    const by = await askedBy(context, checkout);
    const reason = `patch of the attempt ${shortId(attempt.id)}`;
    yield* (
      await journaled(
        context,
        {
          kind: "apply",
          subject: { type: "attempt", id: attempt.id },
          before: { path, gitDir, sha: from, tree: to, files: paths.length, by, reason },
        },
        async () => {
          const laid = await layDifference(context.git, checkout, { from, to, paths });
          if (laid.isOk() || laid.error.kind === "in_the_way") return laid;
          const whole = await settleApplied(context, { path, gitDir }, { from, to });
          return whole ? ok(undefined) : laid;
        },
        () => ({ path, files: paths.length }),
      )
    ).mapErr(refusal);
    return ok(undefined);
  });
}

function noCheckout({ attempt, repository }: AttemptPlace, why: string): Refusal {
  const id = shortId(attempt.id);
  const byHand =
    repository.url === null ? "" : ` In a checkout of your own: \`tazuna diff ${id} | git apply --3way\`.`;
  return refuse("conflict", "no_checkout", why, {
    remedy: `\`tazuna merge ${id}\` brings it into its branch without a checkout.${byHand}`,
    details: { attempt: attempt.id },
  });
}

function conflictRefusal(
  { attempt }: AttemptPlace,
  { workTree }: Worktree,
  paths: readonly string[],
): Refusal {
  const id = shortId(attempt.id);
  const message = `The patch does not fit what is committed at ${workTree}: ${someOf(paths, 5)}.`;
  return refuse("conflict", "merge_conflict", message, {
    remedy: `Nothing was changed. \`tazuna continue ${id} --merge-base --resolve\` brings the attempt up to its base; then ask again.`,
    details: { attempt: attempt.id, files: paths },
  });
}

function layRefusal(path: string, error: LayError): Refusal {
  const at = `git -C ${shellWord(path)}`;
  switch (error.kind) {
    case "in_the_way":
      return refuse("conflict", "checkout_not_clean", `Files of yours are in the way: ${error.message}.`, {
        remedy: `Nothing was changed. Move them out of ${path}, then ask again.`,
        details: { path, files: error.paths },
      });
    case "outside_sparse":
      return refuse("conflict", "outside_sparse", `The sparse checkout leaves out ${error.message}.`, {
        remedy: `Nothing was changed. \`${at} sparse-checkout disable\` shows all files; then ask again.`,
        details: { path, files: error.paths },
      });
    case "submodule":
      return refuse(
        "conflict",
        "submodule_changed",
        `The patch sets a submodule to another commit: ${error.message}.`,
        {
          remedy: "Nothing was changed. A merge of the attempt brings such a change into its branch.",
          details: { path, files: error.paths },
        },
      );
    default:
      return refuse("failed", "apply_failed", `The patch could not be written: ${error.message}.`, {
        remedy: `Nothing was changed. Mend the cause, then ask again; \`${at} status\` shows what is there.`,
        details: { path },
      });
  }
}
