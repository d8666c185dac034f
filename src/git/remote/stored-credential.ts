/** Asks git's own credential helpers, as the user configured them, for what they know of a host. */
import { exec } from "../../utils/exec.ts";
import { gitEnvironment } from "../process/git-environment.ts";
import { fieldsOf } from "./answer-credential.ts";

const HELPER_MS = 20_000;

/**
 * The password; null if no helper knows one. Nobody is asked: a helper that wants a person has no answer. The settings
 * of no repository count.
 */
export async function storedCredential(
  userEnv: Readonly<Record<string, string>>,
  { protocol, host }: { readonly protocol: string; readonly host: string },
): Promise<string | null> {
  const env = gitEnvironment({
    userEnv,
    access: "remote",
    workTree: null,
    commonDir: null,
    identity: "guessed",
    config: {},
    lent: null,
    extraEnv: { GIT_DIR: "/dev/null", GCM_INTERACTIVE: "never" },
  });
  const ended = await exec(["git", "credential", "fill"], {
    cwd: "/",
    env,
    stdin: { text: `protocol=${protocol}\nhost=${host}\n\n` },
    timeoutMs: HELPER_MS,
    maxOutputBytes: 64 * 1024,
  });
  if (!ended.started || ended.code !== 0) return null;
  return fieldsOf(ended.stdout).password || null;
}
