/** Is the credential helper that Tazuna lends to one git call: asks the programs of the forges, then the tokens it was given. */
import { type HostToken, isLoopback } from "../domain/forge/token-hosts.ts";
import { isForgeToken } from "../domain/forge/token-names.ts";
import { exec } from "../utils/exec.ts";

export interface CredentialQuestion {
  /** What git writes to a helper: `protocol=https`, `host=github.com` and the like. */
  readonly request: string;
  /** The whole environment of the helper. */
  readonly env: Readonly<Record<string, string>>;
  readonly tokens: readonly HostToken[];
}

/** What the helper prints: two lines, or nothing where it knows nothing. */
export async function answerCredential(question: CredentialQuestion): Promise<string> {
  const asked = fieldsOf(question.request);
  const { protocol, host } = asked;
  if (host === undefined || !isSafe(protocol, host)) return "";
  for (const program of PROGRAMS) {
    const said = await askProgram(program, { ...question, host });
    if (said !== null) return said;
  }
  const token = question.tokens.find((one) => one.protocol === protocol && one.host === host);
  return token === undefined
    ? ""
    : answer({ username: asked.username || token.username, ...passwordOf(token) });
}

const passwordOf = ({ password }: HostToken) => ({ password });

/** A token is never sent where others could read it on the way. */
function isSafe(protocol: string | undefined, host: string): boolean {
  if (protocol === "https") return true;
  return protocol === "http" && isLoopback(host.replace(/:\d+$/, ""));
}

interface ForgeProgram {
  readonly argv: readonly string[];
  /** The host that it takes the tokens of the environment for; what is logged in is bound to its host anyway. */
  readonly ownHost: (env: Readonly<Record<string, string>>) => string;
}

const PROGRAMS: readonly ForgeProgram[] = [
  { argv: ["gh", "auth", "git-credential", "get"], ownHost: ({ GH_HOST }) => GH_HOST || "github.com" },
  {
    argv: ["glab", "auth", "git-credential", "get"],
    ownHost: ({ GITLAB_HOST }) => GITLAB_HOST || "gitlab.com",
  },
];

const PROGRAM_MS = 20_000;

/** Null where the program is not there, or knows nothing. Only user name and password of its answer count. */
async function askProgram(
  { argv, ownHost }: ForgeProgram,
  { request, env, host }: CredentialQuestion & { readonly host: string },
): Promise<string | null> {
  const isOwn =
    ownHost(env)
      .replace(/^https?:\/\//, "")
      .replace(/\/$/, "") === host;
  const ended = await exec(argv, {
    cwd: "/",
    env: {
      ...(isOwn ? env : withoutTokens(env)),
      GH_PROMPT_DISABLED: "1",
      NO_PROMPT: "1",
      GLAB_CHECK_UPDATE: "false",
    },
    stdin: { text: `${request.trimEnd()}\n\n` },
    timeoutMs: PROGRAM_MS,
    maxOutputBytes: 64 * 1024,
  });
  if (!ended.started || ended.code !== 0) return null;
  const { username, password } = fieldsOf(ended.stdout);
  return username && password ? answer({ username, password }) : null;
}

/** These programs would give a token of the environment to any host that somebody writes into a remote. */
function withoutTokens(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !isForgeToken(name) && name !== "OAUTH_TOKEN"),
  );
}

function answer({ username, password }: { readonly username: string; readonly password: string }): string {
  return `username=${username}\npassword=${password}\n`;
}

/** `KEY=VALUE` lines up to the first empty one. */
function fieldsOf(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n\n", 1)[0]?.split("\n") ?? [];
  return Object.fromEntries(
    lines
      .filter((line) => line.includes("="))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}
