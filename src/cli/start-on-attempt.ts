/** Starts a run in an attempt that is there, asks about its scripts where it has to, and waits for it. */
import type { Result } from "neverthrow";
import type { TaskDocument } from "../contract/task-document.ts";
import type { CliError } from "./cli-options.ts";
import type { Outcome, Scope } from "./command.ts";
import type { Engine } from "./engine.ts";
import { tellIgnoredSettings } from "./ignored-settings.ts";
import { type FoundAttempt, onlyAttempts } from "./resolve-id.ts";
import { startAndWait } from "./start-and-wait.ts";
import { withTrust } from "./trust-scripts.ts";

export interface StartOnAttempt {
  readonly scope: Scope;
  readonly engine: Engine;
  readonly found: FoundAttempt;
  readonly flags: { readonly trust: boolean; readonly detach: boolean };
  /** Asks the engine; made once more where the scripts had to be trusted first. */
  readonly ask: () => Promise<Result<TaskDocument, CliError>>;
}

export async function startOnAttempt({ scope, engine, found, flags, ask }: StartOnAttempt): Promise<Outcome> {
  const { attempt, document } = found;
  const repository = document.task.repository.id;
  await tellIgnoredSettings(scope, engine, repository);
  return startAndWait({
    scope,
    engine,
    detach: flags.detach,
    start: async () => {
      const started = await withTrust(
        { terminal: scope.terminal, engine, repository, trust: flags.trust },
        ask,
      );
      return started.map((task) => onlyAttempts(task, [attempt.id]));
    },
  });
}
