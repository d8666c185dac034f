/** Makes a repository known: a folder on this machine, or an address that is cloned. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api, once } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { tellProblem } from "../../ui/toast.tsx";

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
      <Button type="submit" kind="primary" asks="addRepository" busy={add.isPending}>
        {t("add")}
      </Button>
    </form>
  );
}

function isAddress(place: string): boolean {
  return /^[a-z][a-z+.-]*:\/\//i.test(place) || /^[\w.-]+@[\w.-]+:/.test(place);
}
