/** The frame inside the shell that every screen fills: its heading, its acts, its content. */
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { ConnectionMark, OfflineStrip } from "./connection-mark.tsx";
import { DeviceChoices } from "./device-choices.tsx";
import { SearchButton } from "./search-button.tsx";

export function Screen(props: {
  /** Plain text, for the tab. */
  readonly title: string;
  /** What stands before the title: links to where it belongs. */
  readonly crumbs?: ReactNode;
  /** Beside the title. */
  readonly beside?: ReactNode;
  /** The acts at the right of the bar. */
  readonly acts?: ReactNode;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation("shell");
  useEffect(() => {
    const waiting = Number(document.documentElement.dataset.waiting ?? 0);
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${props.title} · Tazuna`;
  }, [props.title]);
  return (
    <>
      <header className="flex h-11 min-w-0 flex-none items-center gap-2.5 border-b border-line px-3">
        <div className="flex min-w-0 flex-1 items-center gap-1.5 whitespace-nowrap">
          {props.crumbs}
          {/* A title that is written from the right loses its end, too, and not its beginning. */}
          <h1 dir="auto" className="min-w-0 truncate text-body">
            {props.title}
          </h1>
          {props.beside}
        </div>
        <div className="flex flex-none items-center gap-2">
          <ConnectionMark />
          {props.acts}
          <SearchButton />
          <DeviceChoices />
        </div>
      </header>
      <OfflineStrip />
      <main
        id="main"
        tabIndex={-1}
        aria-label={t("main")}
        className="relative flex min-h-0 min-w-0 flex-1 flex-col overflow-clip short:overflow-y-auto"
      >
        {/* A low window, such as a large zoom makes, has no room for all parts: the screen moves as a whole. */}
        <div className="relative flex min-h-0 flex-1 flex-col short:min-h-100">{props.children}</div>
      </main>
    </>
  );
}

/** The path before the title: the board, and the board of this repository. */
export function PathTo({ repository }: { readonly repository: Repository | undefined }) {
  const { t } = useTranslation("shell");
  return (
    <>
      <Crumb>
        <Link to="/" className="hover:underline">
          {t("fleet")}
        </Link>
      </Crumb>
      {repository !== undefined && (
        <Crumb>
          <Link
            to="/"
            search={{ repository: repository.id }}
            title={repository.name}
            className="block max-w-44 truncate hover:underline"
          >
            {repository.name}
          </Link>
        </Crumb>
      )}
    </>
  );
}

interface Repository {
  readonly id: string;
  readonly name: string;
}

/** One step of the path before the title. */
function Crumb({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <span className="text-ink-2 max-sm:hidden">{children}</span>
      <span aria-hidden="true" className="text-ink-3 max-sm:hidden">
        /
      </span>
    </>
  );
}
