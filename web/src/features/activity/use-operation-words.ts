/** Names an operation and its reason in the language of this device; a kind of a newer server keeps its own name. */
import type { OperationDocument } from "@contract/endpoints/operations.ts";
import { activityWords } from "../../i18n/engine/activity-words.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { askedOf } from "./operations.ts";

export function useOperationWords() {
  const { t, isKnown, language } = useTranslation("activity");
  const known = (key: string, otherwise: string) => (isKnown(key) ? t(key) : otherwise);
  const what = (kind: string) => known(`kind_${kind}`, kind.replaceAll("_", " "));
  return {
    what,
    /** The kinds whose words hold all of these; empty without words. */
    kindsOf: (words: string): readonly string[] => {
      const wanted = words
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== "");
      const all = Object.entries<string>(activityWords[language]);
      if (wanted.length === 0) return [];
      return all.flatMap(([key, name]) =>
        key.startsWith("kind_") && wanted.every((word) => name.toLowerCase().includes(word))
          ? [key.slice("kind_".length)]
          : [],
      );
    },
    /** `isNamed`: who asked is told beside it. */
    why: (operation: OperationDocument, isNamed = false): string => {
      const { reason, ...asked } = askedOf(operation);
      const by = isNamed && operation.actor ? null : asked.by;
      const said = reason === null ? null : known(`reason_${reason}`, reason);
      if (by !== null) return said === null ? by : `${by}: ${said}`;
      if (said !== null) return said;
      return operation.subject.type === "run" ? t("run", { run: operation.subject.id.slice(0, 8) }) : "";
    },
    /** Why there is no undo, in a few words. */
    noUndo: ({ kind, status }: OperationDocument): string => {
      if (status !== "done") return "";
      if (kind === "push" || kind === "merge_on_forge" || kind.startsWith("pull_request_")) return t("never");
      return kind === "fetch" || kind === "snapshot" || kind === "worktree_add"
        ? t("nothingToUndo")
        : t("noUndo");
    },
  };
}
