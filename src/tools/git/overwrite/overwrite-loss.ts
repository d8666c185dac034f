/** Finds files that a call would overwrite and that nothing keeps: ignored here, but tracked in what it brings. */
import { isAbsolute, join } from "node:path";
import { type Incoming, incomingOf } from "../../../domain/git-policy/judge/incoming.ts";
import type { ExecCommandOutput } from "../../exec/exec_command/types.ts";
import { withSafetyFlags } from "../hardening/safety-flags.ts";
import type { CallNature } from "../repository/call-flaw.ts";
import type { RepositoryFlaw } from "../repository/find-repository.ts";
import { filesOf } from "../repository/index-gitlinks.ts";
import { indexPaths } from "../repository/index-paths.ts";
import type { Inspected } from "../repository/inspect-repository.ts";
import { nameOf } from "../repository/parse-config.ts";
import { runGit } from "../repository/run-git.ts";
import { type Asked, type AskGit, type Asking, askGit, type Comparisons, commitsOf } from "./ask-git.ts";
import { bisectComparisons } from "./bisected.ts";
import { type BroughtPaths, pathsOfComparisons, pathsOfPatches } from "./brought-paths.ts";
import { inTheWay } from "./in-the-way.ts";
import { mergeComparisons, pullComparisons } from "./merged.ts";
import { pathsInMovedFolders } from "./moved-folders.ts";
import { pickComparisons, rebaseComparisons, stashComparisons } from "./replayed.ts";
import { stepComparisons, waitingPatches } from "./steps.ts";

/** `stopped`: the fetch at the start of a pull has failed, so the pull cannot continue. */
export type Outlook =
  | { readonly kind: "clear" }
  | { readonly kind: "loss"; readonly loss: RepositoryFlaw }
  | { readonly kind: "stopped"; readonly fetch: ExecCommandOutput };

interface Place extends Asking {
  readonly repository: Inspected;
}

/** For a pull, this fetches first, because what it brings is unknown before. Nothing else is changed. */
export async function overwriteLoss(
  { subcommand, args }: Pick<CallNature, "subcommand" | "args">,
  place: Place,
): Promise<Outlook> {
  const incoming = incomingOf(subcommand, args);
  if (incoming === null) return { kind: "clear" };
  if (incoming.kind === "pull") {
    const ran = await runGit(["fetch", ...withSafetyFlags("fetch", incoming.fetch)], {
      ...place,
      network: true,
      maxChars: MOST_OUTPUT,
    });
    if (ran.isErr()) return unforeseen(subcommand, place);
    if (ran.value.exit_code !== 0) return { kind: "stopped", fetch: ran.value };
  }
  const brought = await broughtBy(incoming, place);
  if (brought === null) return unforeseen(subcommand, place);
  const { topLevel } = place.repository;
  const [first, ...others] = brought.size === 0 ? [] : inTheWay(brought, treeOf(place));
  if (first === undefined) return { kind: "clear" };
  const shown = [first, ...others].slice(0, MOST_SHOWN).join(", ");
  const more = others.length < MOST_SHOWN ? "" : ` and ${others.length + 1 - MOST_SHOWN} more`;
  const message = `git ${subcommand} would write over what git does not keep: ${shown}${more}. Move it away first.`;
  return { kind: "loss", loss: { at: join(topLevel, first), message } };
}

const MOST_SHOWN = 5;
/** UTF-16 units of each stream. */
const MOST_OUTPUT = 200_000;

function unforeseen(subcommand: string, { repository }: Place): Outlook {
  const message = `What git ${subcommand} would write over could not be found out.`;
  return { kind: "loss", loss: { at: repository.topLevel, message } };
}

async function broughtBy(incoming: Incoming, place: Place): Promise<BroughtPaths | null> {
  const { gitDir, topLevel } = place.repository;
  const asked: Asked = { ask: askGit(place), gitDir };
  const comparisons = await comparisonsOf(incoming, asked);
  const paths = comparisons && (await pathsOfComparisons(asked.ask, comparisons));
  const moved = await movedBy(incoming, comparisons ?? [], asked.ask);
  const patches =
    incoming.kind === "patches"
      ? {
          ...incoming,
          files: incoming.files.map((file) => (isAbsolute(file) ? file : join(place.cwd, file))),
        }
      : { files: incoming.kind === "continue" ? waitingPatches(gitDir) : [], options: [] };
  const patched = await pathsOfPatches(askGit({ ...place, cwd: topLevel }), patches);
  return (
    paths &&
    moved &&
    patched &&
    new Map([...moved.map((path) => [path, "file"] as const), ...patched, ...paths])
  );
}

/** For every call that merges, cherry-picks included. A bisection only checks out. */
async function movedBy(
  { kind }: Incoming,
  comparisons: readonly string[],
  ask: AskGit,
): Promise<readonly string[] | null> {
  if (kind === "bisect" || comparisons.length === 0) return [];
  const found = await commitsOf(ask, ["HEAD"]);
  return found === null ? null : found[0] ? pathsInMovedFolders(ask, comparisons, found[0]) : [];
}

/** If names differ only by case, the file system may take them for one. */
function treeOf({ cwd, context, repository }: Place) {
  const folds = repository.entries.some(
    (entry) => nameOf(entry) === "core.ignorecase" && entry.value === "true",
  );
  const fold = (path: string) => (folds ? path.toLowerCase() : path);
  const tracked = new Set([...(indexPaths(cwd, context, filesOf)?.paths ?? [])].map(fold));
  return { topLevel: repository.topLevel, isTracked: (path: string) => tracked.has(fold(path)) };
}

async function comparisonsOf(incoming: Incoming, asked: Asked): Promise<Comparisons> {
  switch (incoming.kind) {
    case "merge":
      return mergeComparisons(incoming.heads, asked);
    case "pull":
      return pullComparisons(incoming, asked);
    case "pick":
    case "revert":
      return pickComparisons(incoming, asked);
    case "rebase":
      return rebaseComparisons(incoming, asked);
    case "stash":
      return stashComparisons(incoming, asked);
    case "bisect":
      return bisectComparisons(incoming, asked);
    case "continue":
      return stepComparisons(asked);
    case "patches":
      return [];
    case "anywhere":
      return null;
  }
}
