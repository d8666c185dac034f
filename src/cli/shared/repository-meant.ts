/** Decides whether `--repo` means a folder, or a repository by its name or its address. */
import { looksLikeAddress } from "../../contract/clone-address.ts";
import type { Terminal } from "./terminal.ts";

/** An absolute path. If no folder has that name here, the word itself: an id, a name or an address for the engine. */
export function repositoryMeant(
  terminal: Pick<Terminal, "absolute" | "isFolder">,
  given: string | undefined,
): string {
  const isWord = given !== undefined && (/^[^./\\~][^/\\]*$/.test(given) || looksLikeAddress(given));
  return isWord && !terminal.isFolder(given) ? given : terminal.absolute(given ?? ".");
}
