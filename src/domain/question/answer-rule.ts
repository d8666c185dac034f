/** Describes rules by which a person allows the same in a repository from now on, and finds one that holds. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";
import { REDACTED } from "../text/redacted.ts";
import { isInside } from "./needs-person.ts";
import { networkUse } from "./network-commands.ts";
import type { Asked } from "./question.ts";

export const answerRuleSchema = z.object({
  id: z.string(),
  repositoryId: z.string(),
  /** `command`: exactly this command. `prefix`: commands that begin with these words. `input`: this tool and input. */
  kind: z.enum(["command", "prefix", "input"]),
  /** The command, its first words, or the tool with its input, as the person saw it. */
  text: z.string(),
  /** In which folder of the worktree; empty for its top. */
  folder: z.string(),
  /** Why it was asked. What another rule asks is asked again. */
  asks: z.string(),
  /** The paths and hosts in question then. A prefix allows no others. */
  touches: z.array(z.string()),
  /** The question at which it was made. */
  questionId: z.string(),
  /** `Name <address>` of git's settings; null if git has none. */
  by: z.string().nullable(),
  at: time,
});
export type AnswerRule = Entity<typeof answerRuleSchema>;

type RulePart = Pick<AnswerRule, "kind" | "text" | "folder" | "asks" | "touches">;

/** A longer text is not read word for word, and may have been cut. */
const MAX_CHARS = 2_000;

/** What a rule on this question can say: all of it, and the first words that may stand for it. */
export function ruleTexts(asked: Asked): { readonly whole: string; readonly prefix: string | null } | null {
  const whole = asked.command ?? asked.words;
  if (asked.source !== "permission" || (asked.command === null && !namesInput(whole))) return null;
  // A text that hides something, or from which a secret was taken, is not what the agent would repeat.
  if (whole.length > MAX_CHARS || whole.includes(REDACTED) || HIDDEN.test(whole)) return null;
  return { whole, prefix: asked.command === null ? null : prefixOf(asked.command) };
}

/** Null if `always` is neither all of it nor its first words, or no rule can be made of it. */
export function ruleOf(asked: Asked, always: string, worktree: string): RulePart | null {
  const texts = ruleTexts(asked);
  const folder = folderIn(asked, worktree);
  if (texts === null || folder === null) return null;
  const part = { folder, asks: asked.rule, touches: asked.touches };
  if (always === texts.whole)
    return { ...part, kind: asked.command === null ? "input" : "command", text: always };
  const { prefix } = texts;
  const isPrefix = prefix !== null && beginsWith(always, prefix) && beginsWith(texts.whole, always);
  return isPrefix ? { ...part, kind: "prefix", text: always } : null;
}

/** The rule that allows it; null if none does. */
export function allowingRule(
  asked: Asked,
  rules: readonly AnswerRule[],
  worktree: string,
): AnswerRule | null {
  const texts = ruleTexts(asked);
  const folder = folderIn(asked, worktree);
  if (texts === null || folder === null) return null;
  const { whole, prefix } = texts;
  return (
    rules.find((rule) => {
      if (rule.asks !== asked.rule || rule.folder !== folder) return false;
      if (rule.kind !== "prefix")
        return rule.text === whole && (rule.kind === "input") === (asked.command === null);
      const isSame = prefix !== null && beginsWith(rule.text, prefix) && beginsWith(whole, rule.text);
      return isSame && asked.touches.every((place) => rule.touches.includes(place));
    }) ?? null
  );
}

function beginsWith(text: string, words: string): boolean {
  return text === words || text.startsWith(`${words} `);
}

/** Relative to the worktree; null if it is elsewhere. A tool that is no command runs at the top. */
function folderIn({ folder }: Asked, worktree: string): string | null {
  if (folder === null || folder === worktree) return "";
  return isInside(folder, worktree) && folder.startsWith(`${worktree}/`)
    ? folder.slice(worktree.length + 1)
    : null;
}

/** Control characters but line breaks and tabs, and those that are not seen. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** One command of plain words: nothing that a shell would expand, join or send elsewhere. */
const PLAIN = /^[\w@%+:,./-]+(?: [\w@%+:,./=-]+)*$/;
/** Subcommands that run what their next words name: their first words say nothing. */
const RUNNERS = new Set("compose create dlx exec init run tool x".split(" "));

/** The program and its subcommand, if these two words say what it does. */
function prefixOf(command: string): string | null {
  const use = PLAIN.test(command) ? networkUse(command) : null;
  const [, subcommand] = use?.split(" ") ?? [];
  if (use === null || subcommand === undefined || RUNNERS.has(subcommand)) return null;
  return beginsWith(command, use) ? use : null;
}

/** A tool's name, then its whole input as JSON. An agent that only names what it wants gives none. */
function namesInput(words: string): boolean {
  const at = words.indexOf("\n{");
  if (at === -1) return false;
  try {
    return typeof JSON.parse(words.slice(at + 1)) === "object";
  } catch {
    return false;
  }
}
