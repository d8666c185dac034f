/** Finds an agent's program, asks its version, and judges its login from files and variables. */
import { join } from "node:path";
import type { AgentProfile, AgentReadiness, Probe } from "./executor.ts";
import { homeEnv, programOf } from "./launch.ts";
import { lastLine, oneLine } from "./shorten.ts";

/** What is known about a login without a network call. */
export type LoginState =
  | { readonly state: "ready" }
  | { readonly state: "unknown" }
  /** Clearly missing; the remedy is a sentence. */
  | { readonly state: "missing"; readonly remedy: string };

/** What a check of a login may read. */
export interface LoginFacts {
  /** The user's environment, overridden by the profile's own. */
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly exists: (path: string) => Promise<boolean>;
}

interface Detectable {
  /** The usual name on PATH. */
  readonly program: string;
  /** How to install it, as the end of a sentence. */
  readonly install: string;
  readonly login: (facts: LoginFacts) => Promise<LoginState>;
}

/** Whether the agent could run now; if not, what to do. */
export async function detectProgram(
  profile: AgentProfile,
  probe: Probe,
  what: Detectable,
): Promise<AgentReadiness> {
  const [program = what.program, ...first] = programOf(profile, what.program);
  const binary = await probe.which(program);
  if (binary === null) return missing(profile, program, what);
  const answer = await probe.run([binary, ...first, "--version"]);
  const version = versionIn(answer?.stdout ?? "");
  if (answer === null || answer.code !== 0) {
    const reason = oneLine(lastLine(answer?.stderr ?? ""), 200);
    const how = reason === "" ? "did not answer" : `failed: ${reason}`;
    return {
      version,
      ready: false,
      reason: `\`${program} --version\` ${how}. Install it again: ${what.install}.`,
      binary,
    };
  }
  return { version, binary, ...readiness(await what.login(loginFacts(profile, probe))) };
}

/** For a program that only the configuration names. It may not support `--version`, so it is only searched for. */
export async function detectConfigured(profile: AgentProfile, probe: Probe): Promise<AgentReadiness> {
  const setting = `\`agents.${profile.id}.command\` in the configuration`;
  const unready = (reason: string): AgentReadiness => ({ version: null, ready: false, reason, binary: null });
  const program = profile.command?.[0];
  if (program === undefined) return unready(`It has no program. Set ${setting}.`);
  const binary = await probe.which(program);
  if (binary === null) return unready(`${program} was not found or cannot be run. Mend ${setting}.`);
  return { version: null, ready: true, reason: null, binary };
}

function missing(profile: AgentProfile, program: string, what: Detectable): AgentReadiness {
  const remedy =
    profile.command === null
      ? `Install it: ${what.install}; or name its binary in \`agents.${profile.id}.command\`.`
      : `Mend \`agents.${profile.id}.command\` in the configuration.`;
  return { version: null, ready: false, reason: `${program} was not found. ${remedy}`, binary: null };
}

function readiness(login: LoginState): { readonly ready: boolean; readonly reason: string | null } {
  switch (login.state) {
    case "ready":
      return { ready: true, reason: null };
    case "unknown":
      return { ready: true, reason: "login could not be checked" };
    case "missing":
      return { ready: false, reason: `Not logged in. ${login.remedy}` };
  }
}

/** The version in a program's output, such as `2.1.330 (Claude Code)`. */
function versionIn(printed: string): string | null {
  return /\d+\.\d+(?:\.\d+)*[-+.\w]*/.exec(printed)?.[0] ?? null;
}

function loginFacts(profile: AgentProfile, probe: Probe): LoginFacts {
  const env = { ...probe.env, ...homeEnv(profile.home), ...profile.env };
  const home = env.HOME ?? env.USERPROFILE ?? "";
  return { env, home, exists: (path) => probe.exists(path) };
}

/** Whether any of the variables has a value. */
export const hasAny = (facts: LoginFacts, names: readonly string[]): boolean =>
  names.some((name) => (facts.env[name] ?? "") !== "");

/** Whether any of the files exists. */
export async function existsAny(facts: LoginFacts, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (await facts.exists(path)) return true;
  return false;
}

/** The folder that a variable names, else the usual one below HOME. */
export const folderOf = (facts: LoginFacts, name: string, usual: readonly string[]): string =>
  facts.env[name] || join(facts.home, ...usual);

/**
 * The key under which runs share rate limits. It contains the executor and what distinguishes this login from the
 * user's usual one. That is its HOME, its configuration folder, or a key of its own (only as a digest).
 */
export function loginKey(
  profile: AgentProfile,
  names: { readonly folders: readonly string[]; readonly secrets: readonly string[] },
): string {
  const folders = [profile.home, ...names.folders.map((name) => profile.env[name])].filter(Boolean);
  const secrets = names.secrets.map((name) => profile.env[name] ?? "").filter((value) => value !== "");
  // Imported only when needed: no keeper needs it, and its import takes Bun longer than a keeper's start.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const digest = createHash("sha256").update(secrets.join("\n")).digest("hex").slice(0, 12);
  return [profile.executor, ...folders, ...(secrets.length > 0 ? [digest] : [])].join(":");
}
