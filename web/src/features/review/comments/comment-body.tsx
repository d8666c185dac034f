/** Shows the words of a comment as data, and its suggestions as small diffs. */
import { cleanText, visibleText } from "@contract/text.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { partsOf } from "./suggestions.ts";

export function CommentBody({ body, quoted }: { readonly body: string; readonly quoted: string | null }) {
  return partsOf(cleanText(body)).map((part, index) =>
    part.kind === "words" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one comment never move.
      <bdi key={index} className="block text-body whitespace-pre-wrap [overflow-wrap:anywhere]">
        {part.text}
      </bdi>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one comment never move.
      <Suggestion key={index} lines={part.lines} quoted={quoted} />
    ),
  );
}

function Suggestion({
  lines,
  quoted,
}: {
  readonly lines: readonly string[];
  readonly quoted: string | null;
}) {
  const { t } = useTranslation("review");
  const before = quoted === null ? [] : quoted.replace(/\n$/, "").split("\n");
  const rows = [
    ...before.map((text) => ({ type: "removed", text }) as const),
    ...lines.map((text) => ({ type: "added", text }) as const),
  ];
  return (
    <figure className="my-1 overflow-hidden rounded-control border border-line">
      <figcaption className="border-b border-line bg-sunken px-2 text-fine text-ink-2">
        {t("suggestion")}
      </figcaption>
      <pre className="overflow-x-auto text-fine leading-5">
        {rows.map(({ type, text }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one suggestion never move.
            key={index}
            className={`block w-max min-w-full px-2 ${type === "added" ? "bg-add-line" : "bg-del-line"}`}
          >
            <span aria-hidden="true" className="inline-block w-4 text-ink-3">
              {type === "added" ? "+" : "−"}
            </span>
            <span className="visually-hidden">
              {t(type === "added" ? "addedLine" : "removedLine", { ns: "diff" })}{" "}
            </span>
            {visibleText(text)}
          </span>
        ))}
      </pre>
    </figure>
  );
}
