/** Says in a few sentences to an agent what these tools are, and what holds for all of them. */
import type { ToolContext } from "../tools/core/context.ts";

export function instructionsFor({ git, writeScope }: Pick<ToolContext, "git" | "writeScope">): string {
  return [
    "These tools work in one folder, the workspace. Paths are relative to it, and nothing outside of it is reached by name.",
    "Every error begins with a code; a code that is retriable may go away by itself.",
    ...(writeScope === "read-only"
      ? ["The workspace is read-only: nothing that could change it is run."]
      : []),
    ...(git === "read-only"
      ? ["Git may be read here, and nothing else: commits and pushes are made for you when you are done."]
      : []),
    "Commands end within 120 s; for a server or a watcher use a service, which lives until it is stopped or you go.",
  ].join(" ");
}
