/** Starts the shell of a terminal in an attempt's worktree: confined as the attempt's checks are, with a git that reads. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { Run } from "../../domain/run/run.ts";
import { formatMessage, TERMINAL_MARKER, type TerminalSize } from "../../keeper/terminal/messages.ts";
import { startProcess } from "../../utils/exec.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import { startCompanion } from "../../utils/programs/companion.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { pathsApart, worldApart } from "../confinement/apart.ts";
import { confineRun, programEnvironment } from "../confinement/confine-run.ts";
import { guardFolder, guardRun } from "../confinement/guard-run.ts";
import type { ConfinedContext, Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import type { OpenTerminal } from "../core/open-terminal.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import { handAttempt } from "../run-core/attempt-variables.ts";
import type { RunWorld } from "../run-core/step.ts";
import { createOutputWindow } from "./output-window.ts";
import { personShell } from "./person-shell.ts";
import { createSession } from "./terminal-session.ts";

interface TerminalStart {
  readonly id: string;
  readonly place: AttemptPlace;
  readonly configuration: LoadedConfiguration;
  /** See `worldApart`. */
  readonly run: Run;
  readonly size: TerminalSize;
  /** See `OpenTerminal`. */
  readonly outside: boolean;
  /** Aborts if it is not wanted any more before it is there. */
  readonly signal: AbortSignal;
}

type StartContext = ConfinedContext & Uses<"reportFault" | "terminals">;

const KIB = 1024;

/** The error is a sentence. */
export async function startTerminal(
  engine: StartContext,
  start: TerminalStart,
): Promise<Result<OpenTerminal, string>> {
  const folder = terminalFolder(engine, start.id);
  const context = withRepositoryGit(
    { ...engine, paths: pathsApart(engine.paths, folder) },
    { ...start.place, configuration: start.configuration },
  );
  const started = await startHost(context, start, worldApart(start)).catch(
    (error: unknown): Result<never, string> => err(error instanceof Error ? error.message : String(error)),
  );
  if (started.isErr()) await removeTree(folder);
  return started;
}

async function startHost(
  context: StartContext,
  start: TerminalStart,
  world: RunWorld,
): Promise<Result<OpenTerminal, string>> {
  const { id, size, outside, signal } = start;
  const confined = await confineRun(context, world);
  if (confined.isErr()) return err(confined.error.message);
  const confinement = confined.value;
  const folder = guardFolder(context, id);
  const added = await handAttempt(context, world);
  const made = await programEnvironment(context, world, { added, confinement });
  if (made.isErr()) return err(made.error.message);
  // The sandbox holds git; the guard says what to do instead.
  const guard = confinement.isolation === "sandbox" ? await guardRun(context, world, made.value.env) : ok({});
  if (guard.isErr()) return err(guard.error.message);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const env = { ...made.value.env, ...guard.value };
  const shell = await personShell(env, { folder });
  const command = await confinement.command({
    argv: shell.argv,
    writable: [],
    readOnly: [folder],
    inTerminal: true,
  });
  const beside =
    command.beside === null ? null : await startCompanion(command.beside, { cwd: "/", env: {}, signal });
  if (beside?.started === false) return err(`The network could not be given: ${beside.message}`);
  const endBeside = async () => void (await beside?.end());
  const output = createOutputWindow({ behind: 64 * KIB, ahead: 256 * KIB, piece: 32 * KIB });
  const host = await startProcess([...context.selfCommand, "__terminal"], {
    cwd: "/",
    env: {},
    marker: { name: TERMINAL_MARKER, value: id },
    onStdout: output.add,
    onStderr: (bytes) => context.reportFault("a terminal", new TextDecoder().decode(bytes)),
  });
  if (!host.started) {
    await endBeside();
    return err(host.error.message);
  }
  const { worktree } = world.attempt;
  const order = { argv: command.argv, cwd: worktree, env: { ...env, ...shell.env }, id, size };
  void host.process.write(formatMessage(order));
  return ok(
    createSession({
      of: { attemptId: world.attempt.id, outside },
      host: host.process,
      output,
      absentMs: context.timing.terminalMs,
      onGone: async () => {
        await endBeside();
        await removeTree(terminalFolder(context, id)).catch((error) =>
          context.reportFault("a terminal", error),
        );
      },
      onForgotten: () => context.terminals.delete(id),
    }),
  );
}

function terminalFolder({ paths }: Uses<"paths">, id: string): string {
  return join(paths.terminals, id);
}
