/** Makes a new attempt of the files and hunks that were taken from several attempts. */
import { cleanLine } from "@contract/text.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api, once, problemOf } from "../../../data/api.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { Letter } from "../../../ui/letter.tsx";
import { StateSign } from "../../../ui/state-sign.tsx";
import { tell } from "../../../ui/toast.tsx";
import { cardsOfTask } from "../../attempts/cards.ts";
import { useKeys } from "../../keys/keys.ts";
import type { AttemptColumn } from "../columns.ts";
import type { Take, Taking } from "./taking.ts";

interface TakeProps {
  readonly task: string;
  readonly columns: readonly AttemptColumn[];
  readonly taking: Taking;
  readonly onEnd: () => void;
  /** The new attempt gets the focus. */
  readonly onMade: (letter: string) => void;
}

export function TakeBar(props: TakeProps) {
  const { t } = useTranslation("compare");
  const { taking, columns } = props;
  const make = useCompose(props);
  const count = taking.takes.reduce((sum, { hunks }) => sum + (hunks?.length ?? 1), 0);
  const send = () => {
    if (count > 0 && !make.isPending) make.mutate(taking.takes);
  };
  useKeys([{ spec: "mod+enter", words: t("takeMake", { count }), run: send, whileTyping: true }]);
  return (
    <section
      aria-label={t("take")}
      className="flex flex-none flex-col gap-1.5 border-t border-line bg-surface px-3.5 py-2"
    >
      {make.error !== null && <DoesNotFit error={make.error} />}
      <div className="flex min-h-9 flex-wrap items-center gap-2.5">
        <span className="font-medium">{t("take")}</span>
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-2 text-small text-ink-2">
          {count === 0
            ? t("takeHint")
            : columns.map((column) => <Taken key={column.id} of={column} takes={taking.takes} />)}
        </span>
        <Button kind="quiet" onClick={props.onEnd}>
          {t("takeStop")}
        </Button>
        <Button
          kind="primary"
          keySpec="mod+enter"
          busy={make.isPending}
          off={count === 0 ? t("takeNothing") : null}
          onClick={send}
        >
          {t("takeMake", { count })}
        </Button>
      </div>
    </section>
  );
}

function Taken({ of, takes }: { readonly of: AttemptColumn; readonly takes: readonly Take[] }) {
  const { t } = useTranslation("compare");
  const own = takes.filter(({ attempt }) => attempt === of.id);
  if (own.length === 0) return null;
  const files = own.filter(({ hunks }) => hunks === null).length;
  const hunks = own.reduce((sum, take) => sum + (take.hunks?.length ?? 0), 0);
  return (
    <span className="flex items-center gap-1.5" title={own.map(({ path }) => cleanLine(path)).join("\n")}>
      <Letter letter={of.letter} />
      {[
        files > 0 ? t("takenFiles", { count: files }) : null,
        hunks > 0 ? t("takenHunks", { count: hunks }) : null,
      ]
        .filter((words) => words !== null)
        .join(", ")}
    </span>
  );
}

/** The refusal names the files; they are listed, since each has to be taken from one attempt alone. */
function DoesNotFit({ error }: { readonly error: unknown }) {
  const { t } = useTranslation("compare");
  const { message, remedy, code, details } = problemOf(error);
  const [isWhole, setWhole] = useState(false);
  const paths = pathsOf(details);
  return (
    <div role="alert" className="callout family-fail">
      <span className="mt-0.5">
        <StateSign sign="square-cross" />
      </span>
      <div className="min-w-0">
        <p lang="en" className="font-medium">
          {message}
        </p>
        {paths.length > 0 && (
          <ul className="font-mono text-fine">
            {paths.slice(0, isWhole ? paths.length : 8).map((path) => (
              <li key={path}>
                <bdi>{cleanLine(path)}</bdi>
              </li>
            ))}
          </ul>
        )}
        {paths.length > 8 && !isWhole && (
          <Button size="small" kind="quiet" onClick={() => setWhole(true)}>
            {t("filesCount", { count: paths.length })}
          </Button>
        )}
        <p className="text-ink-2" lang={code === "does_not_fit" ? undefined : "en"}>
          {code === "does_not_fit" ? t("doesNotFit") : remedy}
        </p>
        <code className="text-fine text-ink-3">{code}</code>
      </div>
    </div>
  );
}

function pathsOf(details: Readonly<Record<string, unknown>>): readonly string[] {
  const named = details.files ?? details.paths;
  return Array.isArray(named)
    ? named.flatMap((each: unknown) => {
        if (typeof each === "string") return [each];
        const path = (each as { readonly path?: unknown } | null)?.path;
        return typeof path === "string" ? [path] : [];
      })
    : [];
}

/** Each part names the commit that was looked at, so that nothing else is taken. */
function useCompose({ task, columns, taking, onEnd, onMade }: TakeProps) {
  const { t } = useTranslation("compare");
  return useMutation({
    mutationFn: (takes: readonly Take[]) => {
      const commits = new Map(columns.map(({ id, compared }) => [id, compared.commit]));
      const take = takes.map(({ attempt, path, hunks }) => ({
        attempt,
        path,
        hunks: hunks === null ? null : [...hunks],
        expect: commits.get(attempt) ?? null,
      }));
      return answerOf(api.compose(task, { take }, once()));
    },
    onSuccess: (made) => {
      taking.clear();
      onEnd();
      const [newest] = cardsOfTask({ ...made.task, attempts: made.attempts }).toSorted(
        (one, other) => other.attempt.number - one.attempt.number,
      );
      if (newest === undefined) return;
      onMade(newest.letter);
      tell({ title: t("composed", { letter: newest.letter }) });
    },
  });
}
