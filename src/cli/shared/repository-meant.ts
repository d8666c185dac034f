/** Decides whether `--repo` means a folder or a repository that Tazuna knows by name. */
import type { Terminal } from "./terminal.ts";

/** An absolute path. If no folder has that name here, the word itself: an id or a name for the engine. */
export function repositoryMeant(
  terminal: Pick<Terminal, "absolute" | "isFolder">,
  given: string | undefined,
): string {
  const isWord = given !== undefined && /^[^./\\~][^/\\]*$/.test(given);
  return isWord && !terminal.isFolder(given) ? given : terminal.absolute(given ?? ".");
}
