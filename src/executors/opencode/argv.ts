/** Writes the command line of opencode for one run. */
import type { LaunchRequest } from "../executor.ts";
import { programOf } from "../launch.ts";

/** `opencode run`, events as JSON lines, the prompt on stdin. Its session ids are its own choice. */
export function opencodeArgv(request: LaunchRequest): readonly string[] {
  const { profile, session } = request;
  return [
    ...programOf(profile, "opencode"),
    ...["run", "--format", "json"],
    ...(profile.model === null ? [] : ["--model", profile.model]),
    ...(session.resume === null ? [] : ["--session", session.resume]),
    ...profile.args,
  ];
}
