/** Searches the logs of an attempt on the server, from the end backwards, and leads to a hit. */
import type { LogLine } from "@contract/endpoints/runs.ts";
import type { RunDocument } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { answerOf, api } from "../../data/api.ts";
import { isComposing } from "../../data/keys/composing.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { readLine } from "./log/read-line.ts";

/** Before all lines that a log can have. */
const END = 999_999_999_999_999;
const PAGE = 50;

interface From {
  /** Counts from the newest run. */
  readonly run: number;
  readonly before: number;
}

const searchQuery = (runs: readonly string[], words: string) =>
  infiniteQueryOptions({
    queryKey: ["log_search", runs.join(" "), words],
    queryFn: async ({ pageParam: { run, before } }) => {
      const id = runs[run] ?? "";
      const page = await answerOf(api.log(id, { query: words, before, limit: PAGE }));
      return { run: id, lines: page.lines.toReversed(), previous: page.previous };
    },
    initialPageParam: { run: 0, before: END } as From,
    getNextPageParam: ({ previous }, _pages, { run }): From | undefined => {
      if (previous !== null) return { run, before: previous };
      return run + 1 < runs.length ? { run: run + 1, before: END } : undefined;
    },
    gcTime: 30_000,
  });

export interface Hit {
  readonly run: string;
  readonly n: number;
}

export function LogSearch(props: {
  readonly runs: readonly RunDocument[];
  readonly worktree: string;
  readonly onGo: (hit: Hit) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation("timeline");
  const [words, setWords] = useState("");
  const [asked, setAsked] = useState("");
  const begun = props.runs.filter(({ started_at }) => started_at !== null).toReversed();
  const ids = begun.map(({ id }) => id);
  const search = useInfiniteQuery({ ...searchQuery(ids, asked), enabled: asked !== "" && ids.length > 0 });
  const hits = search.data?.pages.flatMap(({ run, lines }) => lines.map((line) => ({ run, line }))) ?? [];
  const { hasNextPage, isFetching, isError, fetchNextPage } = search;
  // A part of the log without a hit is no answer yet.
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && hits.length < PAGE) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, hits.length, fetchNextPage]);
  const numberOf = (run: string) => begun.find(({ id }) => id === run)?.number ?? 0;
  return (
    <search className="flex min-h-0 flex-1 flex-col">
      <form
        className="flex flex-none gap-2 border-b border-line px-3 py-2"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(words.trim());
        }}
      >
        <input
          className="field min-h-7! flex-1 py-0.5!"
          aria-label={t("searchLabel")}
          placeholder={t("searchLabel")}
          // biome-ignore lint/a11y/noAutofocus: the person just asked to search.
          autoFocus
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || isComposing(event.nativeEvent)) return;
            event.preventDefault();
            props.onClose();
          }}
        />
        <Button
          kind="quiet"
          label={t("close", { ns: "shell" })}
          icon={<X size={16} />}
          onClick={props.onClose}
        />
      </form>
      <p role="status" className="px-3 py-1 text-fine text-ink-3">
        {asked === "" ? t("searchHint") : search.isFetching ? t("searching") : found()}
      </p>
      <ul className="min-h-0 flex-1 overflow-y-auto">
        {hits.map(({ run, line }) => (
          <li key={`${run} ${line.n}`}>
            <button
              type="button"
              onClick={() => props.onGo({ run, n: line.n })}
              className="flex w-full gap-2 px-3 py-0.5 text-left text-small hover:bg-hover"
            >
              <span className="w-16 flex-none text-fine text-ink-3">
                {t("run", { number: numberOf(run) })}
              </span>
              <bdi className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]">
                {excerpt(line, props.worktree, asked)}
              </bdi>
            </button>
          </li>
        ))}
        {search.hasNextPage && !search.isFetching && (
          <li className="px-3 py-1">
            <Button size="small" onClick={() => void search.fetchNextPage()}>
              {t("searchOn")}
            </Button>
          </li>
        )}
      </ul>
    </search>
  );

  function found(): string {
    return t("hits", { count: hits.length });
  }
}

const AROUND = 80;

/** What the line says, around the words. */
function excerpt(line: LogLine, worktree: string, words: string): string {
  const said = readLine(line, worktree);
  const text = cleanLine(
    "text" in said ? said.text : "title" in said ? said.title : "output" in said ? (said.output ?? "") : "",
  );
  const whole = text.toLowerCase().includes(words.toLowerCase())
    ? text
    : cleanLine(JSON.stringify(line.event));
  const at = Math.max(0, whole.toLowerCase().indexOf(words.toLowerCase()) - AROUND);
  return `${at > 0 ? "…" : ""}${whole.slice(at, at + 3 * AROUND)}`;
}
