/** Reads who said what in a conversation, the same for every wire format. */

/** A message of a request, as the CLI sent it. `other` is what neither the user nor the model said: results of tools, rules. */
export interface SentMessage {
  readonly by: "user" | "model" | "other";
  readonly text: string;
}

export interface History {
  /** What the user and the model themselves said, in order. */
  readonly spoken: readonly SentMessage[];
  /** What the CLI put into the user's messages by itself. */
  readonly added: string;
}

/** Their surroundings, git's log, the date. */
const ADDED_TO_USER = /<(system-reminder|environment_context|session_context)>[\s\S]*?<\/\1>/g;

/** What CLIs put in the model's place when a session that was interrupted is resumed. */
const PUT_FOR_MODEL = [
  "No response requested.",
  "[The previous response was interrupted before it completed.]",
];

/** Tells the user's and the model's own words from what the CLI added to them. */
export function historyOf(messages: readonly SentMessage[]): History {
  const users = messages.filter(({ by }) => by === "user");
  return {
    spoken: messages.map(ownWords),
    added: users.flatMap(({ text }) => text.match(ADDED_TO_USER) ?? []).join("\n"),
  };
}

function ownWords({ by, text }: SentMessage): SentMessage {
  const words = by === "user" ? text.replace(ADDED_TO_USER, "").trim() : text.trim();
  if (by === "user" && words === "") return { by: "other", text: "" };
  if (by === "model" && PUT_FOR_MODEL.includes(words)) return { by: "other", text: words };
  return { by, text: words };
}

/** All that the user said, a line each. */
export function userText({ spoken }: History): string {
  return spoken
    .filter(({ by }) => by === "user")
    .map(({ text }) => text)
    .join("\n");
}

/**
 * Counts the model's steps after the first message of the user that holds `when` (from the beginning without `when`).
 * Null if no message holds it. What the model says in one go, up to the next word of anyone else, is one.
 */
export function stepsSince({ spoken }: History, when: RegExp | undefined): number | null {
  const begun =
    when === undefined ? 0 : spoken.findIndex(({ by, text }) => by === "user" && text.search(when) >= 0);
  if (begun < 0) return null;
  return spoken.slice(begun).filter(({ by }, at, since) => by === "model" && since[at - 1]?.by !== "model")
    .length;
}

/** The directory that a CLI states in its own texts. The last one counts: a session may be resumed elsewhere. */
export function statedCwd(texts: readonly string[]): string | null {
  const stated = /(?:[Ww]orking directory:|<cwd>|Workspace Directories:\**\s+-)\s*([^\n<]+)/g;
  const found = [...texts.join("\n").matchAll(stated)].at(-1)?.[1];
  return found === undefined ? null : found.trim();
}
