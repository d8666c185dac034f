/** Loads a part of the page. After an upgrade a part of the older page is gone: then the page is loaded anew. */
import { api, Refused } from "./api.ts";

/** Rejects with what the server says, such as that it does not answer. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch {
    const health = await api.health();
    if (health.isErr()) throw new Refused(health.error);
    // A busy browser or server may have let one request fall. What is typed must not be lost for that.
    if (health.value.version === __VERSION__) return load();
    location.reload();
    return new Promise(() => undefined);
  }
}

const waiting = new Set<() => void>();

/** Calls `again` when what could not be loaded may be tried again. Returns what ends that. */
export function onPartsAgain(again: () => void): () => void {
  waiting.add(again);
  return () => waiting.delete(again);
}

/** The connection is back, or a person asks. */
export function partsAgain(): void {
  for (const again of [...waiting]) again();
}
