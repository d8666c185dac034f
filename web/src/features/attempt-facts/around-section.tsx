/** What stands around an attempt: the processes of its run, and attempts that change the same files. */
import { cleanLine } from "@contract/text.ts";
import { Link } from "@tanstack/react-router";
import { SquareTerminal, TriangleAlert } from "lucide-react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { useSituation } from "../attempts/situation.ts";
import { Unknown } from "./unknown.tsx";

export function ProcessesSection({ attempt, works }: { readonly attempt: string; readonly works: boolean }) {
  const { t } = useTranslation("facts");
  const { bytes } = useFormat();
  const { situation } = useSituation(attempt);
  const processes = situation?.processes ?? null;
  return (
    <section className="section">
      <h2>
        <SquareTerminal size={12} aria-hidden="true" />
        {t("processes")}
        {processes !== null && <span className="ml-auto tabular-nums">{processes.length}</span>}
      </h2>
      {processes === null ? (
        <p className="text-small">
          {works || situation?.reasons.processes ? (
            <Unknown why={situation?.reasons.processes ?? t("beingRead")} />
          ) : (
            <span className="text-ink-2">{t("noProcess")}</span>
          )}
        </p>
      ) : processes.length === 0 ? (
        <p className="text-small text-ink-2">{t("noProcess")}</p>
      ) : (
        <ul>
          {processes.slice(0, MOST).map(({ pid, command, rss_bytes }) => (
            <li key={pid} className="flex gap-2 text-fine text-ink-2">
              <code className="min-w-0 flex-1 truncate" title={`${pid} ${cleanLine(command)}`}>
                {shortened(cleanLine(command))}
              </code>
              <span className="tabular-nums whitespace-nowrap">{bytes(rss_bytes)}</span>
            </li>
          ))}
          {processes.length > MOST && (
            <li className="text-fine text-ink-3">{t("moreProcesses", { count: processes.length - MOST })}</li>
          )}
        </ul>
      )}
    </section>
  );
}

const MOST = 12;

/** The program by its name alone, its first words whole. */
function shortened(command: string): string {
  return command
    .split(" ")
    .map((word, index) => (index < 2 ? word.slice(word.lastIndexOf("/") + 1) : word))
    .join(" ");
}

export function OverlapSection({ attempt }: { readonly attempt: string }) {
  const { t } = useTranslation("facts");
  const { situation } = useSituation(attempt);
  const overlap = situation?.overlap ?? null;
  const others = [...Map.groupBy(overlap ?? [], ({ attempt: other }) => other).values()];
  return (
    <section className="section">
      <h2>
        <TriangleAlert size={12} aria-hidden="true" />
        {t("overlap")}
      </h2>
      {overlap === null ? (
        <p className="text-small">
          <Unknown why={situation?.reasons.overlap ?? t("beingRead")} />
        </p>
      ) : others.length === 0 ? (
        <p className="text-small text-ink-2">{t("noOverlap")}</p>
      ) : (
        <ul className="flex flex-col gap-1 text-small">
          {others.slice(0, MOST).map((files) => (
            <li key={files[0]?.attempt} className="[overflow-wrap:anywhere]">
              <code>{cleanLine(files[0]?.path ?? "")}</code>
              {files.length > 1 && <span> {t("andMore", { count: files.length - 1 })}</span>}{" "}
              {t("alsoChangedIn")}{" "}
              <Link
                to="/attempts/$id"
                params={{ id: files[0]?.attempt ?? "" }}
                className="text-accent hover:underline"
              >
                <bdi>{cleanLine(files[0]?.title ?? "")}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
