/** What an agent asks, with all that a person needs to decide: the exact command, where, what it touches, which rule asks. */
import type { RunDocument } from "@contract/task-document.ts";
import { cleanLine, cleanText } from "@contract/text.ts";
import { ShieldCheck } from "lucide-react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { StateSign } from "../../ui/state-sign.tsx";
import { useNow } from "../../ui/use-now.ts";
import type { AttemptCard } from "../attempts/cards.ts";

type Question = NonNullable<RunDocument["question"]>;

export function QuestionFacts({
  question,
  of: { attempt, task },
}: {
  readonly question: Question;
  readonly of: AttemptCard;
}) {
  const { t } = useTranslation("continue");
  const { command, words, touches, rule, source } = question;
  const folder = folderOf(question.folder, attempt.worktree);
  const isLeave = source === "permission";
  return (
    <section aria-label={t("asks")} className="flex max-h-[44vh] flex-col gap-2 overflow-y-auto text-small">
      <p className="family-needs flex items-center gap-1.5 font-medium text-(--tone)">
        <StateSign sign={isLeave ? "diamond-bang" : "diamond-question"} />
        {t("waitsForYou")} <Waited since={question.asked_at} />
      </p>
      {command === null ? (
        <bdi className="block text-body whitespace-pre-wrap [overflow-wrap:anywhere]">{cleanText(words)}</bdi>
      ) : (
        <pre className="flex-none rounded-card bg-sunken px-3 py-2 text-[13px] leading-5 break-all whitespace-pre-wrap max-sm:text-[15px] max-sm:leading-[22px]">
          <code>{cleanText(command)}</code>
        </pre>
      )}
      <dl className="facts">
        <Fact name={t("askedIn")} value={folder ?? t("topFolder")} isCode={folder !== null} />
        {command !== null && cleanText(words) !== cleanText(command) && (
          <Fact name={t("itSays")} value={cleanText(words)} />
        )}
        {touches.length > 0 && <Fact name={t("touches")} value={touches.map(cleanLine).join(", ")} isCode />}
        {isLeave && rule !== "" && <Fact name={t("rule")} value={cleanLine(rule)} lang="en" />}
      </dl>
      {task.constraints !== null && (
        <p className="callout family-needs flex-none">
          <ShieldCheck size={14} aria-hidden="true" className="mt-0.5 flex-none text-needs-ink" />
          <span className="min-w-0">
            <span className="block text-ink-2">{t("constraintsOfTask")}</span>
            <bdi className="font-medium whitespace-pre-wrap [overflow-wrap:anywhere]">
              {cleanText(task.constraints)}
            </bdi>
          </span>
        </p>
      )}
    </section>
  );
}

function Fact(props: {
  readonly name: string;
  readonly value: string;
  readonly isCode?: boolean;
  readonly lang?: "en";
}) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd lang={props.lang}>
        {props.isCode ? <code>{props.value}</code> : <bdi className="whitespace-pre-wrap">{props.value}</bdi>}
      </dd>
    </>
  );
}

function Waited({ since }: { readonly since: string }) {
  const format = useFormat();
  const now = useNow();
  return (
    <span role="timer" aria-live="off" className="text-ink tabular-nums">
      {format.span(now - Date.parse(since))}
    </span>
  );
}

/** From the top of the worktree; null if it is that, or if the question is about none. */
function folderOf(folder: string | null, worktree: string): string | null {
  if (folder === null || folder === worktree) return null;
  return cleanLine(folder.startsWith(`${worktree}/`) ? folder.slice(worktree.length + 1) : folder);
}
