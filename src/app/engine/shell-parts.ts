/** Makes what depends on an environment: that of the engine's start, or that of a shell that asks. */
import { createRedactor, type Redactor, secretValues } from "../../domain/agent/redact.ts";
import { type HostNames, takeTokens } from "../../domain/forge/token-hosts.ts";
import { FORGE_TOKENS } from "../../domain/forge/token-names.ts";
import { inShell } from "../../git/runner/git-variants.ts";
import type { Git, GitShell } from "../../git/runner/run-git.ts";
import type { Shell } from "../../services/core/context.ts";
import type { Uses } from "../../services/core/context-parts.ts";
import type { Settings } from "../process/settings.ts";
import { createForgeToken } from "./forge-token.ts";
import { createLender } from "./lend-credentials.ts";
import { createProbe } from "./probe.ts";

/** The part of the settings that a shell brings along. */
type Surroundings = Pick<Settings, "env" | "tokens">;

interface ShellPartsOptions extends Pick<Settings, "selfCommand"> {
  /**
   * The first holds before the others. The tokens of the others, which are the engine's, are lent too, and are
   * redacted in logs.
   */
  readonly surroundings: readonly [Surroundings, ...Surroundings[]];
  /** The data folder. */
  readonly root: string;
  /** The variable by which git's processes are found. */
  readonly marker: { readonly name: string; readonly value: string };
  /** As the person's settings name it now. */
  readonly forge: () => HostNames["forge"];
}

interface ShellParts extends Uses<"userEnv" | "tokens" | "forgeToken" | "probe" | "reportFault"> {
  readonly git: GitShell;
}

export function createShellParts({
  surroundings,
  root,
  marker,
  forge,
  selfCommand,
}: ShellPartsOptions): ShellParts {
  const { env } = surroundings[0];
  const reported = redactorOf(surroundings);
  return {
    userEnv: env,
    tokens: surroundings.flatMap(({ tokens }) => Object.values(tokens)),
    forgeToken: createForgeToken(surroundings, forge),
    probe: createProbe({ env, cwd: root }),
    git: {
      env: { ...env, [marker.name]: marker.value },
      lend: createLender(surroundings, { selfCommand, forge }),
      redact: reported.text,
    },
    reportFault: (what, error) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(`${new Date().toISOString()} ${reported.text(`${what}: ${text}`)}\n`);
    },
  };
}

/** The parts of the context for a shell's environment. `own` is about the engine. */
export function shellMaker(
  own: ShellPartsOptions,
  git: Git,
): (variables: Readonly<Record<string, string>>) => Omit<Shell, "id"> {
  return (variables) => {
    const parts = createShellParts({ ...own, surroundings: [takeTokens(variables), ...own.surroundings] });
    return { ...parts, git: inShell(git, parts.git) };
  };
}

/** Redacts what the engine says of itself and of git. */
function redactorOf(all: readonly Surroundings[]): Redactor {
  const values = all.flatMap(({ env, tokens }) => [
    ...Object.values(tokens),
    ...secretValues(env, { names: FORGE_TOKENS }),
  ]);
  return createRedactor({ values });
}
