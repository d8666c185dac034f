/** What comes after the demo: a repository of one's own, or the demo goes with all that belongs to it. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { AddRepository } from "./add-repository.tsx";

export function DemoEnd() {
  const { t } = useTranslation("fleet");
  const [isAdding, setAdding] = useState(false);
  const remove = useMutation({ mutationFn: () => answerOf(api.removeDemo()) });
  return (
    <section
      aria-label={t("demoDoneTitle")}
      className="m-2 flex flex-wrap items-center gap-3 rounded-card border border-line bg-surface p-3 shadow-1"
    >
      <p className="min-w-48 flex-1">
        <strong className="font-semibold">{t("demoDoneTitle")}</strong> {t("demoDoneText")}
        <span className="block text-fine text-ink-3">{t("demoGoes")}</span>
      </p>
      {isAdding ? (
        <AddRepository onAdded={() => setAdding(false)} />
      ) : (
        <Button kind="primary" asks="addRepository" onClick={() => setAdding(true)}>
          {t("addRepository")}
        </Button>
      )}
      <Button asks="removeDemo" busy={remove.isPending} onClick={() => remove.mutate()}>
        {t("removeDemo")}
      </Button>
      {remove.error !== null && <ProblemNote error={remove.error} />}
    </section>
  );
}
