/** What the tables of this screen share: their heads, their rows, and the cells that each of them has. */
import { cleanLine } from "@contract/text.ts";
import type { ComponentProps, ReactNode } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { useNow } from "../../ui/use-now.ts";
import type { AttemptCard } from "../attempts/cards.ts";
import { letterOf } from "./rows.ts";

/** Without `isShown` its words are only read out. */
export function Head({
  words,
  className,
  isShown = true,
}: {
  readonly words: string;
  readonly className?: string;
  readonly isShown?: boolean;
}) {
  return (
    <th scope="col" className={className}>
      {isShown ? words : <span className="visually-hidden">{words}</span>}
    </th>
  );
}

export function Row({
  name,
  attempt,
  ...rest
}: Pick<ComponentProps<"tr">, "style" | "tabIndex" | "aria-selected"> & {
  /** By it the screen finds the row that has the focus. */
  readonly name: string;
  readonly attempt: string | null;
  readonly children: ReactNode;
}) {
  return (
    <tr
      data-row={name}
      data-attempt={attempt ?? undefined}
      tabIndex={-1}
      className="hover:bg-hover focus-visible:bg-accent-soft aria-selected:bg-accent-soft"
      {...rest}
    />
  );
}

/** A long title in any script keeps its beginning, and the letter is never cut. */
export function AttemptName({ of, title }: { readonly of: AttemptCard | null; readonly title: string }) {
  const letter = of === null ? null : letterOf(of);
  return (
    <span className="flex min-w-0">
      <bdi className="truncate">{cleanLine(of?.task.title ?? title)}</bdi>
      {letter !== null && <span className="flex-none whitespace-pre"> · {letter}</span>}
    </span>
  );
}

export function RepositoryCell({ name }: { readonly name: string | undefined }) {
  return <td className="truncate text-ink-2 max-md:hidden">{name}</td>;
}

/** Null: there are too many files to count. */
export function SizeCell({ bytes }: { readonly bytes: number | null }) {
  const { t } = useTranslation("storage");
  const format = useFormat();
  return (
    <td className="text-right tabular-nums">
      {bytes === null ? <span className="text-ink-3">{t("notCounted")}</span> : format.bytes(bytes)}
    </td>
  );
}

export function AgeCell({ since, title }: { readonly since: string | null; readonly title?: string }) {
  const { rest } = useFormat();
  const now = useNow();
  return (
    <td className="text-right text-ink-2 tabular-nums max-md:hidden" title={title}>
      {since !== null && rest(now - Date.parse(since))}
    </td>
  );
}
