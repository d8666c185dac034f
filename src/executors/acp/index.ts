/** Drives any agent that speaks the Agent Client Protocol on its standard streams. */
import { claudeCode } from "../claude-code/index.ts";
import { codex } from "../codex/index.ts";
import { detectConfigured } from "../detect.ts";
import type { AgentPlaces, Executor, LaunchPlan, LaunchRequest } from "../executor.ts";
import { gemini } from "../gemini/index.ts";
import { launchEnv } from "../launch.ts";
import { opencode } from "../opencode/index.ts";
import { acpConversation } from "./conversation.ts";

export const acp: Executor = {
  id: "acp",
  label: "ACP agent",
  author: "Agent <agent@localhost>",
  builtIn: false,
  detect: detectConfigured,
  plan,
  parser: acpConversation,
  // Each configured agent has a login of its own, as far as anyone can tell.
  places,
  login: (profile) => `acp:${profile.id}`,
};

/** The profile names the program; all the rest, the prompt too, is said in the protocol. */
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

/** It may be any of those we know, or stand in front of one: what they keep, where it is there already. */
function places(env: Readonly<Record<string, string>>): AgentPlaces {
  const known = [claudeCode, codex, gemini, opencode].map((executor) => executor.places(env));
  return {
    folders: [],
    files: known.flatMap(({ folders, files }) => [...folders, ...files]),
    obeyed: known.flatMap(({ obeyed }) => obeyed),
    own: known.flatMap(({ own }) => own),
  };
}
