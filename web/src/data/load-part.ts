/** Loads a part of the page. After an upgrade a part of the older page is gone: then the page is loaded anew. */
import { api, Refused } from "./api.ts";

/** A page that was loaded anew less than that ago has what there is. */
const FRESH_MS = 10_000;

/** Rejects with what the server says, such as that it does not answer. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    const health = await api.health();
    if (health.isErr()) throw new Refused(health.error);
    if (performance.now() < FRESH_MS) throw error;
    location.reload();
    return new Promise(() => undefined);
  }
}
