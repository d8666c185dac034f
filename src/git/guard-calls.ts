/** Puts a look at the place and at the settings in front of every git call that is about a repository. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { judgeCall, redirectedError, type Wish } from "./judge-call.ts";
import { createKnownSettings, type KnownSettings, type SettingsWatch } from "./known-settings.ts";
import { createListSettings, settingsPlace } from "./list-settings.ts";
import { redactUrl } from "./redact-url.ts";
import { findRedirected } from "./redirected.ts";

interface Target {
  readonly gitDir: string;
  readonly workTree: string | null;
}

type Run<Options, Output> = (
  target: Target,
  args: readonly string[],
  options: Options,
) => Promise<Result<Output, GitError>>;

interface GuardedCalls<Options, Output> {
  readonly run: Run<Options, Output>;
  /** Null where nobody watches: whatever the settings say is the user's then. */
  readonly settings: KnownSettings | null;
}

const LIST_CONFIG = ["config", "--list", "--includes", "--show-scope", "--show-origin", "--null"];

/** `run` is refused, or gets other options, where an agent has planted settings or a link. */
export function guardCalls<Options extends Wish, Output extends { readonly stdout: string }>(
  run: Run<Options, Output>,
  of: { readonly watch: SettingsWatch | undefined; readonly plain: Options },
): GuardedCalls<Options, Output> {
  const list = createListSettings(async ({ gitDir }) => {
    const target = { gitDir, workTree: null };
    const redirected = findRedirected(target);
    if (redirected !== null) return err(redirectedError(redirected, commandOf(LIST_CONFIG)));
    const listed = await run(target, LIST_CONFIG, of.plain);
    return listed.map(({ stdout }) => stdout);
  });
  const settings = of.watch === undefined ? null : createKnownSettings(of.watch, list);
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

/** Of a command in an error, in characters: a commit message is part of one. */
const LONGEST_COMMAND = 300;

/** A command as errors name it. */
export function commandOf(args: readonly string[]): string {
  return redactUrl(["git", ...args].join(" ")).slice(0, LONGEST_COMMAND);
}
