/** Shows scripts as text: what kind each is, what it runs, and whether it is trusted. */
import type { ScriptDocument } from "@contract/endpoints/repositories.ts";
import { visibleText } from "@contract/text.ts";
import { needsNames } from "@contract/words/actor-words.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import { useActorName } from "../actors/use-actor-name.ts";

export function ScriptList({ scripts }: { readonly scripts: readonly ScriptDocument[] }) {
  const { t } = useTranslation("scripts");
  const { t: a } = useTranslation("actors");
  const nameOf = useActorName();
  const isNamed = needsNames(scripts.map(({ by }) => by));
  return (
    <ul className="flex flex-col gap-1">
      {scripts.map(({ hash, text, trusted, before, by }) => (
        <li key={hash} className="flex items-start gap-2">
          <span className="mt-0.5 flex-none">
            <VerdictSign verdict={trusted ? "pass" : "over"} />
            <span className="visually-hidden">{t(trusted ? "isTrusted" : "isNew")}</span>
          </span>
          <span className="min-w-0 flex-1">
            {before !== undefined && <Line kind="del" text={before} />}
            <Line kind={before === undefined ? null : "add"} text={text} />
            {isNamed && by !== undefined && (
              <bdi className="text-fine text-ink-3">{a("trustedBy", { name: nameOf(by) })}</bdi>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A line of the difference also says in words what it is. */
function Line({ kind, text }: { readonly kind: "add" | "del" | null; readonly text: string }) {
  const { t } = useTranslation("scripts");
  const tone = kind === "add" ? "bg-add-line" : kind === "del" ? "bg-del-line" : "";
  return (
    <code className={`block text-fine break-words whitespace-pre-wrap ${tone}`}>
      {kind !== null && (
        <>
          <span aria-hidden="true" className={kind === "add" ? "text-add-ink" : "text-del-ink"}>
            {kind === "add" ? "+ " : "− "}
          </span>
          <span className="visually-hidden">{t(kind === "add" ? "isNow" : "wasBefore")}</span>
        </>
      )}
      {visibleText(text)}
    </code>
  );
}
