/** Decides what the model says to one request, from the script and the history in the request alone. */
import { stepsSince, userText } from "./history.ts";
import type { JsonRecord } from "./json.ts";
import { record, records } from "./json.ts";
import { callFor, ScriptFault } from "./neutral-tools.ts";
import type { Script, Turn } from "./script.ts";
import type { Answer, Conversation } from "./wire-format.ts";

export interface Taken {
  readonly scenario: number;
  readonly index: number;
  readonly turn: Turn;
}

const PAST_THE_END: Turn = { text: "There is nothing more to do." };

/** The turn that is due; throws a ScriptFault if no scenario is meant for this user. */
export function takeTurn(script: Script, { history }: Conversation): Taken {
  for (const [scenario, { when, turns }] of script.scenarios.entries()) {
    const index = stepsSince(history, when);
    if (index !== null) return { scenario, index, turn: turns[index] ?? PAST_THE_END };
  }
  throw new ScriptFault("no scenario is meant for what the user said");
}

/** Fills a turn in for one conversation. */
export function answerOf(turn: Turn, conversation: Conversation, id: string): Answer {
  const thinking = turn.thinking ?? "";
  const text = turn.text ?? "";
  const calls = (turn.tools ?? []).map((tool, n) => ({ id: `${id}${n}`, ...callFor(tool, conversation) }));
  const reasoning = tokens(thinking);
  return {
    id,
    model: conversation.model,
    thinking,
    text,
    calls,
    usage: {
      input: tokens(userText(conversation.history)),
      cached: 0,
      output: reasoning + tokens(text) + tokens(calls.length > 0 ? JSON.stringify(calls) : ""),
      reasoning,
      ...turn.usage,
    },
  };
}

/**
 * What is said to a request that offers no tools. Titles, summaries, routing and the like use up no turn. If the text
 * must fit a schema, it is the plainest value that does.
 */
export function sideTurn({ answerSchema }: Conversation): Turn {
  return { text: answerSchema === null ? "ok" : JSON.stringify(plainest(answerSchema)) };
}

export const tokens = (text: string) => Math.ceil(text.length / 4);

function plainest(schema: JsonRecord): unknown {
  const choices = schema.enum;
  if (Array.isArray(choices)) return choices[0];
  const type = String(schema.type).toLowerCase();
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(record(schema.properties)).map(([name, of]) => [name, plainest(record(of))]),
      );
    case "array":
      return [];
    case "boolean":
      return false;
    case "number":
    case "integer":
      return 0;
    default: {
      const [first] = records(schema.anyOf);
      return first ? plainest(first) : "ok";
    }
  }
}
