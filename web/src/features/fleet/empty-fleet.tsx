/** What an empty server offers: the demo, or a repository of one's own. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answerOf, api, once } from "../../data/api.ts";
import { Button } from "../../ui/button.tsx";
import { tellProblem } from "../../ui/toast.tsx";
import { AddRepository } from "./add-repository.tsx";

export function EmptyFleet({ repository }: { readonly repository: string | null }) {
  const { t } = useTranslation("fleet");
  const [isAdding, setAdding] = useState(false);
  const demo = useMutation({
    mutationFn: () => answerOf(api.demo({ ask: true }, once())),
    onError: tellProblem,
  });
  return (
    <div className="m-auto flex max-w-md flex-col items-start gap-3 p-6">
      <h2 className="text-title">{t("emptyTitle")}</h2>
      <p className="text-ink-2">{t("emptyText")}</p>
      {repository !== null && <p className="text-ink-2">{t("noTasks", { repository })}</p>}
      <span className="flex gap-2">
        <Button kind="primary" autoFocus busy={demo.isPending} onClick={() => demo.mutate()}>
          {t("startDemo")}
        </Button>
        <Button onClick={() => setAdding(true)}>{t("addRepository")}</Button>
      </span>
      {isAdding && <AddRepository onAdded={() => setAdding(false)} />}
    </div>
  );
}
