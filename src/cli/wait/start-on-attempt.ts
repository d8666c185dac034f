/** Starts a run in an existing task or attempt, asks about its scripts if need be, and waits for it. */

import type { Result } from "neverthrow";
import type { NamedAttempt } from "../../contract/client/named-thing.ts";
import type { TaskDocument } from "../../contract/task-document.ts";
import type { CliError } from "../shared/cli-options.ts";
import type { Outcome, Scope } from "../shared/command.ts";
import { tellIgnoredSettings } from "../shared/ignored-settings.ts";
import { onlyAttempts } from "../shared/resolve-id.ts";
import { withTrust } from "../shared/trust-scripts.ts";
import { startAndWait } from "./start-and-wait.ts";

interface StartOnTask {
  readonly scope: Scope;
  readonly document: TaskDocument;
  readonly flags: { readonly trust: boolean; readonly detach: boolean };
  /** Asks the engine; repeated if the scripts had to be trusted first. The answer has the attempts to wait for. */
  readonly ask: () => Promise<Result<TaskDocument, CliError>>;
  /** The text below the table of the ended runs. */
  readonly closing?: (document: TaskDocument) => string;
}

interface StartOnAttempt extends Omit<StartOnTask, "document"> {
  readonly found: NamedAttempt;
  /** Waits for the attempts that the answer names, and not for the one that was found. */
  readonly adds?: true;
}

export async function startOnAttempt({ found, adds, ask, ...start }: StartOnAttempt): Promise<Outcome> {
  const { attempt, document } = found;
  const only = async () => (await ask()).map((task) => onlyAttempts(task, [attempt.id]));
  return startOnTask({ ...start, document, ask: adds === true ? ask : only });
}

export async function startOnTask({ scope, document, flags, ask, ...start }: StartOnTask): Promise<Outcome> {
  const repository = document.task.repository.id;
  await tellIgnoredSettings(scope, repository);
  return startAndWait({
    ...start,
    scope,
    detach: flags.detach,
    start: () => withTrust({ scope, repository, trust: flags.trust }, ask),
  });
}
