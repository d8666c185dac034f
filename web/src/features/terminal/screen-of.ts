/** Makes the part of a terminal that draws: in the colours of the page, and without what programs could do to the page. */
import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal } from "@xterm/xterm";

/** Lines that can be scrolled back to. */
const SCROLLBACK = 5_000;

/**
 * Titles, icons, colours of the page's theme, links, notifications, the clipboard and files: a program that prints these
 * sequences gets nothing and no answer.
 */
const REFUSED_SEQUENCES = [
  0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 17, 19, 50, 52, 99, 104, 110, 111, 112, 117, 119, 777, 1337,
];

export interface TerminalScreen {
  readonly terminal: Terminal;
  /** Fills its place. */
  fit(): { readonly columns: number; readonly rows: number };
  /** Takes the colours of the page as they are now. */
  paint(): void;
}

export function screenIn(place: HTMLElement, options: { readonly fontSize: number }): TerminalScreen {
  const terminal = new Terminal({
    fontSize: options.fontSize,
    fontFamily: token("--font-mono") || "monospace",
    lineHeight: 1.25,
    scrollback: SCROLLBACK,
    screenReaderMode: true,
    minimumContrastRatio: 4.5,
    linkHandler: { activate: () => {} },
    theme: themeOf(),
  });
  for (const sequence of REFUSED_SEQUENCES) terminal.parser.registerOscHandler(sequence, () => true);
  const fitting = new FitAddon();
  terminal.loadAddon(fitting);
  terminal.open(place);
  return {
    terminal,
    fit: () => {
      fitting.fit();
      return { columns: Math.max(2, terminal.cols), rows: Math.max(1, terminal.rows) };
    },
    paint: () => {
      terminal.options.theme = themeOf();
    },
  };
}

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function themeOf(): ITheme {
  const [ink, soft, fail, ready, needs, accent, review, work] = [
    "--ink",
    "--ink-3",
    "--fail-ink",
    "--ready-ink",
    "--needs-ink",
    "--accent",
    "--review-ink",
    "--work-ink",
  ].map(token) as [string, string, string, string, string, string, string, string];
  return {
    background: token("--sunken"),
    foreground: ink,
    cursor: accent,
    cursorAccent: token("--sunken"),
    selectionBackground: token("--line-strong"),
    black: ink,
    red: fail,
    green: ready,
    yellow: needs,
    blue: accent,
    magenta: review,
    cyan: work,
    white: soft,
    brightBlack: soft,
    brightRed: fail,
    brightGreen: ready,
    brightYellow: needs,
    brightBlue: accent,
    brightMagenta: review,
    brightCyan: work,
    brightWhite: ink,
  };
}
