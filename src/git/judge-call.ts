/** Decides for each git call what becomes of it where an agent has planted settings: refused, or run without them. */
import { err, ok, type Result } from "neverthrow";
import { filtersOf, isHook } from "../domain/repository/watched-settings.ts";
import type { ConfigPairs, GitAccess } from "./git-environment.ts";
import type { GitError } from "./git-error.ts";
import type { Planted } from "./known-settings.ts";
import type { Redirected } from "./redirected.ts";

/** What a call says that is judged here. */
export interface Wish {
  readonly access?: GitAccess;
  readonly planted?: "refuse" | "off";
  readonly config?: ConfigPairs;
}

/** They write files or commits by what the settings say; a wrong setting would be published, or overwrite work. */
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

/** The options with which the call may go on, or why it may not. `command` is what the person is told. */
export function judgeCall<Options extends Wish>(
  all: readonly Planted[],
  call: { readonly args: readonly string[]; readonly options: Options; readonly command: string },
): Result<Options, GitError> {
  const { args, options, command } = call;
  // Hooks are off for every call of ours.
  const heeded = all.filter(({ key }) => !isHook(key));
  if (heeded.length === 0) return ok(options);
  const replaced = { ...options, config: { ...insteadOf(heeded, options.access), ...options.config } };
  const planted = heeded.filter(({ instead }) => instead === null);
  if (planted.length === 0) return ok(replaced);
  const keeps = options.planted === "off";
  if (options.access === "remote" || (isDoing(args) && !keeps)) return err(plantedError(planted, command));
  return ok({
    ...replaced,
    // Missing objects would be fetched from wherever the settings say.
    access: "local",
    config: {
      ...insteadOf(heeded),
      ...filtersOff(planted.flatMap(filtersOf)),
      ...options.config,
    },
  });
}

/** What holds without the planted values. A call that reaches no network has an ssh of its own that is none. */
function insteadOf(planted: readonly Planted[], access: GitAccess = "local"): ConfigPairs {
  return Object.fromEntries(
    planted.flatMap(({ key, instead }) =>
      instead === null || (key === "core.sshcommand" && access === "local") ? [] : [[key, instead]],
    ),
  );
}

/** Configuration that turns these filters into nothing: content is stored as it lies there. */
export function filtersOff(names: readonly string[]): ConfigPairs {
  return Object.fromEntries(
    names.flatMap((name) => [
      [`filter.${name}.clean`, ""],
      [`filter.${name}.smudge`, ""],
      [`filter.${name}.process`, ""],
      [`filter.${name}.required`, "false"],
    ]),
  );
}

function isDoing([subcommand = "", ...rest]: readonly string[]): boolean {
  if (subcommand === "reset") return rest.includes("--hard") || rest.includes("--keep");
  return DOING.has(subcommand) || rest.includes("-S");
}

function plantedError(planted: readonly Planted[], command: string): GitError {
  const at = [...new Set(planted.map(({ key }) => key))];
  const named = at.slice(0, 10).join(", ") + (at.length > 10 ? ` and ${at.length - 10} more` : "");
  const message = `git's own settings changed while an agent worked, and nobody has looked at that: ${named}`;
  return { kind: "planted", command, message, at };
}

/** The error of a call whose place leads elsewhere. */
export function redirectedError({ at, message }: Redirected, command: string): GitError {
  return { kind: "redirected", command, message, at: [at] };
}
