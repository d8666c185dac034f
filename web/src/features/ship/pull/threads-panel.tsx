/** What people wrote on the pull request: answers to it, and which of it goes to the agent in the next run. */

import type { PullRequestDocument, PullRequestSummary } from "@contract/pull-request-document.ts";
import { cleanLine, cleanText } from "@contract/text.ts";
import { useState } from "react";
import { useFormat } from "../../../i18n/format.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { StateSign, VerdictSign } from "../../../ui/state-sign.tsx";
import { isWebAddress } from "../../attempts/web-address.ts";
import { useKeys } from "../../keys/keys.ts";
import { Panel } from "../panel.tsx";
import { useActKey } from "../suggested.ts";
import { AddToRun } from "./add-to-run.tsx";
import type { NextRun } from "./next-run.ts";
import { ReplyBox } from "./reply-box.tsx";
import { focusedThread } from "./walk-threads.ts";

type Thread = PullRequestDocument["threads"][number];

interface ThreadsProps {
  readonly attempt: string;
  readonly pull: PullRequestDocument;
  readonly summary: PullRequestSummary;
  readonly isWorking: boolean;
  readonly nextRun: NextRun;
}

export function ThreadsPanel(props: ThreadsProps) {
  const { t } = useTranslation("ship");
  const { pull, summary } = props;
  const [answered, setAnswered] = useState<string | null>(null);
  const open = new Set(summary.open_threads.map(({ id }) => id));
  useThreadKeys(open, setAnswered);
  const resolved = pull.threads.filter((thread) => thread.resolved === true).length;
  return (
    <Panel
      step="pull"
      title={t("threads")}
      chips={
        <>
          {open.size > 0 && (
            <span className="chip family-review">
              <StateSign sign="speech" size={11} />
              {t("openCount", { count: open.size })}
            </span>
          )}
          {resolved > 0 && (
            <span className="chip">
              <VerdictSign verdict="pass" />
              {t("resolvedCount", { count: resolved })}
            </span>
          )}
        </>
      }
    >
      {pull.threads.length === 0 && <p className="text-small text-ink-2">{t("noThreads")}</p>}
      <ul className="flex flex-col gap-2.5">
        {pull.threads
          .filter(({ id }) => open.has(id))
          .map((thread) => (
            <ThreadRow
              key={thread.id}
              thread={thread}
              isAnswered={answered === thread.id}
              onAnswer={() => setAnswered(thread.id)}
              onClose={() => setAnswered((now) => (now === thread.id ? null : now))}
              {...props}
            />
          ))}
      </ul>
      {open.size > 0 && <SendPicked {...props} />}
    </Panel>
  );
}

/** An answer to the one that has the focus, else to the first. */
function useThreadKeys(open: ReadonlySet<string>, onAnswer: (thread: string) => void): void {
  const { t: a } = useTranslation("shipActs");
  const answer = () => {
    const id = focusedThread() ?? [...open][0];
    if (id !== undefined) onAnswer(id);
  };
  useKeys(open.size === 0 ? [] : [{ spec: "r", words: a("reply"), run: answer, inBar: true }]);
}

/** Of what is picked, the threads alone, or the failed checks with them. */
function SendPicked({ isWorking, nextRun }: ThreadsProps) {
  const { t } = useTranslation("ship");
  const { t: a } = useTranslation("shipActs");
  const act = useActKey("send_threads");
  const { threads, checks, send, isSending } = nextRun;
  const off = isWorking ? t("whyWorking") : threads.length === 0 ? t("addToRun") : null;
  return (
    <span className="mt-2 flex flex-wrap gap-2">
      <Button size="small" {...act} busy={isSending} off={off} onClick={() => send({ threads, checks: [] })}>
        {t("sendThreads", { count: threads.length })}
      </Button>
      {checks.length > 0 && threads.length > 0 && (
        <Button
          size="small"
          kind="quiet"
          busy={isSending}
          off={off}
          onClick={() => send({ threads, checks })}
        >
          {a("sendPicked", { count: threads.length + checks.length })}
        </Button>
      )}
    </span>
  );
}

function ThreadRow(
  props: ThreadsProps & {
    readonly thread: Thread;
    readonly isAnswered: boolean;
    readonly onAnswer: () => void;
    readonly onClose: () => void;
  },
) {
  const { t } = useTranslation("ship");
  const { t: a } = useTranslation("shipActs");
  const { clock } = useFormat();
  const { thread, nextRun, attempt, isAnswered } = props;
  return (
    <li data-thread={thread.id} tabIndex={-1} className="text-small outline-offset-2">
      {thread.comments.map((comment) => (
        <div key={comment.id} className="mb-1">
          <p className="flex flex-wrap items-baseline gap-x-1.5">
            <bdi className="font-semibold">
              {comment.author === null ? t("unknown") : cleanLine(comment.author)}
            </bdi>
            <span className="text-fine text-ink-3">
              {clock(comment.at)}
              {thread.path !== null && (
                <>
                  {" · "}
                  <code>
                    {cleanLine(thread.path)}
                    {thread.line === null ? "" : `:${thread.line}`}
                  </code>
                </>
              )}
              {thread.outdated && ` · ${t("outdated")}`}
            </span>
          </p>
          <p className="text-body break-words whitespace-pre-wrap">
            <bdi>{cleanText(comment.body)}</bdi>
          </p>
        </div>
      ))}
      <span className="flex flex-wrap items-center gap-3">
        <AddToRun point={{ kind: "thread", id: thread.id }} nextRun={nextRun} />
        {!isAnswered && (
          <Button size="small" kind="quiet" onClick={props.onAnswer}>
            {a("reply")}
          </Button>
        )}
        {isWebAddress(thread.url) && (
          <a href={thread.url} target="_blank" rel="noreferrer" className="text-accent hover:underline">
            {t("openOnForge")}
          </a>
        )}
      </span>
      {isAnswered && <ReplyBox attempt={attempt} thread={thread.id} onClose={props.onClose} />}
    </li>
  );
}
