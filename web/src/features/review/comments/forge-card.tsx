/** An open thread of the pull request, below the line that it is about. */
import type { PullRequestSummary } from "@contract/pull-request-document.ts";
import { cleanText } from "@contract/text.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { isWebAddress } from "../../attempts/web-address.ts";

export function ForgeCard(props: {
  readonly thread: PullRequestSummary["open_threads"][number];
  readonly isChosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
}) {
  const { t } = useTranslation("review");
  const { author, words, url } = props.thread;
  return (
    <article className="flex flex-col gap-1 rounded-card border border-line-strong bg-raised px-2.5 pt-1.5 pb-2 shadow-1">
      <div className="flex min-h-6 items-center gap-2 text-small text-ink-2">
        <span className="chip">{author === null ? t("unknownAuthor") : <bdi>{cleanText(author)}</bdi>}</span>
        {t("onForge")}
        {isWebAddress(url) && (
          <a className="ml-auto text-accent hover:underline" href={url} target="_blank" rel="noreferrer">
            {t("openOnForge")}
          </a>
        )}
      </div>
      <bdi className="whitespace-pre-wrap [overflow-wrap:anywhere]">{cleanText(words)}</bdi>
      <label className="tick mt-1 border-t border-line pt-1.5 text-small">
        <input
          type="checkbox"
          checked={props.isChosen}
          onChange={({ target }) => props.onChoose(target.checked)}
        />
        {t("sendThisToo")}
      </label>
    </article>
  );
}
