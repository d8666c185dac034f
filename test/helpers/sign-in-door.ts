/** Serves the HTTP door with the real services of access, over a real SQLite; all other services are in memory. */
import { join } from "node:path";
import { createBrowserRecognizer } from "../../src/services/access/browsers.ts";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { accessServices } from "../../src/services/groups/access.ts";
import { openDatabase } from "../../src/storage/database.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { type DoorServer, doorServer } from "./door-server.ts";
import { memoryServices } from "./memory-services.ts";
import { tempDir } from "./temp-dir.ts";

export interface SignInDoor extends DoorServer {
  readonly db: Database;
  /** Another server of the same database. */
  beside(): DoorServer;
}

const HTML = { accept: "text/html" };

export async function signInDoor(
  options: { readonly pingMs?: number; readonly browserSettings?: Readonly<Record<string, string>> } = {},
): Promise<SignInDoor> {
  const folder = await tempDir();
  const target = { kind: "sqlite", file: join(folder.path, "tazuna.db") } as const;
  const db = (
    await openDatabase(target, { backupDir: folder.path, programVersion: "0.1.0" })
  )._unsafeUnwrap();
  const others: DoorServer[] = [];
  const serve = () => {
    const services = memoryServices();
    const context = {
      db,
      clock: { now: () => new Date(), iso: () => new Date().toISOString() },
      newId: () => crypto.randomUUID(),
      owner: "worker-1",
      // As one server hears of another one: all that run are woken.
      newFacts: {
        notify: () => {
          for (const each of [door, ...others]) each.services.addFact({ kind: "browsers.changed" });
        },
      },
      reportFault: (what: string, error: unknown) => void door.reported.push([what, error]),
    } as unknown as ServiceContext;
    return doorServer({
      ...options,
      services: Object.assign(
        services,
        accessServices(context, { recognizeBrowser: createBrowserRecognizer(context) }),
      ),
    });
  };
  const door = serve();
  return {
    ...door,
    db,
    beside: () => {
      const other = serve();
      others.push(other);
      return other;
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of [door, ...others]) await each.stop();
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Signs a browser in by a link of the door, and answers with its cookie header; empty if it was refused. */
export async function signIn(
  door: DoorServer,
  how: { readonly link?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const link = how.link ?? (await door.api.signInLink(door.url));
  const response = await door.bare(link.slice(door.url.length), { headers: { ...HTML, ...how.headers } });
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}
