/** Drives Codex (`codex exec`) by its own JSON stream. */
import { join } from "node:path";
import { detectProgram } from "../detect.ts";
import type { Executor, LaunchPlan, LaunchRequest } from "../executor.ts";
import { launchEnv, placeOf } from "../launch.ts";
import { codexArgv } from "./argv.ts";
import { codexLogin, codexLoginKey } from "./login.ts";
import { codexParser } from "./parse-events.ts";
import { temporaryFolder } from "./settings.ts";

export const codex: Executor = {
  id: "codex",
  label: "Codex",
  author: "Codex <noreply@openai.com>",
  builtIn: true,
  detect: (profile, probe) =>
    detectProgram(profile, probe, {
      program: "codex",
      install: "`npm install --global @openai/codex`",
      login: codexLogin,
    }),
  plan,
  parser: codexParser,
  places: (env) => ({ folders: [placeOf(env, "CODEX_HOME", [".codex"])], files: [] }),
  login: codexLoginKey,
};

function plan(request: LaunchRequest): LaunchPlan {
  const temporary = temporaryFolder(request);
  const confined = request.isolation === "guard";
  return {
    argv: codexArgv(request),
    env: launchEnv(request.profile, confined ? { TMPDIR: temporary } : {}),
    stdin: "prompt",
    // The file makes the folder, which has to be there before the sandbox binds it.
    files: confined
      ? [{ path: join(temporary, "README"), content: "Temporary files of this run's commands.\n" }]
      : [],
    // The thread's id is Codex's own choice; its first event tells it.
    sessionId: request.session.resume,
  };
}
