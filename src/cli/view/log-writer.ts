/** Writes the lines of a run's log for people, as they come. */
import type { LogLine } from "../../contract/endpoints/runs.ts";
import { cleanLine, cleanText } from "../../contract/text.ts";
import { elapsedText } from "../../contract/words/elapsed.ts";
import type { Output } from "../shared/terminal.ts";
import { paint } from "./paint.ts";

interface LogWriter {
  line(line: LogLine): void;
  /** Ends a line that pieces of a message left open. */
  end(): void;
}

export function createLogWriter(output: Output): LogWriter {
  let open = false;
  let last: string | null = null;
  let repeated = 0;
  const whole = (text: string) => {
    output.write(`${open ? "\n" : ""}${text}\n`);
    open = false;
  };
  // The next piece may continue the message, so its line stays open.
  const message = (text: string, isPiece: boolean) => {
    output.write(open && !isPiece ? `\n${text}` : text);
    open = !text.endsWith("\n");
  };
  const tellRepeated = () => {
    if (repeated > 0) whole(paint("dim", `(${repeated === 1 ? "once" : `${repeated} times`} more)`, output));
    repeated = 0;
  };
  return {
    line(line) {
      const text = shownText(line, output);
      if (text === "") return;
      // Pieces of a message are one running text.
      const isPiece = isMessage(line) && line.event.delta === true;
      if (!isPiece && text === last) {
        repeated += 1;
        return;
      }
      tellRepeated();
      last = isPiece ? null : text;
      if (isMessage(line)) message(text, isPiece);
      else whole(text);
    },
    end() {
      tellRepeated();
      if (open) output.write("\n");
      open = false;
    },
  };
}

function isMessage({ source, event }: LogLine): boolean {
  return source === "agent" && event.kind === "message";
}

/** Empty if the line says nothing to a person. */
function shownText(line: LogLine, output: Output): string {
  const { source, event } = line;
  if (source !== "agent") return otherText(source, event, output);
  if (!isMessage(line)) return agentText(event, output);
  if (event.delta === true) return cleanText(textOf(event.text));
  return printedText(event.text).replace(/\n+$/, "\n");
}

type Event = LogLine["event"];

function otherText(source: "stderr" | "tazuna", event: Event, output: Output): string {
  const step = typeof event.step === "string" ? `${cleanLine(event.step)}: ` : "";
  const text = `${step}${printedText(event.text).trimEnd()}`;
  return paint("dim", source === "stderr" ? `stderr: ${text}` : `tazuna: ${text}`, output);
}

function printedText(value: unknown): string {
  return cleanText(textOf(value).split("\n").map(lastWritten).join("\n"));
}

/** The final text of a line that was overwritten, such as a progress bar. */
function lastWritten(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end -= 1;
  const written = line.slice(0, end);
  return written.slice(written.lastIndexOf("\r") + 1);
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
    case "question":
      return paint("needs", `asks: ${cleanText(textOf(event.words)).trimEnd()}`, output);
    case "question_withdrawn":
      return paint("dim", "does not wait for an answer any more", output);
    case "warning":
      return paint("needs", `warning: ${cleanLine(textOf(event.text))}`, output);
    case "usage":
      return "";
    default:
      return cleanLine(JSON.stringify(event));
  }
}

/** A tool's answer, indented, and its time if it is worth a word; empty while the tool works. */
function toolText(event: Event, output: Output): string {
  const failed = event.status === "failed";
  const { durationMs: ms } = event;
  const time = typeof ms === "number" && ms >= LONG_MS ? elapsedText(ms) : null;
  const answer = cleanText(textOf(event.output))
    .trimEnd()
    .replace(/^(?=.)/gm, "  ");
  const failure = failed ? `  failed${time === null ? "" : ` after ${time}`}${answer === "" ? "" : ":"}` : "";
  const took = failed || time === null ? "" : `  took ${time}`;
  return paint(failed ? "fail" : "dim", [failure, answer, took].filter(Boolean).join("\n"), output);
}

/** Shorter calls are told without their time. */
const LONG_MS = 1000;

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
