/** Looks for a login of opencode in variables and files. */
import { join } from "node:path";
import { existsAny, folderOf, type LoginFacts, type LoginState, loginKey } from "../detect.ts";
import type { AgentProfile } from "../executor.ts";

/** It speaks to many providers, by keys, files and free models: a login is seen or unknown, never clearly missing. */
export async function opencodeLogin(facts: LoginFacts): Promise<LoginState> {
  const data = folderOf(facts, "XDG_DATA_HOME", [".local", "share"]);
  const found = await existsAny(facts, [join(data, "opencode", "auth.json")]);
  return { state: found ? "ready" : "unknown" };
}

export function opencodeLoginKey(profile: AgentProfile): string {
  const folders = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "OPENCODE_CONFIG"];
  return loginKey(profile, {
    folders,
    secrets: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"],
  });
}
