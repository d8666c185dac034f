/** The commit message as it is or will be, and where the commit went. */

import type { AttemptDocument } from "@contract/task-document.ts";
import { cleanText } from "@contract/text.ts";
import { useMutation } from "@tanstack/react-query";
import { answerOf, api, once } from "../../../data/api.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { CopyText } from "../../../ui/copy-text.tsx";
import { StateSign } from "../../../ui/state-sign.tsx";
import { tell, tellProblem } from "../../../ui/toast.tsx";
import { TwoPressButton, useTwoPress } from "../../../ui/two-press.tsx";
import { useShowBegun } from "../../attempts/act.ts";
import { isLongSubject, type ShipFacts } from "../facts.ts";
import { Panel } from "../panel.tsx";
import { useActKey } from "../suggested.ts";
import { MessageEditor } from "./message-editor.tsx";

interface MessageProps {
  readonly attempt: AttemptDocument;
  readonly facts: ShipFacts;
  /** `sha` is null as long as the commit is not made. */
  readonly commit: { readonly sha: string | null; readonly message: string } | null;
  /** What a person typed for the commit that is still to be made; null: Tazuna's own words. */
  readonly typed: string | null;
}

export function MessagePanel({ attempt, facts, commit, typed }: MessageProps) {
  const { t } = useTranslation("ship");
  const message = commit === null ? null : cleanText(commit.message).trimEnd();
  const subject = message?.split("\n")[0] ?? "";
  const trailers = message === null ? -1 : message.search(/\n(?=Tazuna-)/);
  const cut = message === null || trailers === -1 ? (message?.length ?? 0) : trailers;
  return (
    <Panel
      step="message"
      title={t("message")}
      side={
        message === null ? undefined : (
          <span className={isLongSubject(subject) ? "text-needs-ink" : ""}>
            {t("chars", { count: [...subject].length })}
          </span>
        )
      }
    >
      {message === null ? (
        <p className="text-small text-ink-2">{t("noMessage")}</p>
      ) : commit?.sha === null ? (
        <MessageEditor
          key={attempt.id}
          attempt={attempt.id}
          first={typed ?? message.slice(0, cut).trimEnd()}
          isTyped={typed !== null}
          trailers={message.slice(cut).trim()}
        />
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
          tabIndex={0}
          className="field max-h-64 overflow-auto text-[11.5px] leading-[17.5px] break-words whitespace-pre-wrap"
        >
          <bdi>{message.slice(0, cut)}</bdi>
          <bdi className="text-ink-3">{message.slice(cut)}</bdi>
        </pre>
      )}
      <PushLine attempt={attempt} facts={facts} />
    </Panel>
  );
}

/** The step of pushing stands under the message, since both are about the one commit. */
function PushLine({ attempt, facts }: Pick<MessageProps, "attempt" | "facts">) {
  const { t } = useTranslation("ship");
  const act = useActKey("push");
  const { commit, pushed, isWorking } = facts;
  const showBegun = useShowBegun();
  const push = useMutation({
    mutationFn: () => answerOf(api.publish(attempt.id, {}, once())),
    onError: tellProblem,
    onSuccess: (made) => {
      showBegun(made);
      tell({ title: t("pushing") });
    },
  });
  const twice = useTwoPress(() => push.mutate());
  if (commit === null) return null;
  const heldBy = facts.checks.find(
    ({ name, passed, required }) => !passed && required && !facts.allowedChecks.includes(name),
  )?.name;
  const canPush = pushed === "held" || pushed === "failed";
  return (
    <div
      data-step="push"
      tabIndex={-1}
      className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-fine text-ink-3"
    >
      <span className="family-ready flex items-center gap-1">
        <StateSign sign="disc-node" size={12} />
        {t("committed")} <CopyText text={commit} shown={commit.slice(0, 7)} />
      </span>
      {pushed === "pushed" && (
        <span className="family-ready flex min-w-0 items-center gap-1">
          <StateSign sign="disc-tick" size={12} />
          {t("pushed")} <CopyText text={attempt.branch} />
        </span>
      )}
      {canPush && (
        <span className="ml-auto">
          <TwoPressButton
            kind="primary"
            size="small"
            {...act}
            words={t(pushed === "failed" ? "pushAgain" : "push")}
            busy={push.isPending}
            off={isWorking ? t("whyWorking") : heldBy === undefined ? null : t("whyCheck", { name: heldBy })}
            {...twice}
          />
        </span>
      )}
    </div>
  );
}
