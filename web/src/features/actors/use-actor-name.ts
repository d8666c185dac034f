/** Names who asked for something, in the language of this device. */
import type { RunDocument } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";

type Actor = RunDocument["actor"];

/** What Tazuna does by itself has its name. An older engine says nothing of who asked. */
export function useActorName(): (actor: Actor | undefined) => string {
  const { t } = useTranslation("actors");
  return (actor) => {
    if (!actor) return t("tazuna");
    const name = actor.name === null ? null : cleanLine(actor.name);
    switch (actor.kind) {
      case "owner":
        return name === null ? t("owner") : t("ownerOf", { name });
      case "browser":
        return name === null ? t("browser") : t("browserAt", { name });
      case "person":
        return name ?? t("person");
      case "token":
      case "agent":
        return t(actor.kind, { name: name ?? "" }).trimEnd();
    }
  };
}
