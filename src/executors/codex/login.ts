/** Looks for a login of Codex in variables and files. */
import { join } from "node:path";
import { existsAny, folderOf, hasAny, type LoginFacts, type LoginState, loginKey } from "../detect.ts";
import type { AgentProfile } from "../executor.ts";

export async function codexLogin(facts: LoginFacts): Promise<LoginState> {
  const folder = folderOf(facts, "CODEX_HOME", [".codex"]);
  if (hasAny(facts, ["CODEX_API_KEY"])) return { state: "ready" };
  if (await existsAny(facts, [join(folder, "auth.json")])) return { state: "ready" };
  // A provider or a keyring that config.toml names cannot be judged from outside.
  if (hasAny(facts, ["OPENAI_API_KEY"])) return { state: "unknown" };
  if (await existsAny(facts, [join(folder, "config.toml")])) return { state: "unknown" };
  return { state: "missing", remedy: "Run `codex login`, or set CODEX_API_KEY." };
}

export function codexLoginKey(profile: AgentProfile): string {
  return loginKey(profile, { folders: ["CODEX_HOME"], secrets: ["CODEX_API_KEY", "OPENAI_API_KEY"] });
}
