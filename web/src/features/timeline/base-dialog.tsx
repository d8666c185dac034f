/** Asks for another base in place of one that is missing; the same agent begins there in an attempt of its own. */
import type { RunDocument } from "@contract/task-document.ts";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { answerOf, api, once } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { tellProblem } from "../../ui/toast.tsx";
import { usePaused } from "../../ui/use-paused.ts";
import type { AttemptCard } from "../attempts/cards.ts";
import { useAttempt } from "../attempts/use-attempt.ts";
import { useTimelineActs } from "./timeline-acts.ts";
import { useGoToMade } from "./use-go-to-made.ts";

export function BaseDialog(props: { readonly run: RunDocument; readonly onClose: () => void }) {
  const { t } = useTranslation("timeline");
  const shown = useAttempt(useTimelineActs().attempt).found?.shown;
  return (
    <Dialog open onClose={props.onClose} title={t("otherBaseTitle")}>
      {shown !== undefined && <BaseForm {...props} shown={shown} />}
    </Dialog>
  );
}

function BaseForm(props: {
  readonly run: RunDocument;
  readonly shown: AttemptCard;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("timeline");
  const goTo = useGoToMade(props.onClose);
  const { task, attempt } = props.shown;
  const [base, setBase] = useState(nearestOf(props.run));
  const list = useId();
  const begin = useMutation({
    mutationFn: (name: string) => {
      const agent = { id: attempt.agent, model: attempt.model };
      return answerOf(api.addAttempt(task.id, { agent, base: name }, once()));
    },
    onError: tellProblem,
    onSuccess: ({ attempts }) => goTo(attempts),
  });
  const name = base.trim();
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== "" && !begin.isPending) begin.mutate(name);
      }}
    >
      <p className="text-small text-ink-2">{t("otherBaseText")}</p>
      <label className="flex flex-col gap-1 text-small text-ink-2">
        {t("otherBaseName")}
        <input
          className="field"
          list={list}
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={base}
          onChange={({ target }) => setBase(target.value)}
        />
      </label>
      <Branches id={list} repository={task.repository.id} words={name} />
      <span className="flex justify-end gap-2">
        <Button onClick={props.onClose}>{t("cancel", { ns: "shell" })}</Button>
        <Button
          kind="primary"
          type="submit"
          busy={begin.isPending}
          off={name === "" ? t("otherBaseNeeds") : null}
        >
          {t("fork")}
        </Button>
      </span>
    </form>
  );
}

function Branches(props: { readonly id: string; readonly repository: string; readonly words: string }) {
  const { repository } = props;
  const query = usePaused(props.words, { key: props.words, ms: 150 });
  const { data } = useQuery({
    queryKey: ["branches", repository, query],
    queryFn: () => answerOf(api.branches(repository, { query })),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  return (
    <datalist id={props.id}>
      {data?.items.map(({ name, sha, tag }) => (
        <option key={`${tag} ${name}`} value={name}>
          {sha.slice(0, 7)}
        </option>
      ))}
    </datalist>
  );
}

/** What the missing one was probably meant to be. */
function nearestOf({ failure }: RunDocument): string {
  const nearest: unknown = failure?.details.nearest;
  const first: unknown = Array.isArray(nearest) ? nearest[0] : null;
  return typeof first === "string" ? first : "";
}
