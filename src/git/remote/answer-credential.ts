/** Runs as the credential helper that Tazuna lends to one git call: asks the forges' programs, then its tokens. */
import { type HostToken, isLoopback } from "../../domain/forge/token-hosts.ts";
import { isForgeToken } from "../../domain/forge/token-names.ts";
import { exec } from "../../utils/exec.ts";

interface CredentialQuestion {
  /** What git writes to a helper: `protocol=https`, `host=github.com` and the like. */
  readonly request: string;
  /** The whole environment of the helper. */
  readonly env: Readonly<Record<string, string>>;
  readonly tokens: readonly HostToken[];
}

/** What the helper prints: two lines, or nothing if it has no answer. */
export async function answerCredential(question: CredentialQuestion): Promise<string> {
  const asked = fieldsOf(question.request);
  const { protocol, host } = asked;
  if (host === undefined || !isSafe(protocol, host)) return "";
  for (const program of PROGRAMS) {
    const answer = await askProgram(program, { ...question, host });
    if (answer !== null) return answer;
  }
  const token = question.tokens.find((one) => one.protocol === protocol && one.host === host);
  return token === undefined
    ? ""
    : answer({ username: asked.username || token.username, ...passwordOf(token) });
}

const passwordOf = ({ password }: HostToken) => ({ password });

/** A token is never sent over a connection that others could read. */
function isSafe(protocol: string | undefined, host: string): boolean {
  if (protocol === "https") return true;
  return protocol === "http" && isLoopback(host.replace(/:\d+$/, ""));
}

interface ForgeProgram {
  readonly argv: readonly string[];
  /** The host that the environment's tokens are for. Stored logins belong to their host anyway. */
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

/** Null if the program is missing or has no answer. Only user name and password of its answer are used. */
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

/** These programs would send an environment token to any host that a remote's address names. */
function withoutTokens(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !isForgeToken(name) && name !== "OAUTH_TOKEN"),
  );
}

function answer({ username, password }: { readonly username: string; readonly password: string }): string {
  return `username=${username}\npassword=${password}\n`;
}

/** `KEY=VALUE` lines up to the first empty line. */
export function fieldsOf(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n\n", 1)[0]?.split("\n") ?? [];
  return Object.fromEntries(
    lines
      .filter((line) => line.includes("="))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}
