/** Drives Codex (`codex exec`) by its own JSON stream: its login, its places and its command line. */
import { join } from "node:path";
import {
  detectProgram,
  existsAny,
  folderOf,
  hasAny,
  type LoginFacts,
  type LoginState,
  loginKey,
} from "../shared/detect.ts";
import type { AgentPlaces, Executor, LaunchPlan, LaunchRequest, SessionFiles } from "../shared/executor.ts";
import { isObject, type JsonObject, object, objectOf, textOrNull } from "../shared/json.ts";
import { configIn, launchEnv, NOTHING_SET, placeOf, programOf } from "../shared/launch.ts";
import { codexParser, codexTotals } from "./parse-events.ts";
import { codexConfig, hookOf, temporaryFolder } from "./settings.ts";

/**
 * Its stream does not name the model. The files `sessions/YEAR/MONTH/DAY/rollout-TIME-THREAD.jsonl` do, in each
 * `turn_context`. They also hold the counters, in each `token_count`.
 */
const SESSIONS: SessionFiles = {
  folder: (env) => join(placeOf(env, "CODEX_HOME", [".codex"]), "sessions"),
  isOf: (name, sessionId) => name.startsWith("rollout-") && name.endsWith(`-${sessionId}.jsonl`),
  model: (text) => {
    for (const payload of newest(text, "turn_context")) {
      const model = textOrNull(payload.model);
      if (model !== null) return model;
    }
    return null;
  },
  totals: (text) => {
    for (const { type, info } of newest(text, "event_msg")) {
      const usage = object(info).total_token_usage;
      if (type === "token_count" && isObject(usage)) return codexTotals(usage);
    }
    return null;
  },
};

/** The payloads of the entries of one type, the newest first. */
function* newest(text: string, type: string): Generator<JsonObject> {
  const lines = text.split("\n").filter((line) => line.includes(`"${type}"`));
  for (const line of lines.toReversed()) {
    const entry = objectOf(line);
    if (entry?.type === type) yield object(entry.payload);
  }
}

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
  sessions: SESSIONS,
  login: (profile) =>
    loginKey(profile, { folders: ["CODEX_HOME"], secrets: ["CODEX_API_KEY", "OPENAI_API_KEY"] }),
};

/** Without `skills`: Codex writes its own skills into `skills/.system` at each start. */
const CONFIG = {
  folders: ["prompts", "rules"],
  files: { "AGENTS.md": "", "AGENTS.override.md": "", "config.toml": "", "hooks.json": NOTHING_SET },
};

function places(env: Readonly<Record<string, string>>): AgentPlaces {
  const folder = placeOf(env, "CODEX_HOME", [".codex"]);
  return { folders: [folder], files: [], config: configIn(folder, CONFIG), own: [] };
}

function plan(request: LaunchRequest): LaunchPlan {
  const temporary = temporaryFolder(request);
  const confined = request.isolation === "guard";
  return {
    argv: codexArgv(request),
    env: launchEnv(request.profile, confined ? { TMPDIR: temporary } : {}),
    stdin: "prompt",
    // Writing the file makes its folder, which must exist before the sandbox binds it.
    files: confined
      ? [{ path: join(temporary, "README"), content: "Temporary files of this run's commands.\n" }]
      : [],
    // Codex chooses the id of the thread; its first event tells it.
    sessionId: request.session.resume,
  };
}

async function codexLogin(facts: LoginFacts): Promise<LoginState> {
  const folder = folderOf(facts, "CODEX_HOME", [".codex"]);
  if (hasAny(facts, ["CODEX_API_KEY"])) return { state: "ready" };
  if (await existsAny(facts, [join(folder, "auth.json")])) return { state: "ready" };
  // A provider or a keyring that config.toml names cannot be checked from outside.
  if (hasAny(facts, ["OPENAI_API_KEY"])) return { state: "unknown" };
  if (await existsAny(facts, [join(folder, "config.toml")])) return { state: "unknown" };
  return { state: "missing", remedy: "Run `codex login`, or set CODEX_API_KEY." };
}

/**
 * `codex exec`, events as JSON lines, the prompt on stdin (`-`). A resumed thread takes neither `--cd` nor
 * `--sandbox`. It works in the folder of the process, and configuration sets the sandbox.
 */
function codexArgv(request: LaunchRequest): readonly string[] {
  const { profile, session, worktree } = request;
  const settings = codexConfig(request).flatMap(([key, value]) => ["--config", `${key}=${value}`]);
  const model = profile.model === null ? [] : ["--model", profile.model];
  const mode = sandboxMode(request);
  const first = ["exec", "--json", "--cd", worktree, "--sandbox", mode];
  const resumed = ["exec", "resume", "--json", "--config", `sandbox_mode="${mode}"`];
  return [
    ...programOf(profile, "codex"),
    ...(session.resume === null ? first : resumed),
    ...model,
    ...settings,
    ...hookOf(request).map(() => "--dangerously-bypass-hook-trust"),
    ...profile.args,
    ...(session.resume === null ? ["-"] : [session.resume, "-"]),
  ];
}

/** Its own sandbox also forbids loopback, so it is off inside ours. */
function sandboxMode(request: LaunchRequest): "danger-full-access" | "workspace-write" {
  return request.isolation === "sandbox" ? "danger-full-access" : "workspace-write";
}
