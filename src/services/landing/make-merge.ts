/** Makes the commit that brings an attempt into its target; no reference is moved and no file is written. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { createRedactor } from "../../domain/agent/redact.ts";
import { executorsOf, originTrailers } from "../../domain/attempt/origin.ts";
import { mergeMessage } from "../../domain/run/merge-message.ts";
import { someOf } from "../../domain/text/listed.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { commitTree } from "../../git/merge/commit-tree.ts";
import { mergeCommits } from "../../git/merge/merge-commits.ts";
import { readRef } from "../../git/refs/refs.ts";
import { isAncestor } from "../../git/refs/rev-list.ts";
import { readIdentity } from "../../git/repository/identity.ts";
import { probeSigning } from "../../git/repository/signing.ts";
import { secretsOf } from "../confinement/secrets-of.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse, refused, shortId } from "../core/refusal.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { judgeMerge } from "../runs/publish/judge-merge.ts";
import { gitRefusal, type Landing } from "./landing-world.ts";

interface WantedMerge {
  /** The short name of the target, and where it is. */
  readonly target: string;
  readonly at: string;
  readonly squash: boolean;
}

/** The id of the commit. Refused if there are conflicts, or if the gate rejects what the merge makes. */
export async function makeMerge(
  context: Uses<"git" | "userEnv" | "tokens" | "executors">,
  landing: Landing,
  wanted: WantedMerge,
): Promise<Result<string, Refusal>> {
  return safeTry(async function* () {
    const { git } = context;
    const place = repositoryTarget(landing.repository);
    const merged = await mergeCommits(git, place, { ours: wanted.at, theirs: landing.tip });
    if (merged.isErr() && merged.error.kind === "conflict")
      return err(await conflictRefusal(context, landing, { ...wanted, paths: merged.error.paths }));
    const tree = yield* merged.mapErr(gitRefusal);
    yield* await passGate(context, landing, { at: wanted.at, tree });
    const message = yield* await messageOf(context, landing, wanted);
    const identity = yield* (await readIdentity(git, place)).mapErr(gitRefusal);
    const sign = yield* await signs(context, landing, identity);
    const parents = wanted.squash ? [wanted.at] : [wanted.at, landing.tip];
    return (await commitTree(git, place, { tree, parents, message, identity, sign })).mapErr(gitRefusal);
  });
}

/** What persons committed on the branch, and what the merge alone makes, no run has shown to the gate. */
async function passGate(
  context: Uses<"git">,
  landing: Landing,
  { at, tree }: { readonly at: string; readonly tree: string },
): Promise<Result<void, Refusal>> {
  const world = { ...landing, earlier: landing.runs.filter(({ id }) => id !== landing.run.id) };
  const lead = "In what would be merged: ";
  const judged = await judgeMerge(context, world, {
    from: landing.gated,
    theirs: at,
    merged: { tree },
    lead,
  });
  return judged.mapErr(({ failure }) => {
    const id = shortId(landing.attempt.id);
    return refuse("conflict", "gate_rejected", failure?.message ?? "The gate rejected the merge.", {
      remedy: `Nothing was merged. Take that out of the attempt's branch: \`tazuna continue ${id} "Take out what the gate rejects"\`.`,
      details: failure?.details ?? {},
    });
  });
}

async function messageOf(
  context: Uses<"git" | "userEnv" | "tokens" | "executors">,
  landing: Landing,
  { target, squash }: WantedMerge,
): Promise<Result<string, Refusal>> {
  const { attempt, task, runs, run } = landing;
  const values = await secretsOf(context, landing);
  if (values.isErr()) return err(gitRefusal(values.error));
  const redactor = createRedactor({ values: values.value });
  const author = runs.findLast(({ kind, summary }) => kind === "agent" && summary !== null);
  const made = runs.findLast(({ commit }) => commit !== null) ?? run;
  const { origin } = attempt;
  const executors = [
    ...(runs.some(({ kind }) => kind === "agent") ? [attempt.executor] : []),
    ...(origin === null ? [] : executorsOf(origin)),
  ];
  const authors = new Set(executors.flatMap((id) => context.executors.get(id)?.author ?? []));
  const message = mergeMessage({
    instruction: redactor.text(task.title),
    summary: redactor.text(author?.summary ?? ""),
    taskId: task.id,
    runId: made.id,
    authors: [...authors],
    from: origin === null ? [] : originTrailers(origin).map(redactor.text),
    branch: attempt.branch,
    target,
    squash,
  });
  return ok(message);
}

/** As `git commit` would: if the user's configuration signs. Nothing ever asks for a passphrase. */
async function signs(
  context: Uses<"git">,
  { configuration, repository }: Landing,
  identity: Parameters<typeof probeSigning>[2],
): Promise<Result<boolean, Refusal>> {
  if (configuration.values.sign === "off") return ok(false);
  const facts = await probeSigning(context.git, repositoryTarget(repository), identity);
  if (facts.isErr()) return err(gitRefusal(facts.error));
  if (!facts.value.wanted || facts.value.works) return ok(facts.value.wanted);
  const { format, reason } = facts.value;
  const message = `Your git signs commits (${format}), and that does not work without asking: ${reason}`;
  return refused("failed", "signing_failed", message, {
    remedy:
      "Nothing was merged. Unlock the key (its agent), or sign nothing: `tazuna config set sign off --repo`.",
  });
}

/** The agent can resolve only what the remote has too, if there is a remote: it merges the base from there. */
async function conflictRefusal(
  context: Uses<"git">,
  landing: Landing,
  { target, at, paths }: WantedMerge & { readonly paths: readonly string[] },
): Promise<Refusal> {
  const { attempt, repository, configuration } = landing;
  const { git } = context;
  const place = repositoryTarget(repository);
  const remotes = await remotesOf(context, { commonDir: repository.commonDir, configuration });
  const remote = remotes.unwrapOr(null)?.fetch ?? null;
  const tracking =
    remote && (await readRef(git, place, `refs/remotes/${remote.name}/${target}^{commit}`)).unwrapOr(null);
  const known =
    remote === null ||
    (tracking !== null &&
      (await isAncestor(git, place, { ancestor: at, descendant: tracking })).unwrapOr(false));
  const resolve = `\`tazuna continue ${shortId(attempt.id)} --merge-base --resolve\` lets the agent resolve them; then merge again`;
  const push = `\`git -C ${shellWord(repository.path)} push ${remote?.name} ${shellWord(target)}\` first, since ${remote?.name} lacks commits of ${target}; then `;
  return refuse("conflict", "merge_conflict", `${target} and the attempt both changed ${someOf(paths, 5)}.`, {
    remedy: `Nothing was merged. ${known ? "" : push}${resolve}.`,
    details: { attempt: attempt.id, target, files: paths },
  });
}
