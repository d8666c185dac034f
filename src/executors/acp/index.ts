/** Drives any agent that speaks the Agent Client Protocol on its standard streams. */
import { claudeCode } from "../claude-code/index.ts";
import { codex } from "../codex/index.ts";
import { gemini } from "../gemini/index.ts";
import { opencode } from "../opencode/index.ts";
import { detectConfigured } from "../shared/detect.ts";
import type { AgentPlaces, Executor, LaunchPlan, LaunchRequest } from "../shared/executor.ts";
import { launchEnv } from "../shared/launch.ts";
import { acpConversation } from "./conversation.ts";

export const acp: Executor = {
  id: "acp",
  label: "ACP agent",
  author: "Agent <agent@localhost>",
  builtIn: false,
  detect: detectConfigured,
  plan,
  parser: acpConversation,
  places,
  // Each configured agent counts as its own login, because nothing else is known.
  login: (profile) => `acp:${profile.id}`,
};

/** The profile names the program. The protocol carries all the rest, even the prompt. */
function plan(request: LaunchRequest): LaunchPlan {
  const { profile } = request;
  if (profile.command === null) throw new Error(`agents.${profile.id}.command is missing`);
  return {
    argv: [...profile.command, ...profile.args],
    env: launchEnv(profile, {}),
    stdin: "lines",
    files: [],
    sessionId: request.session.resume,
  };
}

/** The program may be any known agent, or a wrapper of one. So these are the folders of known agents, if they exist. */
function places(env: Readonly<Record<string, string>>): AgentPlaces {
  const known = [claudeCode, codex, gemini, opencode].map((executor) => executor.places(env));
  return {
    folders: [],
    files: known.flatMap(({ folders, files }) => [...folders, ...files]),
    config: known.flatMap(({ config }) => config),
    own: known.flatMap(({ own }) => own),
  };
}
