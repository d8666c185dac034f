/** What an empty server offers: the demo, or a repository of one's own. */

import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { answerOf, api, once } from "../../data/api.ts";
import { useWhyNot } from "../../data/may.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { tellProblem } from "../../ui/toast.tsx";
import { AddRepository } from "./add-repository.tsx";

interface ListedRepository {
  readonly name: string;
  readonly demo: boolean;
}

/** With a repository of one's own, the next step is a task. */
export function EmptyFleet({ repositories }: { readonly repositories: readonly ListedRepository[] }) {
  const { t } = useTranslation("fleet");
  const [isAdding, setAdding] = useState(false);
  const demo = useMutation({
    mutationFn: () => answerOf(api.demo({ ask: true }, once())),
    onError: tellProblem,
  });
  const own = repositories.filter(({ demo: isDemo }) => !isDemo);
  if (own.length > 0) return <NoTasks names={own.map(({ name }) => name).join(", ")} />;
  return (
    <div className="m-auto flex max-w-md flex-col items-start gap-3 p-6">
      <h2 className="text-title">{t("emptyTitle")}</h2>
      <p className="text-ink-2">{t("emptyText")}</p>
      <span className="flex gap-2">
        <Button kind="primary" autoFocus asks="demo" busy={demo.isPending} onClick={() => demo.mutate()}>
          {t("startDemo")}
        </Button>
        <Button asks="addRepository" onClick={() => setAdding(true)}>
          {t("addRepository")}
        </Button>
      </span>
      {isAdding && <AddRepository onAdded={() => setAdding(false)} />}
    </div>
  );
}

/** Once, as it appears: the field with which the repository was added is gone. */
const takeFocus = (link: HTMLElement | null) => link?.focus();

function NoTasks({ names }: { readonly names: string }) {
  const { t } = useTranslation("fleet");
  const mayBegin = useWhyNot()("createTask") === null;
  return (
    <div className="m-auto flex max-w-md flex-col items-start gap-3 p-6">
      <p className="text-ink-2">{t("noTasks", { repository: names })}</p>
      {mayBegin && (
        <Link ref={takeFocus} to="/tasks/new" className="button" data-kind="primary">
          {t("newTask", { ns: "shell" })}
          <KeyCap spec="n" />
        </Link>
      )}
    </div>
  );
}
