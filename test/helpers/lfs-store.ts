/** Answers the few requests of the Git LFS API that move objects, from memory. */
import type { IncomingMessage, ServerResponse } from "node:http";

export interface LfsStore {
  /** By object id. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /** What each request for a batch said that its objects are for. */
  readonly refs: readonly (string | undefined)[];
  /** Whether the request was one of LFS, and is answered. */
  answer(request: IncomingMessage, response: ServerResponse, origin: string): boolean;
}

interface Batch {
  readonly operation: "upload" | "download";
  readonly objects: readonly { readonly oid: string; readonly size: number }[];
  readonly ref?: { readonly name: string };
}

export function lfsStore(): LfsStore {
  const objects = new Map<string, Buffer>();
  const refs: (string | undefined)[] = [];
  const batch = ({ operation, objects: wanted }: Batch, origin: string) => ({
    transfer: "basic",
    objects: wanted.map(({ oid, size }) => ({
      oid,
      size,
      actions:
        operation === "download" || !objects.has(oid)
          ? { [operation]: { href: `${origin}/lfs-objects/${oid}` } }
          : {},
    })),
  });
  const reply = async (request: IncomingMessage, response: ServerResponse, origin: string) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const oid = /\/lfs-objects\/([0-9a-f]+)$/.exec(request.url ?? "")?.[1];
    if (oid !== undefined && request.method === "PUT") objects.set(oid, body);
    if (oid !== undefined) return response.writeHead(200).end(objects.get(oid));
    if (!request.url?.endsWith("/objects/batch")) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": "application/vnd.git-lfs+json" });
    const asked = JSON.parse(body.toString()) as Batch;
    refs.push(asked.ref?.name);
    return response.end(JSON.stringify(batch(asked, origin)));
  };
  return {
    objects,
    refs,
    answer: (request, response, origin) => {
      if (!/\/info\/lfs\/|\/lfs-objects\//.test(request.url ?? "")) return false;
      void reply(request, response, origin);
      return true;
    },
  };
}
