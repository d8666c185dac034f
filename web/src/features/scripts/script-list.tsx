/** Shows scripts as text: what kind each is, what it runs, and whether it is trusted. */
import type { ScriptDocument } from "@contract/endpoints/repositories.ts";
import { visibleText } from "@contract/text.ts";
import { useTranslation } from "react-i18next";
import { VerdictSign } from "../../ui/state-sign.tsx";

export function ScriptList({ scripts }: { readonly scripts: readonly ScriptDocument[] }) {
  const { t } = useTranslation("scripts");
  return (
    <ul className="flex flex-col gap-1">
      {scripts.map(({ hash, text, trusted }) => (
        <li key={hash} className="flex items-start gap-2">
          <span className="mt-0.5 flex-none">
            <VerdictSign verdict={trusted ? "pass" : "over"} />
            <span className="visually-hidden">{t(trusted ? "isTrusted" : "isNew")}</span>
          </span>
          <code className="min-w-0 text-fine break-words whitespace-pre-wrap">{visibleText(text)}</code>
        </li>
      ))}
    </ul>
  );
}
