/** Answers what our calls ask about the configuration from memory, so that few of them start a git. */
import type { ConfigPairs } from "../../domain/git-policy/hardening/settings.ts";
import type { GitAccess } from "../process/git-environment.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { commonDirByPlace } from "../settings/redirected.ts";
import { createRememberedSettings, LIST_CONFIG, settingsQuestion } from "../settings/remembered-settings.ts";

interface Target {
  readonly gitDir: string;
  readonly workTree: string | null;
}

/** The parts of a call that decide whether it is a plain question. */
interface AskedCall {
  readonly access?: GitAccess;
  readonly expect?: readonly number[];
  readonly identity?: "given" | "guessed";
  readonly config?: ConfigPairs;
  readonly extraEnv?: Readonly<Record<string, string>>;
  readonly shell?: { readonly env: Readonly<Record<string, string>> };
}

interface Output {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

type Run<Options> = (
  cwd: string,
  target: Target | null,
  args: readonly string[],
  options: Options,
) => GitAnswer<Output>;

/** The same `run`. A call with settings or variables of its own is always git's to answer. */
export function answerSettings<Options extends AskedCall>(
  run: Run<Options>,
  env: Readonly<Record<string, string>>,
): Run<Options> {
  const remembered = createRememberedSettings();
  return async (cwd, target, args, options) => {
    const answer = target !== null && isPlain(options) ? settingsQuestion(args) : null;
    if (target === null || answer === null) return run(cwd, target, args, options);
    const { gitDir } = target;
    const reader = { gitDir, commonDir: commonDirByPlace(gitDir), env: options.shell?.env ?? env };
    const answered = await remembered(reader, answer, () =>
      run(gitDir, { gitDir, workTree: null }, LIST_CONFIG, { ...options, expect: [0] }),
    );
    if (answered.isOk() && !(options.expect ?? [0]).includes(answered.value.exitCode))
      return run(cwd, target, args, options);
    return answered.map((given) => ({ ...given, stderr: "", truncated: false }));
  };
}

/** What does not change the answer of a question about settings. */
const HARMLESS = [
  "expect",
  "planted",
  "shell",
  "checkout",
  "timeoutMs",
  "signal",
  "beforeStart",
  "lockRetries",
];

function isPlain({ access = "local", identity = "guessed", config = {}, extraEnv = {}, ...more }: AskedCall) {
  const own = Object.keys(config).length + Object.keys(extraEnv).length;
  const isUsual = access === "local" && identity === "guessed" && own === 0;
  return isUsual && Object.keys(more).every((name) => HARMLESS.includes(name));
}
