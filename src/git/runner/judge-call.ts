/** Decides what happens to a git call if an agent has planted settings: it is refused, or runs without them. */
import { err, ok, type Result } from "neverthrow";
import { type ConfigPairs, filtersOff } from "../../domain/git-policy/hardening/settings.ts";
import { isHeeded } from "../../domain/repository/heeded-settings.ts";
import { filtersOf, isHook } from "../../domain/repository/watched-settings.ts";
import type { GitAccess } from "../process/git-environment.ts";
import type { GitError } from "../process/git-error.ts";
import type { Planted } from "../settings/known-settings.ts";

/** The parts of a call that are judged here. */
export interface CallRequest {
  readonly access?: GitAccess;
  readonly planted?: "refuse" | "off";
  readonly config?: ConfigPairs;
}

/**
 * Commands that write files or commits as the settings say. A wrong setting would be published, or would overwrite
 * work.
 */
const DOING: ReadonlySet<string> = new Set([
  "add",
  "checkout",
  "commit",
  "lfs",
  "merge",
  "pull",
  "restore",
  "submodule",
]);

/** The options with which the call may run, or why it may not. `command` is what the person is told. */
export function judgeCall<Options extends CallRequest>(
  all: readonly Planted[],
  call: { readonly args: readonly string[]; readonly options: Options; readonly command: string },
): Result<Options, GitError> {
  const { args, options, command } = call;
  // Hooks are off for our calls. A commit that runs them checks them first (`services/runs/stage/run-hook.ts`).
  const heeded = all.filter(({ key }) => !isHook(key));
  if (heeded.length === 0) return ok(options);
  const replaced = { ...options, config: { ...insteadOf(heeded, options.access), ...options.config } };
  const planted = heeded.filter(({ instead }) => instead === null);
  if (planted.length === 0) return ok(replaced);
  const reachesRemotes = options.access === "remote" || options.access === "objects";
  const effective = planted.filter(({ key }) => isHeeded(key, { args, reachesRemotes }));
  if (effective.length === 0) return ok(replaced);
  const keeps = options.planted === "off";
  if (options.access === "remote" || (isDoing(args) && !keeps)) return err(plantedError(effective, command));
  return ok({
    ...replaced,
    // Git would fetch missing objects from the address in the settings.
    access: "local",
    config: {
      ...insteadOf(heeded),
      ...filtersOff(planted.flatMap(filtersOf)),
      ...options.config,
    },
  });
}

/** The values to use instead of the planted ones. A call without network access already has a disabled ssh command. */
function insteadOf(planted: readonly Planted[], access: GitAccess = "local"): ConfigPairs {
  return Object.fromEntries(
    planted.flatMap(({ key, instead }) =>
      instead === null || (key === "core.sshcommand" && access === "local") ? [] : [[key, instead]],
    ),
  );
}

function isDoing([subcommand = "", ...rest]: readonly string[]): boolean {
  if (subcommand === "reset") return rest.includes("--hard") || rest.includes("--keep");
  // `commit-tree -S` runs the signing program that the settings name.
  return DOING.has(subcommand) || rest.includes("-S");
}

function plantedError(planted: readonly Planted[], command: string): GitError {
  const at = [...new Set(planted.map(({ key }) => key))];
  const named = at.slice(0, 10).join(", ") + (at.length > 10 ? ` and ${at.length - 10} more` : "");
  const message = `git's own settings changed while an agent worked, and no person has accepted them: ${named}`;
  return { kind: "planted", command, message, at };
}
