/** Decides which settings a command's environment gives to one task, and which hold for a whole engine. */

/**
 * Single values that concern one task and that a file of the repository could set too (loosened limits need trust).
 * So sending them gives no further rights. None of these keys names a secret, since they are stored with the task.
 */
export const TASK_SETTINGS = [
  "base",
  "remote",
  "push_remote",
  "branch",
  "publish",
  "gate.max_file_mib",
  "hooks",
  "sign",
  "submodules",
  "isolation",
  "sandbox.network",
  "limits.timeout_s",
  "limits.stall_s",
  "limits.setup_s",
  "limits.git_s",
  "limits.cost_usd",
] as const;

/** Single values that an engine takes only from its own start and files: shared limits, and where credentials go. */
export const ENGINE_SETTINGS = [
  "forge.kind",
  "forge.api_url",
  "forge.poll_s",
  "forge.fix_loop.enabled",
  "forge.fix_loop.attempts",
  "forge.delete_remote_branch",
  "forge.webhook_secret_env",
  "notify.webhook",
  "notify.webhook_secret_env",
  "terminal",
  "limits.parallel",
  "limits.per_repository",
  "limits.per_login",
  "limits.clone_s",
] as const;

type TaskSetting = (typeof TASK_SETTINGS)[number];

/** By dotted key; a text may stand for a number or a truth, as in a variable. */
export type TaskSettings = Readonly<Partial<Record<TaskSetting, SettingValue>>>;

type SettingValue = string | number | boolean;

/** The settings of a command's environment, as text. */
interface EnvironmentSettings {
  /** Sent with the command's requests. */
  readonly task: TaskSettings;
  /** Taken by an engine that starts with this environment. */
  readonly engine: readonly { readonly variable: string; readonly key: string; readonly text: string }[];
}

/** The variable that sets a dotted key. */
export function variableFor(key: string): string {
  return `TAZUNA_${key.replaceAll(".", "_").toUpperCase()}`;
}

export function settingsOfEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): EnvironmentSettings {
  const set = (key: string) => ({ variable: variableFor(key), key, text: env[variableFor(key)] ?? "" });
  return {
    task: Object.fromEntries(
      TASK_SETTINGS.map(set).flatMap(({ key, text }) => (text === "" ? [] : [[key, text]])),
    ),
    engine: ENGINE_SETTINGS.map(set).filter(({ text }) => text !== ""),
  };
}

/** The environment for an engine that a command starts for all: without the settings of that command's own tasks. */
export function withoutTaskSettings(env: Readonly<Record<string, string>>): Record<string, string> {
  const own = new Set(TASK_SETTINGS.map(variableFor));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.has(name)));
}
