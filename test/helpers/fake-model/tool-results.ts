/** Reads what the tools of a CLI answered, out of the requests that it sent to the model. */
import { contentText, type JsonRecord, record, records, text } from "./json.ts";
import type { SeenRequest } from "./start-fake-model.ts";

/** The texts of all results in the conversation of one request, oldest first. */
export function toolResults({ wire, body }: Pick<SeenRequest, "wire" | "body">): readonly string[] {
  const sent = record(body);
  switch (wire) {
    case "anthropic-messages":
      return records(sent.messages).flatMap(({ content }) =>
        records(content)
          .filter(({ type }) => type === "tool_result")
          .map((result) => withoutReminder(contentText(result.content, ["text"]))),
      );
    case "openai-responses":
      return records(sent.input)
        .filter(({ type }) => type === "function_call_output")
        .map(({ output }) => contentText(output, ["input_text"]).replace(/^Wall time: .*\nOutput:\n/, ""));
    case "openai-chat":
      return records(sent.messages)
        .filter(({ role }) => role === "tool")
        .map(({ content }) => contentText(content, ["text"]));
    case "gemini":
      return records(sent.contents).flatMap(({ parts }) => records(parts).flatMap(geminiResult));
    case null:
      return [];
  }
}

function geminiResult(part: JsonRecord): readonly string[] {
  if (part.functionResponse === undefined) return [];
  const { output, error } = record(record(part.functionResponse).response);
  return [text(output ?? error).replace(/^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/, "$1")];
}

/** Claude Code adds words of its own behind a result. */
function withoutReminder(result: string): string {
  return result.replace(/\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/, "");
}
