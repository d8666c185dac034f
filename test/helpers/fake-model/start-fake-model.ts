/** Serves a scripted model on loopback in the wire formats of four providers, for tests with real agent CLIs. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { anthropicMessages } from "./anthropic-messages.ts";
import { gemini } from "./gemini.ts";
import { userText } from "./history.ts";
import { record } from "./json.ts";
import { modelList } from "./model-list.ts";
import { ScriptFault } from "./neutral-tools.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { reply, sendFailure, sendJson } from "./reply.ts";
import type { Script, Trouble } from "./script.ts";
import { answerOf, sideTurn, type Taken, takeTurn, tokens } from "./take-turn.ts";
import type { Conversation, WireFormat, WireId } from "./wire-format.ts";

export interface FakeModel extends AsyncDisposable {
  /** Such as `http://127.0.0.1:41234`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Every request since the start or the last `setScript`, in order of arrival. */
  readonly requests: readonly SeenRequest[];
  /** Replaces the script, forgets the requests and what `times` counted. */
  setScript(script: Script): void;
  /** Cuts all connections and stops listening. */
  close(): Promise<void>;
}

export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Null for what no wire format knows, and for lists of models. */
  readonly wire: WireId | null;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Parsed JSON, or the text if it was none. */
  readonly body: unknown;
  /** All that the user said in the conversation; empty for what no wire format knows. */
  readonly userText: string;
  /** Which scenario and which of its turns answered, both from 0; null for requests on the side. */
  readonly turn: { readonly scenario: number; readonly index: number } | null;
  /** Of the response; null while there is none (held, hanging, dropped before an answer). */
  readonly status: number | null;
}

const WIRES: readonly WireFormat[] = [anthropicMessages, openaiResponses, openaiChat, gemini];

/** Starts the server on a free port of 127.0.0.1. */
export async function startFakeModel(options: { readonly script: Script }): Promise<FakeModel> {
  const model = new ScriptedModel(options.script);
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    model.handle(request, response).catch((fault: unknown) => {
      if (!response.headersSent) sendJson(response, 500, { error: { message: String(fault) } });
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get requests() {
      return model.requests;
    },
    setScript: (script) => model.begin(script),
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Seen = { -readonly [K in keyof SeenRequest]: SeenRequest[K] };

/** The script, what it has met so far, and who asked what. */
class ScriptedModel {
  requests: Seen[] = [];
  private script: Script;
  private troubled = new Map<string, number>();
  private answers = 0;

  constructor(script: Script) {
    this.script = script;
  }

  begin(script: Script): void {
    this.script = script;
    this.requests = [];
    this.troubled = new Map();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = request;
    const body = parsed(await read(request));
    const seen: Seen = { method, path, headers, body, wire: null, userText: "", turn: null, status: null };
    this.requests.push(seen);
    response.on("finish", () => {
      seen.status = response.statusCode;
    });
    const wire = method === "POST" ? WIRES.find((format) => format.asks(path) !== null) : undefined;
    if (wire) return this.converse(wire, seen, response);
    const models = method === "GET" && /\/models(\?|$)/.test(path);
    const message = `the scripted model knows no ${method} ${path}`;
    if (models) sendJson(response, 200, modelList(this.script.models ?? ["fake-model"]));
    if (!models) sendJson(response, 404, { error: { message } });
  }

  private async converse(wire: WireFormat, seen: Seen, response: ServerResponse): Promise<void> {
    if (typeof seen.body === "string") {
      sendFailure(response, wire, { kind: "error", status: 400, message: "the body is no JSON" });
      return;
    }
    const conversation = wire.read(record(seen.body), seen.path);
    seen.wire = wire.id;
    seen.userText = userText(conversation.history);
    if (wire.asks(seen.path) === "count") {
      sendJson(response, 200, wire.count(tokens(JSON.stringify(seen.body))));
      return;
    }
    try {
      await this.answer(wire, { conversation, seen, response });
    } catch (fault) {
      if (!(fault instanceof ScriptFault)) throw fault;
      sendFailure(response, wire, { kind: "error", status: 400, message: `script: ${fault.message}` });
    }
  }

  private async answer(
    wire: WireFormat,
    { conversation, seen, response }: { conversation: Conversation; seen: Seen; response: ServerResponse },
  ): Promise<void> {
    const id = `fake${++this.answers}`;
    const side = conversation.tools.length === 0;
    const taken = side ? null : takeTurn(this.script, conversation);
    const turn = taken?.turn ?? sideTurn(conversation);
    if (taken) seen.turn = { scenario: taken.scenario, index: taken.index };
    const answer = answerOf(turn, conversation, id);
    await turn.hold;
    reply(response, {
      wire,
      shape: shapeOf(conversation, wire, seen.path),
      answer,
      trouble: taken && this.troubleOf(taken),
    });
    if (response.headersSent) seen.status = response.statusCode;
  }

  /** The turn's trouble, as long as its `times` are not used up. */
  private troubleOf({ scenario, index, turn }: Taken): Trouble | null {
    if (!turn.trouble) return null;
    const key = `${scenario}/${index}`;
    const met = this.troubled.get(key) ?? 0;
    if (met >= (turn.trouble.times ?? Number.POSITIVE_INFINITY)) return null;
    this.troubled.set(key, met + 1);
    return turn.trouble;
  }
}

function shapeOf(conversation: Conversation, wire: WireFormat, path: string): "plain" | "events" | "list" {
  if (!conversation.stream) return "plain";
  return wire.id === "gemini" && !/[?&]alt=sse(&|$)/.test(path) ? "list" : "events";
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(whole: string): unknown {
  try {
    return JSON.parse(whole);
  } catch {
    return whole;
  }
}
