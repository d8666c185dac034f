/** Looks for a login of the Gemini CLI in variables and files. */
import { join } from "node:path";
import { existsAny, hasAny, type LoginFacts, type LoginState, loginKey } from "../detect.ts";
import type { AgentProfile } from "../executor.ts";

const KEYS = ["GEMINI_API_KEY", "GOOGLE_API_KEY"];

export async function geminiLogin(facts: LoginFacts): Promise<LoginState> {
  const folder = join(facts.home, ".gemini");
  if (hasAny(facts, [...KEYS, "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"]))
    return { state: "ready" };
  if (await existsAny(facts, [join(folder, "oauth_creds.json")])) return { state: "ready" };
  // A method chosen in the settings may rest on a keychain; a key may lie in a .env file.
  const traces = [join(folder, "settings.json"), join(folder, ".env"), join(facts.home, ".env")];
  if (await existsAny(facts, traces)) return { state: "unknown" };
  return { state: "missing", remedy: "Run `gemini` once and log in, or set GEMINI_API_KEY." };
}

export function geminiLoginKey(profile: AgentProfile): string {
  return loginKey(profile, { folders: ["GOOGLE_GEMINI_BASE_URL", "GOOGLE_CLOUD_PROJECT"], secrets: KEYS });
}
