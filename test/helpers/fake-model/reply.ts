/** Writes a model's answer, or the trouble in its place, onto an open response. */
import type { ServerResponse } from "node:http";
import type { Trouble } from "./script.ts";
import type { Answer, Failure, StreamEvent, WireFormat } from "./wire-format.ts";

export interface Reply {
  readonly wire: WireFormat;
  /** How the answer is wanted: `list` is Gemini's stream without server-sent events. */
  readonly shape: "plain" | "events" | "list";
  readonly answer: Answer;
  readonly trouble: Trouble | null;
}

/** Answers, unless the trouble is a missing answer. The client or `close` ends a response that is left open. */
export function reply(response: ServerResponse, wanted: Reply): void {
  const { wire, answer, trouble } = wanted;
  switch (trouble?.kind) {
    case undefined:
      sendAnswer(response, wanted);
      return;
    case "error":
      sendFailure(response, wire, trouble);
      return;
    case "stream_error": {
      const message = trouble.message ?? "The script breaks the stream off.";
      sendHalf(response, wire.stream(answer));
      response.end(frame(wire.streamFailure({ status: 503, message, retryAfterS: null })));
      return;
    }
    case "hang":
      if (trouble.at === "mid") sendHalf(response, wire.stream(answer));
      return;
    case "drop":
      if (trouble.at === "before") cut(response);
      if (trouble.at === "mid") sendHalf(response, wire.stream(answer), () => cut(response));
  }
}

function sendAnswer(response: ServerResponse, { wire, shape, answer }: Reply): void {
  switch (shape) {
    case "plain":
      sendJson(response, 200, wire.plain(answer));
      return;
    case "list":
      sendJson(
        response,
        200,
        wire.stream(answer).map(({ data }) => data),
      );
      return;
    case "events":
      openStream(response);
      response.end(wire.stream(answer).map(frame).join(""));
  }
}

/** Sends one JSON document. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Sends an HTTP error in the provider's own words. */
export function sendFailure(
  response: ServerResponse,
  wire: WireFormat,
  error: Extract<Trouble, { readonly kind: "error" }>,
): void {
  const headers = Object.fromEntries(
    Object.entries(error.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const seconds = Number.parseInt(headers["retry-after"] ?? "", 10);
  const failure: Failure = {
    status: error.status,
    message: error.message ?? `The script answers ${error.status}.`,
    retryAfterS: Number.isNaN(seconds) ? null : seconds,
  };
  sendJson(response, error.status, wire.failure(failure), headers);
}

/** Opens the stream and sends its first half; the response stays open. */
function sendHalf(response: ServerResponse, events: readonly StreamEvent[], then?: () => void): void {
  openStream(response);
  response.write(
    events
      .slice(0, Math.ceil(events.length / 2))
      .map(frame)
      .join(""),
    then,
  );
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
}

const frame = ({ event, data }: StreamEvent) =>
  `${event === null ? "" : `event: ${event}\n`}data: ${data === "[DONE]" ? data : JSON.stringify(data)}\n\n`;

const cut = (response: ServerResponse) => {
  response.socket?.destroy();
};
