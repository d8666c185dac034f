/** Asks a scripted model the way agent CLIs do, over real HTTP, and reads streams of server-sent events. */

export interface SentEvent {
  readonly event: string | null;
  readonly data: unknown;
}

/** Posts JSON. */
export function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Posts JSON and reads the JSON of the answer. */
export async function ask(
  url: string,
  body: unknown,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await post(url, body);
  return { status: response.status, body: await response.json() };
}

/** Posts JSON and reads the answer's events. */
export async function askStream(url: string, body: unknown): Promise<readonly SentEvent[]> {
  const response = await post(url, body);
  const type = response.headers.get("content-type");
  if (response.status !== 200 || type !== "text/event-stream")
    throw new Error(`no stream but ${response.status} ${type}: ${await response.text()}`);
  return eventsOf(await response.text());
}

/** Parses a whole stream. */
export function eventsOf(text: string): readonly SentEvent[] {
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const line = (name: string) =>
        frame
          .split("\n")
          .find((candidate) => candidate.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const data = line("data") ?? "";
      return { event: line("event") ?? null, data: data === "[DONE]" ? data : JSON.parse(data) };
    });
}
