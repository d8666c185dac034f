/** Reads server-sent events from a response body, event by event. */

export interface StreamEvent {
  /** The last id so far, as the standard defines it; empty before the first. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Takes text in pieces and gives whole events (HTML Living Standard, "Interpreting an event stream"). */
export interface EventReader {
  feed(text: string): readonly StreamEvent[];
}

export function createEventReader(): EventReader {
  let rest = "";
  let id = "";
  let event = "";
  let data: string[] = [];
  const line = (text: string): StreamEvent | null => {
    if (text === "") {
      const complete = data.length === 0 ? null : { id, event: event || "message", data: data.join("\n") };
      event = "";
      data = [];
      return complete;
    }
    const [name, value] = fieldOf(text);
    if (name === "id" && !value.includes("\0")) id = value;
    if (name === "event") event = value;
    if (name === "data") data.push(value);
    return null;
  };
  return {
    feed(text) {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop() ?? "";
      return lines
        .map((each) => line(each.endsWith("\r") ? each.slice(0, -1) : each))
        .filter((e) => e !== null);
    },
  };
}

/** Name and value of a field line; a line that begins with a colon is a comment and has no name. */
function fieldOf(text: string): [string, string] {
  const colon = text.indexOf(":");
  if (colon < 0) return [text, ""];
  const value = text.slice(colon + 1);
  return [text.slice(0, colon), value.startsWith(" ") ? value.slice(1) : value];
}
