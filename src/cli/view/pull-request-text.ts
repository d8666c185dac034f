/** Writes pull requests for people. All text of forges is cleaned. */
import type { PullRequestSummary } from "../../contract/pull-request-document.ts";
import { cleanLine } from "../../contract/text.ts";
import { shortId } from "../shared/resolve-id.ts";

type Opened = Pick<PullRequestSummary, "number" | "url" | "state" | "head" | "base" | "draft">;

export function openedText({ pull_request: opened }: { readonly pull_request: Opened }): string {
  const { number, url, head, base } = opened;
  if (number === null) return `The pull request of ${cleanLine(head)} is still to be made.\n`;
  return `#${number}  ${stateWords(opened)}: ${cleanLine(head)} into ${cleanLine(base)}\n${cleanLine(url ?? "")}\n`;
}

/** What was said on it, and where. */
export function repliedText({ number, url }: Pick<Opened, "number" | "url">, thread: string | null): string {
  const where = thread === null ? "" : `, in the thread ${cleanLine(thread)}`;
  return `Said on #${number ?? "?"}${where}\n${cleanLine(url ?? "")}\n`;
}

/** Beside the state of an attempt, such as `, #12 open`; empty if there is none. */
export function besideState(summary: PullRequestSummary | null): string {
  if (summary === null) return "";
  return `, ${summary.number === null ? "pull request" : `#${summary.number}`} ${stateWords(summary)}`;
}

/** The lines of `show`, by name. */
export function pullRequestLines(summary: PullRequestSummary): readonly (readonly [string, string])[] {
  const { number, url, trouble, merge_block, mergeable, failed_checks, pending_checks, open_threads } =
    summary;
  const what =
    number === null ? "not made yet" : `#${number}, ${stateWords(summary)}, ${cleanLine(url ?? "")}`;
  const made = [
    ["Pull request", what] as const,
    ...summary.tried.map((each) => ["PR tried", triedText(each)] as const),
    ...line("PR trouble", trouble === null ? "" : troubleText(trouble)),
  ];
  if (summary.state !== "open") return made;
  const checks = [
    failed_checks.length === 0 ? [] : [`failed: ${failed_checks.map(cleanLine).join(", ")}`],
    pending_checks.length === 0 ? [] : [`pending: ${pending_checks.map(cleanLine).join(", ")}`],
  ].flat();
  const isBlocked = mergeable === false || merge_block !== null;
  return [
    ...made,
    ...line("PR merge", isBlocked ? `blocked (${cleanLine(merge_block ?? "conflicts")})` : ""),
    ...line("PR checks", checks.join("; ")),
    ...open_threads.map((thread) => ["PR thread", threadText(thread)] as const),
  ];
}

function stateWords({ state, draft }: Opened): string {
  return state === "open" && draft ? "draft" : (state ?? "not made yet");
}

function line(name: string, text: string): readonly (readonly [string, string])[] {
  return text === "" ? [] : [[name, text]];
}

function threadText({ id, path, line, author, words }: PullRequestSummary["open_threads"][number]): string {
  const at = path === null ? "" : ` ${cleanLine(path)}${line === null ? "" : `:${line}`}`;
  return `${cleanLine(id)}${at}  ${cleanLine(author ?? "somebody")}: ${cleanLine(words)}`;
}

function triedText({ run, by, head, checks, comments }: PullRequestSummary["tried"][number]): string {
  const what = [
    ...(checks.length === 0 ? [] : [`failed checks ${checks.map(cleanLine).join(", ")}`]),
    ...(comments.length === 0
      ? []
      : [`${comments.length} ${comments.length === 1 ? "comment" : "comments"}`]),
  ].join(" and ");
  const who = by === "loop" ? "by itself" : "as you asked";
  return `${what} of ${head.slice(0, 12)}: run ${shortId(run)}, ${who}`;
}

function troubleText({ message, resume_at }: NonNullable<PullRequestSummary["trouble"]>): string {
  return `${cleanLine(message)}${resume_at === null ? "" : ` Asked again at ${resume_at}.`}`;
}
