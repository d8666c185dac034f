/** Defines the tool `ask_person`: a question to the person behind the agent, which waits for the answer. */
import { failure, success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { ASK_PERSON_CONTRACT, labelOf } from "./contract.ts";

export const askPersonTool = defineTool({
  ...ASK_PERSON_CONTRACT,
  title: "Ask a person",
  effect: "reads",
  hints: { destructive: false, idempotent: false, openWorld: true },
  needs: "person",
  paths: [],
  notes: [
    "It is listed only if a person can be asked.",
    "In an attempt a person can be asked, unless `approvals` of the agent is `never` or the run is a review.",
    "In the library a person can be asked if the context has `askPerson`.",
    "In an attempt `tazuna answer` and the API answer the question. No answer is never a yes: the call waits.",
    "After ten minutes the agent is stopped. It goes on in its session when the answer comes.",
    "A call that the client cancels takes its question back, and so does the end of the server.",
  ],
  async run({ question, options, allow_text }, { context, signal }) {
    const { askPerson } = context;
    if (askPerson === null) return failure("NO_PERSON", "No person can be asked here; decide yourself.");
    const given = options.map((option) => ({
      label: labelOf(option),
      description: typeof option === "string" ? null : (option.description ?? null),
    }));
    const answer = await askPerson({ question, options: given, allowText: allow_text }, { signal });
    if (signal?.aborted) return failure("CANCELED", "The call was stopped; the question was taken back.");
    switch (answer.kind) {
      case "option":
        return success({ answer: answer.label, option: answer.label });
      case "text":
        return success({ answer: answer.text, option: null });
      case "declined":
        return failure("DECLINED", declined(answer.words), { details: { words: answer.words } });
      case "withdrawn":
        return failure("WITHDRAWN", `${answer.reason} Nobody answered; that is not a yes.`);
    }
  },
});

function declined(words: string | null): string {
  const said = words === null ? "" : ` They said: ${words}`;
  return `The person declined to answer; that is not a yes.${said}`;
}
