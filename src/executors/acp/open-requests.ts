/** Keeps the permission requests that wait for a person. */
import { type JsonObject, object } from "../shared/json.ts";

interface OpenRequest {
  readonly id: string | number;
  readonly params: JsonObject;
}

export interface OpenRequests {
  /** Returns its key: the id of the request, which an agent may use again once it was answered. */
  add(request: OpenRequest): string;
  /** Null if it does not wait, or not any more. */
  take(key: string): OpenRequest | null;
  /** The keys of the requests with this id. */
  ofRequest(id: unknown): readonly string[];
  /** The keys of the requests about this tool call. */
  ofTool(toolCallId: unknown): readonly string[];
}

export function openRequests(): OpenRequests {
  const open = new Map<string, OpenRequest>();
  const asked = new Map<string, number>();
  const keysOf = (isMeant: (request: OpenRequest) => boolean) =>
    [...open].filter(([, request]) => isMeant(request)).map(([key]) => key);
  return {
    add: (request) => {
      const id = JSON.stringify(request.id).slice(0, 200);
      const times = (asked.get(id) ?? 0) + 1;
      asked.set(id, times);
      const key = times === 1 ? id : `${id}#${times}`;
      open.set(key, request);
      return key;
    },
    take: (key) => {
      const request = open.get(key) ?? null;
      open.delete(key);
      return request;
    },
    ofRequest: (id) => keysOf((request) => request.id === id),
    ofTool: (toolCallId) =>
      keysOf(({ params }) => toolCallId !== undefined && object(params.toolCall).toolCallId === toolCallId),
  };
}
