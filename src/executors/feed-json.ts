/** Feeds a parser of JSON lines: whole objects are handled, other text is shown, broken JSON is dropped. */
import type { AgentEvent } from "../domain/agent/events.ts";
import { type JsonObject, objectOf } from "./json.ts";
import { oneLine } from "./words.ts";

/** A line reader for `AgentParser.feed`. */
export function jsonFeed(
  handle: (event: JsonObject) => readonly AgentEvent[],
): (line: string) => readonly AgentEvent[] {
  return (line) => {
    const event = objectOf(line);
    return event === null ? strayLine(line) : handle(event);
  };
}

/** Words that a CLI prints between its events are worth a look; half an event (a killed process) is not. */
function strayLine(line: string): readonly AgentEvent[] {
  const text = oneLine(line, 500);
  return text === "" || text.startsWith("{") ? [] : [{ kind: "warning", text }];
}
