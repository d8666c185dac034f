/** What people wrote on the pull request, and which of it goes to the agent in the next run. */

import type { PullRequestDocument, PullRequestSummary } from "@contract/pull-request-document.ts";
import { cleanLine, cleanText } from "@contract/text.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../i18n/format.ts";
import { Button } from "../../ui/button.tsx";
import { StateSign, VerdictSign } from "../../ui/state-sign.tsx";
import { tell } from "../../ui/toast.tsx";
import { useFollowUp } from "../attempts/act.ts";
import { useKeys } from "../keys/keys.ts";
import { Panel } from "./panel.tsx";

type Thread = PullRequestDocument["threads"][number];

export function ThreadsPanel(props: {
  readonly attempt: string;
  readonly pull: PullRequestDocument;
  readonly summary: PullRequestSummary;
  readonly isWorking: boolean;
}) {
  const { t } = useTranslation("ship");
  const { t: k } = useTranslation("keys");
  const { attempt, pull, summary, isWorking } = props;
  const followUp = useFollowUp(attempt);
  const open = new Set(summary.open_threads.map(({ id }) => id));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const taken = [...open].filter((id) => !left.has(id));
  const toggle = (id: string) =>
    setLeft((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const toggleFocused = () => {
    const id = document.activeElement?.closest<HTMLElement>("[data-thread]")?.dataset.thread;
    const at = id ?? summary.open_threads[0]?.id;
    if (at !== undefined && open.has(at)) toggle(at);
  };
  useKeys([{ spec: "+", words: k("addToRun"), run: toggleFocused, inBar: open.size > 0 }]);
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
              isTaken={!left.has(thread.id)}
              onToggle={() => toggle(thread.id)}
            />
          ))}
      </ul>
      {open.size > 0 && (
        <Button
          className="mt-2"
          size="small"
          data-act="send_threads"
          busy={followUp.isPending}
          off={isWorking ? t("whyWorking") : taken.length === 0 ? t("addToRun") : null}
          onClick={() =>
            followUp.mutate({ from_review: taken }, { onSuccess: () => tell({ title: t("sent") }) })
          }
        >
          {t("sendThreads", { count: taken.length })}
        </Button>
      )}
    </Panel>
  );
}

function ThreadRow(props: {
  readonly thread: Thread;
  readonly isTaken: boolean;
  readonly onToggle: () => void;
}) {
  const { t } = useTranslation("ship");
  const { clock } = useFormat();
  const { thread, isTaken, onToggle } = props;
  return (
    <li data-thread={thread.id} tabIndex={-1} className="rounded-control text-small">
      {thread.comments.map((comment) => (
        <div key={comment.id} className="mb-1">
          <p className="flex flex-wrap items-baseline gap-x-1.5">
            <bdi className="font-semibold">{comment.author === null ? "?" : cleanLine(comment.author)}</bdi>
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
        <label className="flex items-center gap-1.5 text-ink-2">
          <input type="checkbox" className="accent-(--accent-fill)" checked={isTaken} onChange={onToggle} />
          {t("addToRun")}
        </label>
        {/^https?:\/\//.test(thread.url) && (
          <a href={thread.url} target="_blank" rel="noreferrer" className="text-accent hover:underline">
            {t("openOnForge")}
          </a>
        )}
      </span>
    </li>
  );
}
