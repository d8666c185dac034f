/** How much of the disk Tazuna uses, by kind, and what is left. */
import { useQuery } from "@tanstack/react-query";
import { capacityQuery } from "../../data/queries.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";

interface Part {
  readonly words: string;
  readonly bytes: number;
}

/** From the darkest to the lightest. */
const FILLS = ["bg-ink-2", "bg-ink-3", "bg-line-control", "bg-line-strong", "bg-line"] as const;

export function Overview({ parts }: { readonly parts: readonly Part[] }) {
  const { t } = useTranslation("storage");
  const { bytes } = useFormat();
  const { data: capacity } = useQuery(capacityQuery);
  const all = parts.reduce((sum, part) => sum + part.bytes, 0);
  const [number = "", unit = ""] = bytes(all).split(" ");
  return (
    <section
      aria-label={t("uses")}
      className="flex flex-none gap-5 border-b border-line px-4 pt-3.5 pb-3 max-sm:flex-col max-sm:gap-2"
    >
      <p>
        <span className="block text-small text-ink-2">{t("uses")}</span>
        <span className="text-display font-semibold tracking-tight tabular-nums">
          {number} <span className="text-[14px] font-medium text-ink-3">{unit}</span>
        </span>
      </p>
      <div className="min-w-0 flex-1 pt-4 max-sm:pt-0">
        <div className="keeps-colours flex h-3 gap-0.5" aria-hidden="true">
          {parts.map(({ words, bytes: size }, index) =>
            size === 0 ? null : (
              <i
                key={words}
                className={`min-w-0.5 rounded-[3px] ${FILLS[index] ?? "bg-line"}`}
                style={{ flexGrow: Math.max(size, all / 200) }}
              />
            ),
          )}
        </div>
        <p className="mt-2 flex flex-wrap gap-x-[18px] gap-y-1 text-small">
          {parts.map(({ words, bytes: size }, index) => (
            <span key={words} className="flex items-center gap-1.5 whitespace-nowrap">
              <i aria-hidden="true" className={`size-[9px] rounded-[2px] ${FILLS[index] ?? "bg-line"}`} />
              {words} <b className="tabular-nums">{bytes(size)}</b>
            </span>
          ))}
          {capacity !== undefined && (
            <span className="ml-auto text-ink-3">
              {t("free", {
                bytes: bytes(capacity.disk.free_bytes),
                floor: bytes(capacity.disk.floor_bytes),
              })}
            </span>
          )}
        </p>
      </div>
    </section>
  );
}
