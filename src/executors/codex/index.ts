/** Drives Codex (`codex exec`) by its own JSON stream. */
import { join } from "node:path";
import { detectProgram } from "../detect.ts";
import type { AgentPlaces, Executor, LaunchPlan, LaunchRequest } from "../executor.ts";
import { launchEnv, NOTHING_SET, obeyedIn, placeOf } from "../launch.ts";
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
  places,
  login: codexLoginKey,
};

/** Its own skills, which it writes at each start, lie in `skills/.system`. */
const OBEYED = {
  folders: ["prompts", "rules"],
  files: { "AGENTS.md": "", "AGENTS.override.md": "", "config.toml": "", "hooks.json": NOTHING_SET },
};

function places(env: Readonly<Record<string, string>>): AgentPlaces {
  const folder = placeOf(env, "CODEX_HOME", [".codex"]);
  return { folders: [folder], files: [], obeyed: obeyedIn(folder, OBEYED), own: [] };
}

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
