/** Makes a private HOME for a real agent CLI: it uses a scripted model, and its network features are off. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AgentProfile } from "../../src/executors/shared/executor.ts";
import { OUTSIDE_DEV, tempDir } from "./temp-dir.ts";

export type RealAgentId = "claude-code" | "codex" | "gemini" | "opencode";

export interface AgentHome extends AsyncDisposable {
  /** Real absolute path of the private HOME. */
  readonly path: string;
  /** What the CLI needs in its environment beside PATH: HOME, TMPDIR, a key that opens nothing, the switches. */
  readonly env: Readonly<Record<string, string>>;
  /** A model name that the CLI knows. */
  readonly model: string;
  /** The same as settings of an agent in Tazuna's configuration (`agents.NAME`). */
  readonly profile: Pick<AgentProfile, "model" | "args" | "env" | "home">;
}

/**
 * A new HOME for `agent` whose model is the one at `url`; gone when its scope ends. It lowers the CLI's own retries, so that
 * a scripted error shows within seconds.
 */
export async function agentHome(agent: RealAgentId, options: { readonly url: string }): Promise<AgentHome> {
  const folder = await tempDir(OUTSIDE_DEV);
  const { model, files, env: switches } = SETUPS[agent]({ url: options.url, home: folder.path });
  const tmp = join(folder.path, "tmp");
  await mkdir(tmp);
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder.path, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return {
    path: folder.path,
    env: { HOME: folder.path, TMPDIR: tmp, ...switches },
    model,
    // Where temporary files go is the executor's own choice.
    profile: { model, args: [], env: switches, home: folder.path },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

interface Setup {
  readonly model: string;
  readonly env: Readonly<Record<string, string>>;
  /** Path below the HOME → content. */
  readonly files: Readonly<Record<string, string>>;
}

const SETUPS: Readonly<Record<RealAgentId, (at: { readonly url: string; readonly home: string }) => Setup>> =
  {
    "claude-code": ({ url }) => ({
      model: "claude-sonnet-4-5",
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: "fake",
        CLAUDE_CODE_MAX_RETRIES: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        DISABLE_TELEMETRY: "1",
        DISABLE_ERROR_REPORTING: "1",
      },
      // As on a machine where it was used before: it writes this file at every start.
      files: { ".claude.json": "{}" },
    }),
    codex: ({ url, home }) => ({
      model: "gpt-5.5",
      env: { CODEX_HOME: join(home, ".codex"), LOCAL_MODEL_KEY: "fake" },
      files: { ".codex/config.toml": codexConfig(url) },
    }),
    gemini: ({ url }) => ({
      model: "gemini-2.5-pro",
      env: {
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_API_KEY: "fake",
        GEMINI_CLI_NO_RELAUNCH: "true",
        TERM: "xterm-256color",
      },
      files: { ".gemini/settings.json": JSON.stringify(GEMINI_SETTINGS, null, 2) },
    }),
    opencode: ({ url }) => ({
      model: "local/fake-model",
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        // It installs types for plugins beside its configuration, in the background, and does well without.
        npm_config_offline: "true",
      },
      files: { ".config/opencode/opencode.json": JSON.stringify(opencodeConfig(url), null, 2) },
    }),
  };

/** Codex asks for its update and for its apps at the start unless all of these are off. */
const codexConfig = (url: string) => `model_provider = "local"
check_for_update_on_startup = false

[model_providers.local]
name = "local"
base_url = "${url}/v1"
env_key = "LOCAL_MODEL_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1

[analytics]
enabled = false

[features]
apps = false
plugins = false
remote_plugin = false

[otel]
exporter = "none"
metrics_exporter = "none"
trace_exporter = "none"
`;

const GEMINI_SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  ide: { enabled: false },
};

/** One provider, and its prices: in dollars for a million tokens. */
const opencodeConfig = (url: string) => ({
  autoupdate: false,
  share: "disabled",
  model: "local/fake-model",
  small_model: "local/fake-model",
  enabled_providers: ["local"],
  provider: {
    local: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${url}/v1`, apiKey: "fake" },
      models: {
        "fake-model": {
          name: "The scripted model",
          cost: { input: 1, output: 5 },
          limit: { context: 200_000, output: 8192 },
        },
      },
    },
  },
});
