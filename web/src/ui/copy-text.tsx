/** Text that is copied by a press: an id, a path, a branch. */
import { Copy } from "lucide-react";
import { useTranslation } from "../i18n/use-translation.tsx";
import { tell, tellProblem } from "./toast.tsx";

export function CopyText({ text, shown = text }: { readonly text: string; readonly shown?: string }) {
  const { t } = useTranslation("shell");
  const copy = () =>
    navigator.clipboard.writeText(text).then(() => tell({ title: t("copied"), text }), tellProblem);
  return (
    <button
      type="button"
      title={text}
      onClick={() => void copy()}
      className="target inline-flex max-w-full items-baseline gap-1 text-left hover:underline"
    >
      <code className="min-w-0 [overflow-wrap:anywhere]">{shown}</code>
      <Copy size={11} aria-hidden="true" className="flex-none self-center text-ink-3" />
      <span className="visually-hidden">{t("copy")}</span>
    </button>
  );
}
