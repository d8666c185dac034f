/** Reads the address of a repository on this machine as git does. */
import { isPlainText, placeFrom } from "./pointer-files.ts";

/** Git looks for a user before a bracket, and for a host inside it. The path starts somewhere after that. */
const HOST_IN_BRACKETS = /^\[|@\[|:\/\/\[/;

/**
 * Absolute paths, not shortened; git opens one of them. Null for another user's home, and if git and we may read the
 * address differently.
 */
export function localPaths(
  address: string,
  { top, home }: { readonly top: string; readonly home: string | null },
): readonly string[] | null {
  // Git decodes the whole address before it looks for a host.
  const text = /^file:/i.test(address) ? decodedPath(address) : address;
  if (!isPlainText(text) || HOST_IN_BRACKETS.test(text)) return null;
  const path = /^file:\/\/[^/]*(\/.*)$/s.exec(text)?.[1];
  if (path !== undefined) return [path];
  if (/^file:/i.test(text)) return null;
  const plain = placeFrom(top, address);
  if (!address.startsWith("~")) return [plain];
  // A client may take it as a plain path, but the git at the other end (`upload-pack`) expands `~`.
  return /^~(\/|$)/.test(address) && home !== null ? [`${home}${address.slice(1)}`, plain] : null;
}

/** Escapes that are not a byte stay as they are, and so does the byte 0. */
function decodedPath(path: string): string {
  return path.replace(/(?:%(?!00)[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"),
  );
}
