/** Makes ready what an allowed git call runs in: the repository is looked at, and the environment is built. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { ToolContext } from "../../core/context.ts";
import type { ToolRefusal } from "../../core/result.ts";
import { type CallNature, callFlaw } from "../run/call-flaw.ts";
import { guardedEnvironment, type Variables } from "../run/git-environment.ts";
import { configSearch, inspectRepository, unsafeRepository } from "../run/inspect-repository.ts";
import type { ConfigEntry } from "../run/parse-config.ts";
import type { RepositoryFlaw } from "../run/place-flaw.ts";
import { harmlessInstead } from "../run/planted-programs.ts";
import { pushFlaw } from "../run/push-flaw.ts";
import { WAYS_TO_INDEX } from "../run/unwritten-index.ts";

interface Place {
  readonly context: ToolContext;
  /** Absolute, without symbolic links. */
  readonly cwd: string;
}

interface ReadyCall {
  readonly env: Variables;
  /** Words that belong in front of the arguments. */
  readonly implied: readonly string[];
}

/** What the call runs with, or why this repository must not be touched by it. */
export function prepareCall(
  words: Omit<CallNature, "credentials">,
  { context, cwd }: Place,
): Result<ReadyCall, ToolRefusal> {
  const { gitExtras: extras, workspaceRoot } = context;
  const call = { ...words, credentials: extras.credentials };
  const inspected = inspectRepository(cwd, { context, alternates: "refused" });
  if (inspected.isErr()) return err(inspected.error);
  const { topLevel = null, gitDir = null, commonDir = null, entries = [] } = inspected.value ?? {};
  const flaw =
    callFlaw(entries, call) ??
    otherSideFlaw(call, entries, { context, cwd }) ??
    (commonDir === null || extras.hooks === "run" ? null : hookFlaw(call, commonDir));
  if (flaw !== null) return err(unsafeRepository(flaw));
  const env = guardedEnvironment({
    workspaceRoot,
    extras,
    inherited: context.host.environment(),
    network: call.network,
    ceiling: topLevel === null ? null : dirname(topLevel),
    config: harmlessInstead(entries),
  });
  const index = gitDir === null || !mustLeaveIndex(call, context) ? null : wayToIndex(gitDir, context);
  return ok({
    env: index === null ? env : { ...env, GIT_INDEX_FILE: index },
    implied: topLevel === null ? [] : impliedWords(call),
  });
}

/** Both write down what they learnt of files that only look changed; Tazuna's own commands want the index at that moment. */
function mustLeaveIndex({ subcommand, tier }: CallNature, { git, writeScope }: ToolContext): boolean {
  const isReadOnly = git === "read-only" || writeScope === "read-only";
  return isReadOnly && tier === "read" && (subcommand === "diff" || subcommand === "describe");
}

function wayToIndex(gitDir: string, { shared }: ToolContext): string | null {
  return shared.get(WAYS_TO_INDEX).to(gitDir);
}

/** Without a terminal `git shortlog` would read a log from standard input, where nothing is. Git takes its default only where no commit is named. */
function impliedWords({ subcommand, args }: CallNature): readonly string[] {
  const asksForUsage = args.length === 1 && args[0] === "-h";
  return subcommand === "shortlog" && !asksForUsage ? ["--default", "HEAD"] : [];
}

function otherSideFlaw(
  { subcommand, args }: CallNature,
  entries: readonly ConfigEntry[],
  { context, cwd }: Place,
): RepositoryFlaw | null {
  if (subcommand !== "push") return null;
  const { workspaceRoot } = context;
  return pushFlaw({ args, entries }, { ...configSearch(context), workspaceRoot, cwd });
}

/** `git bisect` moves references before it has read where hooks are looked for, so that setting does not hold there. */
function hookFlaw({ subcommand }: CallNature, commonDir: string): RepositoryFlaw | null {
  const at = join(commonDir, "hooks", "reference-transaction");
  if (subcommand !== "bisect" || !existsSync(at)) return null;
  return { at, message: `git bisect would run the hook ${at}. Bisect by hand with git checkout --detach.` };
}
