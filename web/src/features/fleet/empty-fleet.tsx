/** What an empty server offers: the demo, or a repository of one's own. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answerOf, api, once } from "../../data/api.ts";
import { Button } from "../../ui/button.tsx";
import { tellProblem } from "../../ui/toast.tsx";

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

/** Takes a folder on this machine, or an address that is cloned. */
export function AddRepository({ onAdded }: { readonly onAdded: () => void }) {
  const { t } = useTranslation("fleet");
  const [place, setPlace] = useState("");
  const add = useMutation({
    mutationFn: () =>
      answerOf(
        api.addRepository(isAddress(place.trim()) ? { url: place.trim() } : { path: place.trim() }, once()),
      ),
    onSuccess: onAdded,
    onError: tellProblem,
  });
  return (
    <form
      className="flex w-full gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (place.trim() !== "") add.mutate();
      }}
    >
      <input
        aria-label={t("addRepositoryLabel")}
        placeholder={t("addRepositoryLabel")}
        className="field"
        // biome-ignore lint/a11y/noAutofocus: the person just asked for this field.
        autoFocus
        value={place}
        onChange={(event) => setPlace(event.target.value)}
      />
      <Button type="submit" kind="primary" busy={add.isPending}>
        {t("add")}
      </Button>
    </form>
  );
}

function isAddress(place: string): boolean {
  return /^[a-z][a-z+.-]*:\/\//i.test(place) || /^[\w.-]+@[\w.-]+:/.test(place);
}
