/** Shows what a command printed: its end first, all of it on request. It is text, never markup. */
import { useState } from "react";
import { useTranslation } from "../i18n/use-translation.tsx";

/** What is shown at first. */
const FIRST_LINES = 6;

export function OutputBlock({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useTranslation("timeline");
  const [isWhole, setWhole] = useState(false);
  const lines = text.replace(/\s+$/, "").split("\n");
  const hidden = lines.length - FIRST_LINES;
  const shown = isWhole || hidden <= 1 ? lines : lines.slice(-FIRST_LINES);
  return (
    <div className="rounded-control bg-sunken px-2.5 py-1.5 shadow-[inset_0_0_0_1px_var(--line)]">
      {hidden > 1 && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="text-fine text-ink-3 hover:text-ink hover:underline"
        >
          {isWhole ? t("fewer") : t("lines", { count: hidden })}
        </button>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section aria-label={label} tabIndex={0} className="max-h-96 overflow-auto">
        <pre className="text-fine leading-[17px]">
          <bdi>{shown.join("\n")}</bdi>
        </pre>
      </section>
    </div>
  );
}
