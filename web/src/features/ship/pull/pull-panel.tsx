/** The pull request: what would be sent before it is open, and what the forge has after. */

import type { PreviewAnswer } from "@contract/endpoints/pull-requests.ts";
import type { AttemptDocument } from "@contract/task-document.ts";
import { cleanLine, cleanText } from "@contract/text.ts";
import { ExternalLink } from "lucide-react";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { CodeText } from "../../../ui/code-text.tsx";
import { KeyCap } from "../../../ui/key-cap.tsx";
import { LineCounts } from "../../attempts/numbers.tsx";
import { isWebAddress } from "../../attempts/web-address.ts";
import { Panel } from "../panel.tsx";
import { NewPull } from "./new-pull.tsx";
import { useOpen } from "./use-open.ts";

interface PullProps {
  readonly attempt: AttemptDocument;
  /** Null as long as it is read. */
  readonly preview: PreviewAnswer | null;
  readonly isWorking: boolean;
}

export function PullPanel(props: PullProps) {
  const { attempt, preview } = props;
  const pull = attempt.pull_request;
  const { t } = useTranslation("ship");
  const isThere = pull !== null && pull.state !== "closed";
  if (isThere) return <OpenPull {...props} pull={pull} />;
  if (preview === null)
    return (
      <Panel step="pull" title={t("stepPull")}>
        <p className="text-small text-ink-3">{t("loading")}</p>
      </Panel>
    );
  if (preview.refusal !== null)
    return <NoPull attempt={attempt} preview={preview} refusal={preview.refusal} />;
  return (
    <Panel step="pull" title={t("stepPull")} side={t("preview")}>
      <Branches base={preview.base} head={preview.head} attempt={attempt} />
      <NewPull attempt={attempt.id} preview={preview} isWorking={props.isWorking} />
    </Panel>
  );
}

/** What would be sent is there to read, for the time when one can be opened. */
function NoPull(props: {
  readonly attempt: AttemptDocument;
  readonly preview: PreviewAnswer;
  readonly refusal: NonNullable<PreviewAnswer["refusal"]>;
}) {
  const { t } = useTranslation("ship");
  const { attempt, preview, refusal } = props;
  return (
    <Panel step="pull" title={t("stepPull")}>
      <Branches base={preview.base} head={preview.head} attempt={attempt} />
      <div className="callout family-queue mb-2 flex-col gap-0!">
        <p className="font-medium text-ink">{t("noForge")}</p>
        <p className="text-ink-2">
          <CodeText text={refusal.message} />
        </p>
        <p className="text-ink-2">
          <CodeText text={refusal.remedy} />
        </p>
      </div>
      <details>
        <summary className="text-small text-ink-2">{t("wouldSend")}</summary>
        <p className="mt-1 font-medium">
          <bdi>{cleanLine(preview.title)}</bdi>
        </p>
        <Body text={preview.body} />
      </details>
    </Panel>
  );
}

function Body({ text }: { readonly text: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
      tabIndex={0}
      className="max-h-72 overflow-auto rounded-control border border-line bg-canvas px-3 py-2 font-sans text-small break-words whitespace-pre-wrap"
    >
      <bdi>{cleanText(text).trim()}</bdi>
    </pre>
  );
}

function Branches(props: {
  readonly base: string | null;
  readonly head: string;
  readonly attempt: AttemptDocument;
}) {
  const { base, head, attempt } = props;
  return (
    <p className="mb-2 flex min-w-0 flex-wrap items-center gap-x-1.5 text-small text-ink-3">
      <code>{base ?? "?"}</code> ← <code className="min-w-0 truncate">{head}</code>
      {attempt.changes !== null && (
        <span className="text-fine">
          · <LineCounts additions={attempt.changes.additions} deletions={attempt.changes.deletions} />
        </span>
      )}
    </p>
  );
}

function OpenPull({
  attempt,
  preview,
  pull,
}: PullProps & { readonly pull: NonNullable<AttemptDocument["pull_request"]> }) {
  const { t } = useTranslation("ship");
  const open = useOpen(attempt.id);
  const word = pull.number === null ? null : pull.draft && pull.state === "open" ? "draft" : pull.state;
  return (
    <Panel
      step="pull"
      title={pull.number === null ? t("pullWaits") : `#${pull.number} ${cleanLine(pull.title)}`}
      chips={
        word === null ? undefined : (
          <span
            className={`chip order-first capitalize ${word === "open" ? "family-work" : word === "merged" ? "family-ready" : ""}`}
          >
            {t(`pull_${word}`)}
          </span>
        )
      }
      side={
        <span className="flex items-center gap-2">
          {word === "draft" && (
            <Button
              size="small"
              busy={open.isPending}
              onClick={() => open.mutate({ title: null, body: null, draft: false })}
            >
              {t("makeReady")}
            </Button>
          )}
          {pull.url !== null && <ForgeLink url={pull.url} />}
        </span>
      }
    >
      <Branches base={pull.base} head={pull.head} attempt={attempt} />
      {pull.trouble !== null && (
        <p className="callout family-fail mb-2">
          <CodeText text={pull.trouble.message} />
        </p>
      )}
      {preview !== null && <Body text={preview.body} />}
      {preview?.keeps.title === true && <p className="text-fine text-ink-3">{t("keepsTitle")}</p>}
      {preview?.keeps.body === true && <p className="text-fine text-ink-3">{t("keepsBody")}</p>}
    </Panel>
  );
}

function ForgeLink({ url }: { readonly url: string }) {
  const { t } = useTranslation("ship");
  if (!isWebAddress(url)) return null;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      data-act="open_forge"
      className="button"
      data-kind="quiet"
      data-size="small"
    >
      <ExternalLink size={12} aria-hidden="true" />
      {t("openOnForge")}
      <KeyCap spec="o" />
    </a>
  );
}
