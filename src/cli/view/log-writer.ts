/** Writes the lines of a run's log for people, as they come. */
import type { LogLine } from "../../contract/answers.ts";
import { cleanLine, cleanText } from "../../contract/text.ts";
import type { Output } from "../terminal.ts";
import { paint } from "./paint.ts";

export interface LogWriter {
  line(line: LogLine): void;
  /** Ends a line that pieces of a message left open. */
  end(): void;
}

export function createLogWriter(output: Output): LogWriter {
  let open = false;
  const whole = (text: string) => {
    if (text === "") return;
    output.write(`${open ? "\n" : ""}${text}\n`);
    open = false;
  };
  // A message may go on with the next line, so its own line stays open.
  const message = (event: Event) => {
    const said = cleanText(textOf(event.text));
    const text = event.delta === true ? said : said.replace(/\n+$/, "\n");
    if (text === "") return;
    output.write(open && event.delta !== true ? `\n${text}` : text);
    open = !text.endsWith("\n");
  };
  return {
    line({ source, event }) {
      if (source === "agent" && event.kind === "message") {
        message(event);
        return;
      }
      whole(source === "agent" ? agentText(event, output) : otherText(source, event, output));
    },
    end() {
      if (open) output.write("\n");
      open = false;
    },
  };
}

type Event = LogLine["event"];

function otherText(source: "stderr" | "tazuna", event: Event, output: Output): string {
  const step = typeof event.step === "string" ? `${cleanLine(event.step)}: ` : "";
  const text = `${step}${cleanText(textOf(event.text)).trimEnd()}`;
  return paint("dim", source === "stderr" ? `stderr: ${text}` : `tazuna: ${text}`, output);
}

function agentText(event: Event, output: Output): string {
  switch (event.kind) {
    case "thought":
      return paint("dim", `thinks: ${cleanText(textOf(event.text)).trimEnd()}`, output);
    case "tool_call":
      return paint("work", `> ${cleanLine(textOf(event.title))}`, output);
    case "tool_call_update":
      return toolText(event, output);
    case "plan":
      return planText(event.entries);
    case "session":
      return paint("dim", `session ${cleanLine(textOf(event.sessionId))}`, output);
    case "retry":
      return paint("needs", `retries: ${cleanLine(textOf(event.message))}`, output);
    case "permission":
      return paint("needs", `asks: ${cleanLine(textOf(event.title))}`, output);
    case "warning":
      return paint("needs", `warning: ${cleanLine(textOf(event.text))}`, output);
    case "usage":
      return "";
    default:
      return cleanLine(JSON.stringify(event));
  }
}

/** What a tool answered, indented; nothing while it works. */
function toolText(event: Event, output: Output): string {
  const failed = event.status === "failed";
  const answer = cleanText(textOf(event.output)).trimEnd();
  if (answer === "") return failed ? paint("fail", "  failed", output) : "";
  const indented = answer.replace(/^/gm, "  ");
  return failed ? paint("fail", `  failed:\n${indented}`, output) : paint("dim", indented, output);
}

function planText(entries: unknown): string {
  if (!Array.isArray(entries)) return "";
  return entries
    .map((entry: { content?: unknown; status?: unknown }) => {
      const mark = entry.status === "completed" ? "x" : entry.status === "in_progress" ? "-" : " ";
      return `  [${mark}] ${cleanLine(textOf(entry.content))}`;
    })
    .join("\n");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
