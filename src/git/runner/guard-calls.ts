/** Checks before every git call on a repository that no agent has planted a setting or a link in it. */
import { err, ok } from "neverthrow";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import { redactUrl } from "../process/redact-url.ts";
import { createKnownSettings, type KnownSettings, type SettingsWatch } from "../settings/known-settings.ts";
import { createListSettings, settingsPlace } from "../settings/list-settings.ts";
import { findRedirected, type Redirected } from "../settings/redirected.ts";
import { LIST_CONFIG } from "../settings/remembered-settings.ts";
import { type CallRequest, judgeCall } from "./judge-call.ts";

interface Target {
  readonly gitDir: string;
  readonly workTree: string | null;
}

type Run<Options, Output> = (target: Target, args: readonly string[], options: Options) => GitAnswer<Output>;

interface GuardedCalls<Options, Output> {
  readonly run: Run<Options, Output>;
  /** Null if nothing watches; then all settings count as the user's. */
  readonly settings: KnownSettings | null;
}

/**
 * Wraps `run`: if an agent has planted settings or a link, the call is refused or gets safer options. `listOptions` are
 * those of the call that lists the settings.
 */
export function guardCalls<Options extends CallRequest, Output extends { readonly stdout: string }>(
  run: Run<Options, Output>,
  { watch, listOptions }: { readonly watch: SettingsWatch | undefined; readonly listOptions: Options },
): GuardedCalls<Options, Output> {
  const list = createListSettings(async ({ gitDir }) => {
    const target = { gitDir, workTree: null };
    const redirected = findRedirected(target);
    if (redirected !== null) return err(redirectedError(redirected, commandOf(LIST_CONFIG)));
    const listed = await run(target, LIST_CONFIG, listOptions);
    return listed.map(({ stdout }) => stdout);
  });
  const settings = watch === undefined ? null : createKnownSettings(watch, list);
  return {
    settings,
    run: async (target, args, options) => {
      const command = commandOf(args);
      const redirected = findRedirected(target);
      if (redirected !== null) return err(redirectedError(redirected, command));
      const planted = settings === null ? ok([]) : await settings.planted(settingsPlace(target));
      if (planted.isErr()) return err(planted.error);
      const judged = judgeCall(planted.value, { args, options, command });
      return judged.isErr() ? err(judged.error) : run(target, args, judged.value);
    },
  };
}

/** The length of a command in an error, in characters: a commit message is part of a command. */
const MAX_COMMAND_LENGTH = 300;

/** A command as errors name it. */
export function commandOf(args: readonly string[]): string {
  return redactUrl(["git", ...args].join(" ")).slice(0, MAX_COMMAND_LENGTH);
}

/** The error of a call whose git directory is redirected by a link. */
function redirectedError({ at, message }: Redirected, command: string): GitError {
  return { kind: "redirected", command, message, at: [at] };
}
