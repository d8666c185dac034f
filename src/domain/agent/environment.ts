/** Decides which of the user's environment variables an agent, or a script beside it, gets. */
import { FORGE_TOKENS } from "../forge/token-names.ts";

/** Names that never reach an agent; `*` stands for any run of characters. */
const WITHHELD = [...FORGE_TOKENS, "SSH_AUTH_SOCK", "GIT_*", "TAZUNA_*"];

/** Names of the list above whose values are secrets wherever they appear. */
const SECRET_NAME = /TOKEN|SECRET|PASS|KEY|CREDENTIAL/i;

interface AgentEnvironmentInput {
  /** The environment in which the person started Tazuna. */
  readonly user: Readonly<Record<string, string | undefined>>;
  /** `env.deny` of the configuration: names, `*` allowed. */
  readonly deny: readonly string[];
  /** Absolute; the working folder of the process. */
  readonly cwd: string;
  /** Set at the end, and not filtered by the lists: the plan's variables and our own `TAZUNA_*`. */
  readonly added: Readonly<Record<string, string>>;
}

interface WithSecrets {
  readonly forge: { readonly webhook_secret_env: string | null };
  readonly notify: { readonly webhook_secret_env: string | null };
}

/**
 * The variables that a configuration holds back: those that it lists, and those with the secrets of webhooks. A
 * repository's file that names another variable frees none of the person's own (`without`).
 */
export function heldBack(configuration: {
  readonly values: WithSecrets & { readonly env: { readonly deny: readonly string[] } };
  readonly without: WithSecrets;
}): readonly string[] {
  const { values, without } = configuration;
  const secrets = [values, without]
    .flatMap(({ forge, notify }) => [forge, notify])
    .flatMap(({ webhook_secret_env: name }) => name ?? []);
  return [...new Set([...values.env.deny, ...secrets])];
}

export interface AgentEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** Names of the user's variables that were left out, sorted. */
  readonly withheld: readonly string[];
  /** The withheld names whose values must not appear in a log: tokens, and all that `env.deny` names. */
  readonly secret: readonly string[];
}

/** The user's variables, minus those that an agent must not have, plus those of the plan. */
export function agentEnvironment(input: AgentEnvironmentInput): AgentEnvironment {
  const ours = matcher(WITHHELD);
  const denied = matcher(input.deny);
  const present = Object.entries(input.user).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const withheld = present
    .map(([name]) => name)
    .filter((name) => ours(name) || denied(name))
    .sort();
  const hidden = new Set(withheld);
  const inherited = present.filter(([name]) => !hidden.has(name));
  return {
    // Some programs trust PWD more than their own directory: the user's PWD would lead opencode to the user's
    // checkout.
    env: Object.fromEntries([...inherited, ...Object.entries(input.added), ["PWD", input.cwd]]),
    withheld,
    secret: withheld.filter((name) => denied(name) || SECRET_NAME.test(name)),
  };
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  const tests = patterns.map((pattern) => {
    const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    // Case does not matter: Windows ignores it, and elsewhere a secret in lower case is a secret too.
    return new RegExp(`^${parts.join(".*")}$`, "is");
  });
  return (name) => tests.some((test) => test.test(name));
}
