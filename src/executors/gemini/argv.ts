/** Writes the command line of the Gemini CLI for one run. */
import type { LaunchRequest } from "../executor.ts";
import { programOf } from "../launch.ts";

/** Headless, events as JSON lines, the prompt on stdin. A session resumes only from the directory it began in. */
export function geminiArgv(request: LaunchRequest, files: { readonly policy: string }): readonly string[] {
  const { profile, session } = request;
  return [
    ...programOf(profile, "gemini"),
    ...["--output-format", "stream-json"],
    // In a folder it does not know it would turn --yolo off again.
    ...["--yolo", "--skip-trust"],
    ...(profile.model === null ? [] : ["--model", profile.model]),
    ...(session.resume === null ? ["--session-id", session.fresh] : ["--resume", session.resume]),
    ...["--policy", files.policy],
    ...profile.args,
  ];
}
