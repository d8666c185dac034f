/** Signs another device in: a fresh link as text, as a QR code, and as a short code to be typed. */
import { useMutation } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";
import { Rich, useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { tellProblem } from "../../ui/toast.tsx";
import { SettingsSection } from "./parts.tsx";
import { qrCode } from "./qr/code.ts";

export function DevicesSection() {
  const { t } = useTranslation("settings");
  const make = useMutation({ mutationFn: () => answerOf(api.link({})), onError: tellProblem });
  const { data: link } = make;
  return (
    <SettingsSection id="devices" title={t("devices")}>
      <div className="flex flex-col gap-3 px-3.5 py-3">
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 basis-52 text-ink-2">{t("devicesText")}</p>
          <Button size="small" busy={make.isPending} onClick={() => make.mutate()}>
            {t(link === undefined ? "makeLink" : "makeAnother")}
          </Button>
        </div>
        {link !== undefined && isLoopback(new URL(link.url).hostname) && <OnlyHere />}
        {link !== undefined && <Made url={link.url} code={link.code} />}
      </div>
    </SettingsSection>
  );
}

const isLoopback = (host: string) => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(host);

/** A tunnel needs nothing else; other ways want TLS. */
function OnlyHere() {
  const { hostname, port } = location;
  return (
    <div className="callout family-needs flex-col! items-start! text-small">
      <span>
        <Rich noun="settings" words="onlyHere" parts={{ c: <code className="whitespace-nowrap" /> }} />
      </span>
      <code className="[overflow-wrap:anywhere]">{`ssh -L ${port}:${hostname}:${port} HOST`}</code>
    </div>
  );
}

function Made({ url, code }: { readonly url: string; readonly code: string }) {
  const { t } = useTranslation("settings");
  return (
    <div className="flex flex-wrap items-start gap-4">
      {!isLoopback(new URL(url).hostname) && <QrPicture text={url} />}
      <dl className="facts min-w-0 flex-1 basis-64">
        <dt>{t("linkLabel")}</dt>
        <dd>
          <CopyText text={url} />
        </dd>
        <dt>{t("codeLabel")}</dt>
        <dd>
          <CopyText text={code} />
          <span className="block text-small text-ink-3">{t("codeHint")}</span>
        </dd>
      </dl>
    </div>
  );
}

/** Dark on light in every theme, with the margin that cameras need. */
function QrPicture({ text }: { readonly text: string }) {
  const { t } = useTranslation("settings");
  const rows = qrCode(text);
  if (rows === null) return <p className="text-small text-ink-2">{t("linkTooLong")}</p>;
  const size = rows.length + 8;
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      role="img"
      aria-label={t("qrLabel")}
      viewBox={`0 0 ${size} ${size}`}
      className="size-44 flex-none rounded-control"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" />
    </svg>
  );
}
