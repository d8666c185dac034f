/** Starts a run in an existing attempt, asks about its scripts if need be, and waits for it. */
import type { Result } from "neverthrow";
import type { TaskDocument } from "../../contract/task-document.ts";
import type { CliError } from "../shared/cli-options.ts";
import type { Outcome, Scope } from "../shared/command.ts";
import { tellIgnoredSettings } from "../shared/ignored-settings.ts";
import { type FoundAttempt, onlyAttempts } from "../shared/resolve-id.ts";
import { withTrust } from "../shared/trust-scripts.ts";
import { startAndWait } from "./start-and-wait.ts";

interface StartOnAttempt {
  readonly scope: Scope;
  readonly found: FoundAttempt;
  /** Waits for the attempts that the answer names, and not for the one that was found. */
  readonly adds?: true;
  readonly flags: { readonly trust: boolean; readonly detach: boolean };
  /** Asks the engine; repeated if the scripts had to be trusted first. */
  readonly ask: () => Promise<Result<TaskDocument, CliError>>;
}

export async function startOnAttempt({ scope, found, adds, flags, ask }: StartOnAttempt): Promise<Outcome> {
  const { attempt, document } = found;
  const repository = document.task.repository.id;
  await tellIgnoredSettings(scope, repository);
  return startAndWait({
    scope,
    detach: flags.detach,
    start: async () => {
      const started = await withTrust({ scope, repository, trust: flags.trust }, ask);
      return adds === true ? started : started.map((task) => onlyAttempts(task, [attempt.id]));
    },
  });
}
